package io.mlestar.show.view;

import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.Ensembler;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.Step;
import io.mlestar.core.task.Validation;
import io.mlestar.show.render.Formats;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One step in a few figures, as programs are told it: a row of the table of all steps.
///
/// @param path within the run
/// @param kind `phase`, `agent` or `script`
/// @param phase kind of phase, e.g. `attempt`; null unless it is one
/// @param agent who was asked; null unless it is an agent
/// @param plan what was to be tried; null where there is none
/// @param score null if it has none
/// @param costUsd in USD, of a phase with all below it; null if the price is unknown, or it is under way
/// @param seconds how long it took; null while it is under way
/// @param outcome `running`, `done`, `failed` or `left_out`
/// @param model who answered; null unless an agent was answered
/// @param inputTokens of an answer, as the two that follow; null without one
/// @param cachedTokens part of the input tokens
/// @param sharedWith path of the step of another run whose result this is; null if this run did it
/// @param note what went wrong, or what the step has to say: one line, may be empty
/// @param scoreError standard error of the score; null unless the harness computed it
@RegisterForReflection
public record StepFigures(String path, String kind, @Nullable String phase, @Nullable String agent, @Nullable String plan, @Nullable Double score,
        @Nullable Double costUsd, @Nullable Double seconds, String outcome, @Nullable String model, @Nullable Long inputTokens, @Nullable Long outputTokens,
        @Nullable Long cachedTokens, Instant askedAt, @Nullable Instant endedAt, @Nullable String sharedWith, String note,
        @Nullable Double scoreError) {
    private static final int LONGEST_PLAN = 4_000;
    private static final double MILLIS = 1000.0;

    public static StepFigures of(KnownStep step) {
        return of(StepView.of(step));
    }

    static StepFigures of(StepView step) {
        StepRequest request = step.known().request();
        StepResult result = step.result().orElse(null);
        Validation by = step.validation();
        Answer.Usage usage = step.found() instanceof StepView.Replied(var asked, Answer answer) ? answer.usage() : null;
        return new StepFigures(step.path().inside(), request.isPhase() ? "phase" : request.isAgent() ? "agent" : "script",
                request.isPhase() ? request.kind() : null, step.step() instanceof Agent<?> agent ? agent.type().id() : null, plan(step), step.score(),
                result == null ? null : result.costUsd(), result == null ? null : result.took().toMillis() / MILLIS, step.state().toString(),
                usage == null ? null : usage.model(), usage == null ? null : Long.valueOf(usage.inputTokens()),
                usage == null ? null : Long.valueOf(usage.outputTokens()), usage == null ? null : Long.valueOf(usage.cachedTokens()), request.askedAt(),
                result == null ? null : result.endedAt(), result == null ? null : result.sharedWith(), StepRow.of(step).says(),
                by == null ? null : by.searchError());
    }

    private static @Nullable String plan(StepView step) {
        Step<?> asked = step.step();
        String plan = step.found() instanceof StepView.Returned<?> returned ? returned.report().texts().get(PhaseReport.PhaseText.PLAN)
                : asked instanceof Coder coder ? coder.plan() : asked instanceof Ensembler ensembler ? ensembler.plan() : null;
        return plan == null || plan.isBlank() ? null : Formats.clip(plan, LONGEST_PLAN);
    }

    /// All steps of a run, each phase before the steps inside it. Those of a phase that is shared with another run are the other run's.
    public static List<StepFigures> all(Records records, String run) {
        List<StepFigures> all = new ArrayList<>();
        new RunSteps(records).own(run, step -> all.add(of(step)));
        return all;
    }
}
