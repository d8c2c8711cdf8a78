package io.mlestar.core.phase;

import io.mlestar.core.agent.Planner.GainOfPlan;
import io.mlestar.core.agent.Planner;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.LoopSettings;
import io.mlestar.core.task.Results.InnerLoopResult;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;

/// Algorithm 2, lines 9 to 25: tries K plans on one code block and keeps the best script seen (REQ-P2I-016), as [Acceptance] says.
///
/// @param place path within the run of the step whose block it is
/// @param solution s_t, whose score is h_best
/// @param block c_t, which occurs in s_t
/// @param firstPlan p_0, the extractor's
record RefineBlock(String place, SolutionScript solution, String block, String firstPlan) {
    InnerLoopResult run(Steps steps) {
        Acceptance acceptance = Acceptance.of(steps.context());
        boolean keepsAll = GreedyEnsemble.isWanted(steps.context());
        LoopSettings loop = steps.context().config().loop();
        int innerLoopSteps = loop.innerLoopSteps();
        SolutionScript bestSolution = solution;
        Decision.Rival start = Decision.Rival.of(solution);
        List<RefinementAttempt> attempts = new ArrayList<>();
        List<Decision> decisions = new ArrayList<>();
        boolean stopped = false;
        while (!stopped && attempts.size() < innerLoopSteps) {
            List<String> plans = attempts.stream().map(RefinementAttempt::plan).toList();
            List<Double> scores = attempts.stream().map(RefinementAttempt::score).toList();
            List<String> repairs = attempts.stream().map(RefinementAttempt::repaired).toList();
            List<GainOfPlan> gains = attempts.stream().map(attempt -> acceptance.gain(attempt.script(), solution)).toList();
            int before = attempts.size();
            SolutionScript bestBefore = bestSolution;
            Batch<Attempt.Attempted> batch = Batch.of(loop.attemptsAtOnce(), innerLoopSteps - before, before == 0 ? firstPlan : null,
                    underWay -> new Planner(block, solution.trial(), plans, scores, repairs, underWay, solution.content(), gains), // line 17
                    (index, plan) -> new Attempt(before + index, solution, block, plan, plans, scores, repairs, gains, Decision.Rival.of(bestBefore)),
                    steps);
            stopped = batch.isCut();
            for (int i = 0; i < batch.outcomes().size(); i++) {
                Outcome<Attempt.Attempted> outcome = batch.outcomes().get(i);
                if (outcome instanceof Outcome.Stopped) {
                    stopped = true;
                    continue;
                }
                Attempt.Attempted attempted = outcome.value().orElseGet(() -> lost(attempts));
                // Of attempts side by side, each is measured by the best of those before it, as if they had come one after the other.
                String step = place + "/" + Attempt.name(before + i);
                SolutionScript scored = attempted.script() == null ? null : attempted.script().by(step);
                Decision.Rival best = Decision.Rival.of(bestSolution);
                boolean better = scored != null && acceptance.takesPlace(scored, best, start);
                attempts.add(attempted.record().decided(better, keepsAll ? scored : null));
                decisions.add(new Decision(step, attempted.record().score(), attempted.validation(), Decision.Source.each(List.of(solution)),
                        best, start, better));
                if (scored != null && better) {                                                       // lines 12-15, 21-24
                    bestSolution = scored;
                }
            }
        }
        return new InnerLoopResult(bestSolution, bestSolution.knownScore(), attempts, acceptance.beats(bestSolution, solution), decisions);
    }

    /// An attempt that failed as a whole still counts (REQ-P2I-048).
    private Attempt.Attempted lost(List<RefinementAttempt> before) {
        String plan = before.isEmpty() ? firstPlan : "[attempt failed]";
        return new Attempt.Attempted(new RefinementAttempt(plan, null, "", false, null), null, null, "the attempt failed");
    }
}
