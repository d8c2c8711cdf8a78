package io.mlestar.app.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.Abilities;
import io.mlestar.core.agent.Agents;
import io.mlestar.core.agent.PromptTemplate;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Backoff;
import io.mlestar.core.phase.BlendScript;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.Invocations;
import io.mlestar.core.records.Journal;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Ledger;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Trace;
import io.mlestar.core.records.Walk;
import io.mlestar.core.steering.Allowance;
import io.mlestar.core.steering.Steering;
import io.mlestar.core.step.FenceMark;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.Scheduling;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Window;
import io.mlestar.core.task.Score;
import io.mlestar.show.report.ReportModel;
import module java.base;
import org.junit.jupiter.api.Test;

/// A native image reads and writes as JSON only what [NativeTypes] leads to, and types that are
/// annotated.
class NativeTypesTest {
    /// The rooms whose records are data; those of `report` are for templates, but for a few.
    private static final List<String> ROOMS =
            List.of("core.task", "core.step", "core.agent", "core.phase", "core.records", "core.steering");
    /// Records that never become JSON, though they could.
    private static final Set<Class<?>> INSIDE = Set.of(Backoff.class, StepPath.class, RunContext.class, Window.class,
            Outcome.Done.class, Outcome.Failed.class,
            Outcome.Stopped.class, PromptTemplate.class, Prompts.Rendered.class, Abilities.class, Agents.class,
            KnownStep.class, Trace.class, PhaseReport.class,
            Scheduling.class, Scheduling.Load.class, Score.Lead.class,
            PhaseReport.PhaseText.class,
            PhaseReport.Revision.class, Journal.class, CurrentLimits.class, Invocations.Invocation.class,
            Invocations.Abort.class, Invocations.Unanswered.class,
            RunMarks.class, Allowance.class, FenceMark.class, Steering.Effect.Done.class,
            Steering.Effect.Unchanged.class,
            Steering.Effect.Refused.class, Ledger.Account.class, Ledger.OpenCall.class, Walk.class,
            StepResult.Done.class, StepResult.Failed.class, StepResult.Stopped.class, BlendScript.SplitBlend.class);

    private static Stream<Class<?>> types(String room) {
        return Registered.PROGRAM.stream().filter(type -> type.getPackageName().equals("io.mlestar." + room));
    }

    /// Values only: a record that holds a store, a folder or a function does something.
    private static boolean isData(Class<?> type) {
        return type.isEnum()
                || type.isRecord() && Stream.of(type.getRecordComponents()).map(component -> component.getType())
                        .allMatch(part -> part.isPrimitive() || part.isEnum() || part.isRecord() && isData(part)
                                || part.getName().startsWith("java.")
                                        && !part.getName().startsWith("java.util.function.") && part != Path.class
                                || part.getName().startsWith("com.fasterxml.jackson.databind."));
    }

    private static boolean isOpen(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && (type.getDeclaringClass() == null || isOpen(type.getDeclaringClass()));
    }

    @Test
    void everyRecordThatIsDataIsKept() throws Exception {
        Set<Class<?>> registered = Registered.all();
        for (String room : ROOMS) {
            assertThat(types(room).filter(type -> isOpen(type) && isData(type) && !INSIDE.contains(type)))
                    .as("records and enums of room " + room
                            + "; the result of a phase implements PhaseResult, others in core are named in NativeTypes, those outside of core annotated")
                    .isNotEmpty()
                    .isSubsetOf(registered);
        }
    }

    /// The report's template reads them by reflection; the templates of the pages are compiled.
    @Test
    void allThatTheReportsTemplateCanReachIsKept() throws Exception {
        Set<Class<?>> reached = new HashSet<>();
        read(ReportModel.class, reached);
        assertThat(reached.stream().filter(type -> !type.isEnum())).hasSizeGreaterThan(8)
                .isSubsetOf(Registered.by(ReportModel.class));
    }

    /// A template calls methods without parameters.
    private static void read(Type type, Set<Class<?>> reached) {
        if (type instanceof ParameterizedType of) {
            Stream.of(of.getActualTypeArguments()).forEach(part -> read(part, reached));
        } else if (type instanceof Class<?> one && one.getName().startsWith("io.mlestar.") && reached.add(one)) {
            Stream.of(one.getDeclaredMethods())
                    .filter(method -> Modifier.isPublic(method.getModifiers()) && method.getParameterCount() == 0)
                    .forEach(method -> read(method.getGenericReturnType(), reached));
        }
    }
}
