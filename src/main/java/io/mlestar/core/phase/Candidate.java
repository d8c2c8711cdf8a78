package io.mlestar.core.phase;

import io.mlestar.core.agent.Init;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.Scheduling;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Answers.RetrievedModel;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import org.jspecify.annotations.Nullable;

/// Algorithm 1, lines 3 and 4: one candidate script for one retrieved model, with its score.
///
/// @param index of the model, from 0
/// @param lastChance whether all candidates have used up their share of the time and none has a
///   score: then this one may take all that there is
/// @param studied what a first study printed; null if there was none
public record Candidate(
        int index,
        RetrievedModel model,
        boolean lastChance,
        @Nullable String studied) implements Phase<SolutionScript> {
    @Override
    public SolutionScript run(Steps steps) {
        String code = steps.call(new Init(steps.context().task().description(), model.modelName(),
                model.exampleCode(), studied)).code();
        SolutionScript script =
                SolutionScript.unscored(code, SolutionPhase.INIT).from(model.modelName());
        Evaluation.Result evaluated = steps.call(new Evaluation(script, Kind.SOLUTION));
        SolutionScript ran = evaluated.script().by(path());
        return ran.isScored() ? ran : ran.printing(evaluated.shortly());
    }

    /// The same with all the time there is.
    Candidate again() {
        return new Candidate(index, model, true, studied);
    }

    /// The script that stands for it if the step gave none.
    SolutionScript failed(String why) {
        return SolutionScript.unscored("", SolutionPhase.INIT)
                .from(model.modelName())
                .failed()
                .by(path())
                .printing(why);
    }

    private String path() {
        return FirstPhase.NAME + "/" + name();
    }

    @Override
    public String name() {
        return "candidate" + index + (lastChance ? "-2" : "");
    }

    @Override
    public boolean ignoresPhaseShare() {
        return lastChance;
    }

    @Override
    public Scheduling scheduling(RunContext context) {
        return lastChance
                ? Scheduling.ALONE
                : Scheduling.beside(context.search().numRetrievedModels());
    }

    @Override
    public String title() {
        return "Model " + (index + 1);
    }

    @Override
    public PhaseReport report(SolutionScript result) {
        return PhaseReport.of(result).required().saying(model.modelName());
    }
}
