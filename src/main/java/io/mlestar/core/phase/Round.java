package io.mlestar.core.phase;

import io.mlestar.core.agent.EnsPlanner;
import io.mlestar.core.agent.Ensembler;
import io.mlestar.core.agent.Reply;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport.PhaseText;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript.Trial;
import io.mlestar.core.task.SolutionScript;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Algorithm 3, lines 1 to 3 or 5 to 7: one ensemble plan, carried out and scored.
///
/// @param r number of the round, from 0
/// @param solutions the L scripts with their scores
/// @param input the best of them, with which the round is compared; null if none has a score
/// @param plan of a combination; null: the planner is asked
/// @param plans plans tried before, failed ones included
/// @param scores their scores; null where they failed
/// @param repairs of their scripts; null where one ran as it was written
public record Round(
        int r,
        List<SolutionScript> solutions,
        @Nullable Rival input,
        @Nullable String plan,
        List<String> plans,
        List<Double> scores,
        List<String> repairs) implements Phase<EnsembleAttempt> {
    private static final String PLANNER_FAILED = "[ens_planner failed]";

    @Override
    public EnsembleAttempt run(Steps steps) {
        String chosen =
                plan != null ? plan : steps.attempt(planner()).map(Reply.Plan::plan).orElse("");   // lines 1, 5
        if (chosen.isEmpty()) {
            return failed(PLANNER_FAILED, "the planner failed");
        }
        Optional<SolutionScript> script = steps.attempt(new Ensembler(contents(), trials(), chosen))  // lines 2, 6
                .map(reply -> SolutionScript.unscored(reply.code(), SolutionPhase.ENSEMBLE)
                        .by(EnsemblePhase.NAME + "/" + name()));
        if (script.isEmpty()) {
            return failed(chosen, "the ensembler failed");
        }
        Evaluation.Result evaluated = new Evaluation(script.get(), Kind.SOLUTION, input).by(steps); // lines 3, 7
        SolutionScript scored = evaluated.script();
        String failure = scored.isScored() ? null : evaluated.shortly();
        return new EnsembleAttempt(chosen, scored, failure, evaluated.remark());
    }

    private EnsPlanner planner() {
        return new EnsPlanner(contents(), trials(), plans, scores, repairs);
    }

    private List<String> contents() {
        return solutions.stream().map(SolutionScript::content).toList();
    }

    private List<Trial> trials() {
        return solutions.stream().map(SolutionScript::trial).toList();
    }

    /// The attempt, or what stands for one that did not come to its end.
    static EnsembleAttempt of(Outcome<EnsembleAttempt> outcome) {
        return outcome.value().orElse(failed("[round failed]", "the round failed"));
    }

    static EnsembleAttempt failed(String plan, String why) {
        return new EnsembleAttempt(plan,
                SolutionScript.unscored("", SolutionPhase.ENSEMBLE).failed(), why, null);
    }

    @Override
    public String name() {
        return name(r);
    }

    static String name(int r) {
        return "round" + r;
    }

    @Override
    public String title() {
        return "Round " + r;
    }

    @Override
    public PhaseReport report(EnsembleAttempt result) {
        return PhaseReport.of(result.solution())
                .required()
                .comparedWith(input)
                .saying(result.plan())
                .with(PhaseText.PLAN, result.plan());
    }
}
