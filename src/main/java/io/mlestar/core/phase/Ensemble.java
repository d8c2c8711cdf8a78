package io.mlestar.core.phase;

import io.mlestar.core.base.Json;
import io.mlestar.core.step.Blend;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Scheduling.Load;
import io.mlestar.core.step.Scheduling;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.LoopSettings;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PhaseTimeBudget;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.SearchSettings.EnsembleBy;
import io.mlestar.core.task.SearchSettings.ValidationBy;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Algorithm 3: proposes and tries R ways to ensemble the L solutions, and returns the best of them, also where one
/// input alone scores higher. With `ensemble: greedy` or `both` the harness blends predictions, too.
///
/// @param pool all that scored in the run, for the blend; empty without one
public record Ensemble(List<SolutionScript> solutions, List<SolutionScript> pool) implements Phase<Phase3Result> {
    static final String NAME = "phase3";
    /// Begins the plan of a blend.
    private static final String BLEND = "greedy blend: ";

    public Ensemble {
        pool = pool == null ? List.of() : List.copyOf(pool);
    }

    /// Without a blend.
    public Ensemble(List<SolutionScript> solutions) {
        this(solutions, List.of());
    }

    @Override
    public Phase3Result run(Steps steps) {
        MetricDirection direction = steps.context().task().metricDirection();
        if (solutions.size() == 1 && pool.isEmpty()) {
            SolutionScript only = solutions.getFirst();
            return new Phase3Result(solutions, List.of(), List.of(), only, only.score(), List.of());
        }
        List<EnsembleAttempt> attempts = new ArrayList<>();
        LoopSettings loop = steps.context().config().loop();
        int rounds = rounds(steps.context().config(), !pool.isEmpty());
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
        if (!stopped && !pool.isEmpty()) {
            blended(steps).ifPresent(attempts::add);
        }
        SolutionScript best = best(attempts.stream().map(EnsembleAttempt::solution).toList(), direction) // line 9
                .or(() -> best(solutions, direction)).orElse(solutions.getFirst());
        return new Phase3Result(solutions, plans(attempts), scores(attempts), best, best.score(), attempts); // line 10
    }

    /// Rounds that agents plan.
    ///
    /// @param blends whether there are predictions to blend
    static int rounds(PipelineConfig config, boolean blends) {
        return config.loop().numParallelSolutions() == 1 || blends && config.search().ensemble() == EnsembleBy.GREEDY ? 0 : config.loop().ensembleRounds();
    }

    /// One script that blends the selected ones; empty if no blend could be made.
    private Optional<EnsembleAttempt> blended(Steps steps) {
        List<String> predictions = pool.stream().map(script -> Objects.requireNonNull(script.validation()).predictions()).toList();
        RunScript step = new RunScript(Json.text(new Blend.Members(predictions)), RunScript.Kind.BLEND,
                steps.context().config().limits().solutionTimeoutSeconds(), steps.context().holdoutDigest());
        if (!(steps.outcome(step) instanceof Outcome.Done<Execution>(Execution.Scored ran))) {
            return Optional.empty();
        }
        Blend blend = Json.readStrictly(Json.parse(ran.evaluation().stdout()), Blend.class);
        String plan = IntStream.range(0, pool.size()).filter(i -> blend.weights().get(i) > 0)
                .mapToObj(i -> blend.weights().get(i) + " × " + pool.get(i).step()).collect(Collectors.joining(", ", BLEND, ""));
        double seconds = IntStream.range(0, pool.size()).filter(i -> blend.weights().get(i) > 0)
                .mapToDouble(i -> Objects.requireNonNullElse(pool.get(i).durationSeconds(), 0.0)).sum();
        SolutionScript script = SolutionScript.unscored(BlendScript.of(blend, pool, ran.score()), SolutionPhase.ENSEMBLE).scored(ran.score()).ranFor(seconds)
                .validated(ran.evaluation().validation()).by(NAME + "/" + step.name());
        return Optional.of(new EnsembleAttempt(plan, ran.score(), script, null, null));
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
        int rounds = rounds(config, config.search().validation() == ValidationBy.HARNESS);
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
