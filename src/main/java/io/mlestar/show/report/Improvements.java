package io.mlestar.show.report;

import io.mlestar.core.phase.Attempt;
import io.mlestar.core.phase.Candidate;
import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.phase.InitialSolution;
import io.mlestar.core.phase.Merge;
import io.mlestar.core.phase.OuterStep;
import io.mlestar.core.phase.Refinement;
import io.mlestar.core.phase.Round;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.show.render.Formats;
import io.mlestar.show.view.StepView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The way of a run from single models to the final script: what each part gained, and what it cost.
///
/// @param candidates one per retrieved model
/// @param merges of candidates, in their order
/// @param checked s_0 after the data and leakage agents; null if they changed nothing, or their version did not run
/// @param blocks refined, by path and outer step
/// @param rounds of the ensemble
record Improvements(List<Improvement> candidates, List<Improvement> merges, @Nullable Improvement checked, List<RefinedBlock> blocks,
        List<Improvement> rounds) {
    private static final int PLAN = 600;

    /// Something that was tried.
    ///
    /// @param step its path, with the run
    /// @param title of its phase
    /// @param plan of a planner, or a model's name; clipped
    /// @param score null if it failed
    /// @param cost null if a price is unknown
    record Improvement(String step, String title, int number, String plan, @Nullable Double score, @Nullable Double cost, double seconds) {}

    /// An outer step of Algorithm 2.
    ///
    /// @param before best score of the path before it
    /// @param after best score of the path after it; null if the step failed
    /// @param attempts in their order
    /// @param winner number of the attempt that is kept; -1 if none is
    record RefinedBlock(int path, Improvement whole, double before, @Nullable Double after, List<Improvement> attempts, int winner, boolean skipped) {
        String title() {
            return "Path " + path + ", " + whole.title().toLowerCase(Locale.ROOT);
        }

        double gain(MetricDirection direction) {
            return after == null ? 0 : direction.gain(after, before);
        }
    }

    /// The best single model as it came: what the run has to beat.
    Optional<Improvement> baseline(MetricDirection direction) {
        return direction.best(candidates, Improvement::score);
    }

    /// Takes in the steps of a run, phases before what is in them.
    static final class ImprovementCollector {
        private final List<Improvement> candidates = new ArrayList<>();
        private final List<Improvement> merges = new ArrayList<>();
        private final List<RefinedBlock> blocks = new ArrayList<>();
        private final List<Improvement> attempts = new ArrayList<>();
        private final List<Improvement> rounds = new ArrayList<>();
        private final Map<StepPath, Integer> paths = new HashMap<>();
        private @Nullable Improvement checked;

        void add(StepView step) {
            if (step.step() instanceof Refinement refinement) {
                paths.put(step.known().place(), refinement.path());
            }
            if (step.result().isEmpty()) {
                return;
            }
            switch (step.step()) {
                case Candidate candidate -> candidates.add(improvement(step, candidate, candidate.index(), candidate.model().modelName()));
                case Merge merge -> merges.add(improvement(step, merge, merge.index(), ""));
                case Evaluation evaluation when step.isAskedBy(InitialSolution.class) && step.score() != null -> checked = improvement(step, evaluation, 0, "");
                case OuterStep outer -> blocks.add(block(step, outer));
                case Attempt attempt -> attempts.add(improvement(step, attempt, attempt.k(), plan(step)));
                case Round round -> rounds.add(improvement(step, round, round.r(), plan(step)));
                default -> {}
            }
        }

        private static String plan(StepView step) {
            return step.found() instanceof StepView.Returned<?> returned ? returned.report().summary() : "";
        }

        private RefinedBlock block(StepView step, OuterStep outer) {
            int path = step.path().parent().map(paths::get).orElse(0);
            if (!(step.found() instanceof StepView.Returned<?>(var phase, OuterStep.Stepped stepped))) {
                return new RefinedBlock(path, improvement(step, outer, outer.t(), ""), outer.best(), null, List.of(), -1, false);
            }
            int winner = -1;
            for (int k = 0; k < stepped.record().innerLoopAttempts().size(); k++) {
                winner = stepped.record().innerLoopAttempts().get(k).wasImprovement() ? k : winner;
            }
            String plan = winner < 0 ? stepped.record().plan() : stepped.record().innerLoopAttempts().get(winner).plan();
            return new RefinedBlock(path, improvement(step, outer, outer.t(), plan), outer.best(), step.score(), List.of(), winner,
                    stepped.record().wasSkipped());
        }

        private static Improvement improvement(StepView step, Phase<?> phase, int number, String plan) {
            return new Improvement(step.path().toString(), phase.title(), number, Formats.line(plan, PLAN), step.score(), step.result().orElseThrow().costUsd(),
                    step.seconds());
        }

        Improvements improvements() {
            Map<String, List<Improvement>> byBlock = sorted(attempts).stream()
                    .collect(Collectors.groupingBy(one -> one.step().substring(0, one.step().lastIndexOf('/'))));
            List<RefinedBlock> whole = blocks.stream().map(block -> new RefinedBlock(block.path(), block.whole(), block.before(), block.after(),
                    byBlock.getOrDefault(block.whole().step(), List.of()), block.winner(), block.skipped()))
                    .sorted(Comparator.comparingInt(RefinedBlock::path).thenComparingInt(block -> block.whole().number())).toList();
            return new Improvements(sorted(candidates), sorted(merges), checked, whole, sorted(rounds));
        }

        private static List<Improvement> sorted(List<Improvement> unsorted) {
            return unsorted.stream().sorted(Comparator.comparingInt(Improvement::number)).toList();
        }
    }
}
