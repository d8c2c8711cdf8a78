package io.mlestar.core.phase;

import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.Scheduling.Load;
import io.mlestar.core.step.Scheduling;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.LoopSettings;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PhaseTimeBudget;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Algorithm 3: proposes and tries R ways to ensemble the L solutions, and returns the best of them, also where one
/// input alone scores higher.
public record Ensemble(List<SolutionScript> solutions) implements Phase<Phase3Result> {
    static final String NAME = "phase3";

    @Override
    public Phase3Result run(Steps steps) {
        MetricDirection direction = steps.context().task().metricDirection();
        if (solutions.size() == 1) {
            SolutionScript only = solutions.getFirst();
            return new Phase3Result(solutions, List.of(), List.of(), only, only.score(), List.of());
        }
        List<EnsembleAttempt> attempts = new ArrayList<>();
        LoopSettings loop = steps.context().config().loop();
        int rounds = loop.ensembleRounds();
        boolean stopped = false;
        while (!stopped && attempts.size() < rounds) {                                                // lines 1-8
            int before = attempts.size();
            List<String> plans = plans(attempts);
            List<Double> scores = scores(attempts);
            List<String> repairs = attempts.stream().map(EnsembleAttempt::repaired).toList();
            Batch<EnsembleAttempt> batch = Batch.of(loop.roundsAtOnce(), rounds - before, null,
                    underWay -> Round.planner(solutions, plans, scores, repairs, underWay),
                    (index, plan) -> new Round(before + index, solutions, plan, plans, scores, repairs), steps);
            List<Outcome<EnsembleAttempt>> ended = batch.outcomes().stream().filter(outcome -> !(outcome instanceof Outcome.Stopped)).toList();
            ended.forEach(outcome -> attempts.add(outcome.value().orElse(Round.failed("[round failed]", "the round failed"))));
            stopped = batch.isCut() || ended.size() < batch.outcomes().size();
        }
        SolutionScript best = best(attempts.stream().map(EnsembleAttempt::solution).toList(), direction) // line 9
                .or(() -> best(solutions, direction)).orElse(solutions.getFirst());
        return new Phase3Result(solutions, plans(attempts), scores(attempts), best, best.score(), attempts); // line 10
    }

    /// The best of the scored scripts, the last one on ties (REQ-P3-025).
    static Optional<SolutionScript> best(List<SolutionScript> scripts, MetricDirection direction) {
        return direction.lastBest(scripts, SolutionScript::score);
    }

    private static List<String> plans(List<EnsembleAttempt> attempts) {
        return attempts.stream().map(EnsembleAttempt::plan).toList();
    }

    private static List<Double> scores(List<EnsembleAttempt> attempts) {
        return attempts.stream().map(EnsembleAttempt::score).toList();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Scheduling scheduling(RunContext context) {
        PhaseTimeBudget budget = context.config().limits().timeBudget();
        return Scheduling.share(budget.phase3() / (budget.phase3() + budget.finalization()), new Load(0, 0));
    }

    static Load load(PipelineConfig config) {
        int rounds = config.loop().numParallelSolutions() == 1 ? 0 : config.loop().ensembleRounds();
        return new Load(3 * rounds, rounds);
    }

    @Override
    public String title() {
        return "Ensemble";
    }

    @Override
    public PhaseReport report(Phase3Result result) {
        return PhaseReport.of(result.bestEnsemble());
    }
}
