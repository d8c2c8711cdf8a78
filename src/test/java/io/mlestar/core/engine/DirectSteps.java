package io.mlestar.core.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Steps;
import io.mlestar.core.step.Window;
import io.mlestar.core.task.StrongSearch;
import module java.base;

/// The pipeline without any engine: each step is done at once, in memory. What every other way of
/// running must equal.
public final class DirectSteps implements Steps {
    private RunContext context;
    private final Performer performer;
    private final StepPath phase;
    private final Map<String, Integer> uses = new HashMap<>();

    public DirectSteps(RunContext context, Performer performer, StepPath phase) {
        this.context = context;
        this.performer = performer;
        this.phase = phase;
    }

    /// The end of a whole run: its result, or why it failed.
    static JsonNode end(RunHeader header, Performer performer) {
        try {
            return Json.parse(Json.bytes(
                    new Pipeline().run(new DirectSteps(header.context(), performer, StepPath.root(header.runId())))));
        } catch (StepFailed e) {
            return Json.tree(e.getMessage());
        }
    }

    /// The same of a run that an engine did.
    static JsonNode end(StepResult result) {
        return result.ending() instanceof StepResult.Done done ? done.value() : Json.tree(result.reason());
    }

    @Override
    public RunContext context() {
        return context;
    }

    @Override
    public <R> List<Outcome<R>> callAll(List<? extends Step<R>> steps) {
        return steps.stream().<Outcome<R>>map(step -> {
            int use = uses.merge(step.name(), 1, Integer::sum);
            return outcome(step, phase.child(use == 1 ? step.name() : step.name() + "-" + use));
        }).toList();
    }

    private <R> Outcome<R> outcome(Step<R> step, StepPath path) {
        try {
            return switch (step) {
                case Agent<R> agent -> StepResult.of(
                        new Outcome.Done<>(
                                performer.ask(path, agent, context, Duration.ofMinutes(1), RetryApproval.FREE)),
                        World.NOW, World.NOW, 0.0).outcome(step);
                case RunScript script ->
                    StepResult.of(
                            new Outcome.Done<>(performer.run(path, script, context,
                                    new Window(World.NOW, World.NOW.plusSeconds(60)), () -> 1)),
                            World.NOW, World.NOW, 0.0).outcome(step);
                case Arithmetic<R> arithmetic ->
                    new Outcome.Done<>(performer.harness(path, context).compute(arithmetic));
                case Phase<R> child -> {
                    R result = child.run(new DirectSteps(context, performer, path));
                    if (result instanceof Facts facts && context.config().search() instanceof StrongSearch) {
                        context = new RunContext(context.task(), context.config(), context.hardware(),
                                RunContext.ofPhases(facts));
                    }
                    yield new Outcome.Done<>(result);
                }
            };
        } catch (StepFailed e) {
            return new Outcome.Failed<>(e.getMessage());
        } catch (StepStopped e) {
            return new Outcome.Stopped<>(e.getMessage());
        }
    }
}
