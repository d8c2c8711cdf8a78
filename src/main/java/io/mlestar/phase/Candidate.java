package io.mlestar.phase;

import io.mlestar.agent.Init;
import io.mlestar.step.Phase;
import io.mlestar.step.RunScript.Kind;
import io.mlestar.step.Steps;
import io.mlestar.task.Answers.RetrievedModel;
import io.mlestar.task.SolutionPhase;
import io.mlestar.task.SolutionScript;

/// Algorithm 1, lines 3 and 4: one candidate script for one retrieved model, with its score.
///
/// @param index of the model, from 0
public record Candidate(int index, RetrievedModel model) implements Phase<SolutionScript> {
    @Override
    public SolutionScript run(Steps steps) {
        String code = steps.call(new Init(steps.brief().task().description(), model.modelName(), model.exampleCode())).code();
        SolutionScript script = SolutionScript.unscored(code, SolutionPhase.INIT).from(model.modelName());
        return steps.call(new Evaluation(script, Kind.SOLUTION)).script();
    }

    @Override
    public String name() {
        return "candidate" + index;
    }

    @Override
    public Class<SolutionScript> resultType() {
        return SolutionScript.class;
    }
}
