package io.mlestar.core.phase;

import io.mlestar.core.base.Json;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Steps;
import io.mlestar.core.step.UnreadableAnswer;
import module java.base;

/// The steps of one phase of a [Scenario], done at once and in order. Like the engine it numbers
/// names that are used twice, passes what is asked and what comes back through JSON, and turns what
/// escapes a phase into that phase's outcome.
final class ScriptedSteps implements Steps {
    private final Scenario scenario;
    private final String phase;
    private final Map<String, Integer> uses = new HashMap<>();

    ScriptedSteps(Scenario scenario, String phase) {
        this.scenario = scenario;
        this.phase = phase;
    }

    @Override
    public RunContext context() {
        return scenario.context();
    }

    @Override
    public <R> List<Outcome<R>> callAll(List<? extends Step<R>> steps) {
        List<String> paths = steps.stream().map(step -> path(step.name())).toList();
        scenario.askedTogether(paths);
        List<Outcome<R>> outcomes = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            outcomes.add(outcome(copy(steps.get(i)), paths.get(i)));
        }
        return outcomes;
    }

    private String path(String name) {
        int use = uses.merge(name, 1, Integer::sum);
        return (phase.isEmpty() ? "" : phase + "/") + (use == 1 ? name : name + "-" + use);
    }

    @SuppressWarnings("unchecked")
    private static <R> Step<R> copy(Step<R> step) {
        return Json.read(Json.parse(Json.bytes(step)), (Class<Step<R>>) step.getClass());
    }

    @SuppressWarnings("unchecked")
    private <R> Outcome<R> outcome(Step<R> step, String path) {
        if (scenario.refuses(path)) {
            return new Outcome.Stopped<>("made to stop");
        }
        scenario.asked(path, step);
        if (scenario.fails(path)) {
            return new Outcome.Failed<>("made to fail");
        }
        return switch (step) {
            case Agent<R> agent -> read(agent, scenario.answer(path, agent));
            case RunScript script -> new Outcome.Done<>((R) MadeUpPython.run(script));
            case Arithmetic<R> arithmetic -> MadeUpPython.compute(arithmetic);
            case Phase<R> child -> play(child, new ScriptedSteps(scenario, path));
        };
    }

    private static <R> Outcome<R> read(Agent<R> agent, String answer) {
        try {
            return new Outcome.Done<>(agent.read(answer));
        } catch (UnreadableAnswer e) {
            return new Outcome.Failed<>(e.getMessage(), true);
        }
    }

    static <R> Outcome<R> play(Phase<R> phase, Steps steps) {
        try {
            return new Outcome.Done<>(Json.read(Json.parse(Json.bytes(phase.run(steps))), Phases.resultType(phase)));
        } catch (StepStopped e) {
            return new Outcome.Stopped<>(e.getMessage());
        } catch (StepFailed e) {
            return new Outcome.Failed<>(e.getMessage());
        }
    }
}
