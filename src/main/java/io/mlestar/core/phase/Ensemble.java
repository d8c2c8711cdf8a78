package io.mlestar.core.phase;

import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.Scheduling.Load;
import io.mlestar.core.step.Scheduling;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.FinalChoice;
import io.mlestar.core.task.LoopSettings;
import io.mlestar.core.task.PhaseTimeBudget;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.SearchSettings.EnsembleBy;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Algorithm 3: proposes and tries R ways to ensemble the L solutions, and returns the best of them, also where one
/// input alone scores higher. Or blends by greedy selection what the run has found.
///
/// @param library all scripts that a blend may be made of; none if none is made
public record Ensemble(List<SolutionScript> solutions, List<SolutionScript> library) implements Phase<Phase3Result> {
    public static final String NAME = "phase3";
    /// Path of the blend by greedy selection, which is no phase of its own.
    public static final String BLEND = NAME + "/blend";

    public Ensemble {
        library = library == null ? List.of() : List.copyOf(library);
    }

    /// Without a blend.
    Ensemble(List<SolutionScript> solutions) {
        this(solutions, List.of());
    }

    @Override
    public Phase3Result run(Steps steps) {
        if (solutions.size() == 1 && library.isEmpty()) {
            SolutionScript only = solutions.getFirst();
            return new Phase3Result(solutions, List.of(), List.of(), only, only.score(), List.of(), List.of());
        }
        Decision.Rival input = Acceptance.of(steps.context()).best(solutions).map(Decision.Rival::of).orElse(null);
        List<EnsembleAttempt> attempts = new ArrayList<>();
        LoopSettings loop = steps.context().config().loop();
        int rounds = rounds(steps.context().config());
        boolean stopped = false;
        while (!stopped && attempts.size() < rounds) {                                                // lines 1-8
            int before = attempts.size();
            List<String> plans = plans(attempts);
            List<Double> scores = scores(attempts);
            List<String> repairs = attempts.stream().map(EnsembleAttempt::repaired).toList();
            Batch<EnsembleAttempt> batch = Batch.of(loop.roundsAtOnce(), rounds - before, null,
                    underWay -> Round.planner(solutions, plans, scores, repairs, underWay),
                    (index, plan) -> new Round(before + index, solutions, input, plan, plans, scores, repairs), steps);
            List<Outcome<EnsembleAttempt>> ended = batch.outcomes().stream().filter(outcome -> !(outcome instanceof Outcome.Stopped)).toList();
            ended.forEach(outcome -> attempts.add(outcome.value().orElse(Round.failed("[round failed]", "the round failed"))));
            stopped = batch.isCut() || ended.size() < batch.outcomes().size();
        }
        if (!library.isEmpty() && !stopped) {
            List<SolutionScript> all = Stream.concat(library.stream(), attempts.stream().map(EnsembleAttempt::solution)).toList();
            new GreedyEnsemble(GreedyEnsemble.blendable(all)).run(steps).ifPresent(attempts::add);
            if (steps.context().config().search().isByScript() && attempts.size() > rounds) {
                Combination.of(rounds, Acceptance.of(steps.context()).ranked(solutions), library, attempts.getLast(), input)
                        .ifPresent(last -> combined(last, steps).ifPresent(attempts::add));
            }
        }
        SolutionScript best = best(attempts.stream().map(EnsembleAttempt::solution).toList(), steps) // line 9
                .or(() -> best(solutions, steps)).orElse(solutions.getFirst());
        return new Phase3Result(solutions, plans(attempts), scores(attempts), best, best.score(), attempts,
                decisions(attempts, input, best, steps.context().config())); // line 10
    }

    /// Empty if the run has to finish.
    private static Optional<EnsembleAttempt> combined(Round last, Steps steps) {
        Outcome<EnsembleAttempt> outcome = steps.outcome(last);
        return outcome instanceof Outcome.Stopped ? Optional.empty()
                : Optional.of(outcome.value().orElse(Round.failed("[round failed]", "the round failed")).of(Decision.Source.each(last.solutions())));
    }

    /// Where the final choice is made by rows of its own, Phase 3 leaves it to that.
    private List<Decision> decisions(List<EnsembleAttempt> attempts, Decision.@Nullable Rival input, SolutionScript best, PipelineConfig config) {
        int rounds = rounds(config);
        return IntStream.range(0, attempts.size()).mapToObj(r -> {
            SolutionScript tried = attempts.get(r).solution();
            boolean isLeft = config.loop().finalSolution() == FinalChoice.VERIFIED && tried.validation() != null;
            return new Decision(r == rounds ? BLEND : NAME + "/" + Round.name(Math.min(r, rounds)), tried.score(), tried.validation(),
                    r >= rounds ? attempts.get(r).members() : Decision.Source.each(solutions), input, null,
                    isLeft ? null : Boolean.valueOf(tried.equals(best)));
        }).toList();
    }

    /// The best of the scored scripts, the last one on ties (REQ-P3-025).
    private static Optional<SolutionScript> best(List<SolutionScript> scripts, Steps steps) {
        return Acceptance.of(steps.context()).best(scripts.reversed());
    }

    /// Rounds that agents plan: none where greedy selection takes their place.
    private int rounds(PipelineConfig config) {
        return solutions.size() == 1 || !library.isEmpty() && config.search().ensemble() == EnsembleBy.GREEDY ? 0 : config.loop().ensembleRounds();
    }

    /// True if no attempt was cut short.
    boolean endedAsPlanned(Phase3Result result, PipelineConfig config) {
        return result.attempts().size() >= rounds(config) + (library.isEmpty() ? 0 : 1);
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

    /// @param folds on which the harness scores each script
    static Load load(PipelineConfig config, int folds) {
        int rounds = config.loop().numParallelSolutions() == 1 ? 0 : config.loop().ensembleRounds();
        return new Load(3 * rounds, rounds * folds);
    }

    @Override
    public String title() {
        return "Ensemble";
    }

    @Override
    public PhaseReport report(Phase3Result result) {
        return PhaseReport.of(result.bestEnsemble()).deciding(result.decisions());
    }
}
