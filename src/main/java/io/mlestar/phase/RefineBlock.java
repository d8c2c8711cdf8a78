package io.mlestar.phase;

import io.mlestar.step.Outcome;
import io.mlestar.step.Steps;
import io.mlestar.task.MetricDirection;
import io.mlestar.task.Results.InnerLoopResult;
import io.mlestar.task.Results.RefinementAttempt;
import io.mlestar.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;

/// Algorithm 2, lines 9 to 25: tries K plans on one code block and keeps the best script seen (REQ-P2I-016).
///
/// @param solution s_t
/// @param block c_t, which occurs in s_t
/// @param firstPlan p_0, the extractor's
/// @param best h_best
record RefineBlock(SolutionScript solution, String block, String firstPlan, double best) {
    InnerLoopResult run(Steps steps) {
        MetricDirection direction = steps.brief().task().metricDirection();
        SolutionScript bestSolution = solution;
        double bestScore = best;
        List<RefinementAttempt> attempts = new ArrayList<>();
        for (int k = 0; k < steps.brief().config().innerLoopSteps(); k++) {
            List<String> plans = attempts.stream().map(RefinementAttempt::plan).toList();
            List<Double> scores = attempts.stream().map(RefinementAttempt::score).toList();
            Outcome<Attempt.Attempted> outcome =
                    steps.outcome(new Attempt(k, solution, block, k == 0 ? firstPlan : null, plans, scores, bestScore));
            if (outcome instanceof Outcome.Stopped) {
                break;
            }
            Attempt.Attempted attempted = outcome.value().orElseGet(() -> lost(plans));
            attempts.add(attempted.record());
            if (attempted.script() != null) {                                                         // lines 12-15, 21-24
                bestSolution = attempted.script();
                bestScore = attempted.script().score();
            }
        }
        return new InnerLoopResult(bestSolution, bestScore, attempts, direction.isImprovement(bestScore, best));
    }

    /// An attempt that failed as a whole still counts (REQ-P2I-048).
    private Attempt.Attempted lost(List<String> plans) {
        String plan = plans.isEmpty() ? firstPlan : "[attempt failed]";
        return new Attempt.Attempted(new RefinementAttempt(plan, null, "", false), null, "the attempt failed");
    }
}
