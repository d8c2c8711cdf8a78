package io.mlestar.core.phase;

import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Decision.Source;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;

/// Algorithm 2, lines 9 to 25: tries K plans on one code block, one after the other, and keeps the
/// best script seen (REQ-P2I-016).
///
/// @param place path within the run of the step whose block it is
/// @param solution s_t, whose score is h_best
/// @param block c_t, which occurs in s_t
/// @param firstPlan p_0, the extractor's
record RefineBlock(String place, SolutionScript solution, String block, String firstPlan) {
    /// Outcome of the inner loop (REQ-P2I-036).
    ///
    /// @param improved strictly better than what it started from
    /// @param decisions on the attempts, in their order
    record Result(
            SolutionScript bestSolution,
            List<RefinementAttempt> attempts,
            boolean improved,
            List<Decision> decisions) {}

    Result run(Steps steps) {
        int innerLoopSteps = steps.context().config().paper().innerLoopSteps();
        SolutionScript best = solution;
        List<RefinementAttempt> attempts = new ArrayList<>();
        List<Decision> decisions = new ArrayList<>();
        for (int k = 0; k < innerLoopSteps; k++) {
            Outcome<Attempt.Result> outcome = steps.outcome(attempt(k, attempts, best));
            if (outcome instanceof Outcome.Stopped) {
                break;
            }
            Attempt.Result attempted = outcome.value().orElseGet(() -> lost(attempts));
            String step = place + "/" + Attempt.name(k);
            attempts.add(attempted.record());
            decisions.add(new Decision(step, Score.printed(attempted.record().score()),
                    Source.each(List.of(solution)), Rival.of(best),
                    attempted.record().wasImprovement()));
            if (attempted.script() != null) {                                                         // lines 12-15, 21-24
                best = attempted.script().by(step);
            }
        }
        boolean isImproved = best.score().beats(solution.score(), steps.context().direction());
        return new Result(best, attempts, isImproved, decisions);
    }

    private Attempt attempt(int k, List<RefinementAttempt> before, SolutionScript best) {
        List<String> plans = before.stream().map(RefinementAttempt::plan).toList();
        List<Double> scores = before.stream().map(RefinementAttempt::score).toList();
        List<String> repairs = before.stream().map(RefinementAttempt::repaired).toList();
        return new Attempt(k, solution, block, k == 0 ? firstPlan : null, plans, scores, repairs,
                Rival.of(best));
    }

    /// An attempt that failed as a whole still counts (REQ-P2I-048).
    private Attempt.Result lost(List<RefinementAttempt> before) {
        String plan = before.isEmpty() ? firstPlan : "[attempt failed]";
        return Attempt.skipped(plan, "", "the attempt failed");
    }
}
