package io.mlestar.show.view;

import io.mlestar.core.phase.InitialSolution;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.show.render.SolutionGraph.Lot;
import io.mlestar.show.render.SolutionGraph.Node;
import io.mlestar.show.render.SolutionGraph.Stage;
import io.mlestar.show.render.SolutionGraph;
import io.mlestar.show.view.CandidateSolution.Part;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which solution was made of which, by the rules of the paper's Algorithms 1 to 3: a pure function from what was tried to a graph.
public final class SolutionAncestry {
    private static final int FIRST_BLOCK = 10;
    private static final Stage MODELS = new Stage(0, "Models");
    private static final Stage MERGES = new Stage(1, "Merges");
    private static final Stage CHECKS = new Stage(2, "Checks");
    private static final Stage ENSEMBLE = new Stage(Integer.MAX_VALUE - 1, "Ensemble");
    private static final Stage FINAL = new Stage(Integer.MAX_VALUE, "Final");
    private static final Comparator<CandidateSolution> COURSE = Comparator.comparing(CandidateSolution::part).thenComparingInt(CandidateSolution::block)
            .thenComparingInt(CandidateSolution::path).thenComparingInt(CandidateSolution::number);

    private final List<CandidateSolution> tried;
    private final MetricDirection direction;
    private final Function<StepPath, String> address;
    private final Map<StepPath, List<StepPath>> parents = new HashMap<>();
    private final Set<StepPath> kept = new HashSet<>();
    /// The best of each path so far.
    private final Map<Integer, CandidateSolution> tips = new TreeMap<>();

    private SolutionAncestry(List<CandidateSolution> tried, MetricDirection direction, Function<StepPath, String> address) {
        this.tried = tried.stream().sorted(COURSE).toList();
        this.direction = direction;
        this.address = address;
    }

    /// @param address where the code of a step is shown
    public static SolutionGraph graph(SolutionHistory.Seen found, MetricDirection direction, Function<StepPath, String> address) {
        return new SolutionAncestry(found.tried(), direction, address).graph(found.last());
    }

    private List<CandidateSolution> of(Part part) {
        return tried.stream().filter(one -> one.part() == part).toList();
    }

    private SolutionGraph graph(Optional<CandidateSolution.Last> last) {
        CandidateSolution initial = initial();
        refined(initial);
        List<CandidateSolution> inputs = tips.isEmpty() ? Stream.ofNullable(initial).toList() : List.copyOf(tips.values());
        List<CandidateSolution> rounds = of(Part.ROUND);
        rounds.forEach(round -> parents.put(round.step(), inputs.stream().map(CandidateSolution::step).distinct().toList()));
        Optional<CandidateSolution> round = direction.lastBest(rounds, CandidateSolution::score);
        round.ifPresent(best -> kept.add(best.step()));

        Optional<StepPath> chosen = last.flatMap(script -> script.ensembled() ? round : direction.lastBest(inputs, CandidateSolution::score))
                .map(CandidateSolution::step);
        Set<StepPath> main = ancestors(chosen.or(() -> last.isPresent() ? Optional.empty()
                : direction.best(tried, CandidateSolution::score).map(CandidateSolution::step)));
        List<Node> nodes = new ArrayList<>(tried.stream().map(one -> node(one, main, last.isPresent())).toList());
        last.ifPresent(script -> nodes.add(new Node(script.step().toString(), address.apply(script.step()), FINAL, 0, 0, "", "Final script", "",
                script.score(), Lot.FINAL, chosen.stream().map(StepPath::toString).toList())));
        return new SolutionGraph(nodes, 0);
    }

    /// Algorithm 1, lines 6 to 17, and the checks after it.
    ///
    /// @return s_0 as far as it is known; null before any candidate has a score
    private @Nullable CandidateSolution initial() {
        List<CandidateSolution> ranked = of(Part.CANDIDATE).stream().filter(one -> one.score() != null)
                .sorted(Comparator.comparing(CandidateSolution::score, direction.bestFirst())).toList();
        CandidateSolution tip = ranked.isEmpty() ? null : keep(ranked.getFirst());
        for (CandidateSolution merge : of(Part.MERGE)) {
            List<StepPath> made = new ArrayList<>(Stream.ofNullable(tip).map(CandidateSolution::step).toList());
            if (merge.number() < ranked.size()) {
                made.add(ranked.get(merge.number()).step());
            }
            parents.put(merge.step(), made);
            boolean better = merge.score() != null && tip != null && direction.isImprovementOrEqual(merge.score(), Objects.requireNonNull(tip.score()));
            tip = better ? keep(merge) : tip;
        }
        for (CandidateSolution checked : of(Part.CHECKED)) {
            parents.put(checked.step(), Stream.ofNullable(tip).map(CandidateSolution::step).toList());
            tip = keep(checked);
        }
        return tip;
    }

    /// Algorithm 2: the attempts of a block all begin with what the block began with; the last that was better is the best of the path.
    private void refined(@Nullable CandidateSolution initial) {
        Map<Integer, Integer> blocks = new HashMap<>();
        Map<Integer, CandidateSolution> starts = new HashMap<>();
        for (CandidateSolution attempt : of(Part.ATTEMPT)) {
            if (initial != null) {
                tips.putIfAbsent(attempt.path(), initial);
            }
            Integer block = blocks.put(attempt.path(), attempt.block());
            if ((block == null || block != attempt.block()) && tips.containsKey(attempt.path())) {
                starts.put(attempt.path(), tips.get(attempt.path()));
            }
            parents.put(attempt.step(), Stream.ofNullable(starts.get(attempt.path())).map(CandidateSolution::step).toList());
            if (attempt.better()) {
                tips.put(attempt.path(), keep(attempt));
            }
        }
    }

    private CandidateSolution keep(CandidateSolution solution) {
        kept.add(solution.step());
        return solution;
    }

    private Set<StepPath> ancestors(Optional<StepPath> of) {
        Set<StepPath> found = new HashSet<>();
        Deque<StepPath> open = new ArrayDeque<>(of.stream().toList());
        while (!open.isEmpty()) {
            StepPath next = open.pop();
            if (found.add(next)) {
                open.addAll(parents.getOrDefault(next, List.of()));
            }
        }
        return found;
    }

    private Node node(CandidateSolution one, Set<StepPath> main, boolean ended) {
        Lot lot = main.contains(one.step()) ? ended ? Lot.LINEAGE : Lot.LEADING : kept.contains(one.step()) ? Lot.KEPT
                : one.open() ? Lot.OPEN : one.score() == null ? Lot.FAILED : Lot.DROPPED;
        return new Node(one.step().toString(), address.apply(one.step()), stage(one), one.number(), one.path(), chapter(one), one.title(), one.says(),
                one.score(), lot, parents.getOrDefault(one.step(), List.of()).stream().map(StepPath::toString).toList());
    }

    private static Stage stage(CandidateSolution one) {
        return switch (one.part()) {
            case CANDIDATE -> MODELS;
            case MERGE -> MERGES;
            case CHECKED -> CHECKS;
            case ATTEMPT -> new Stage(FIRST_BLOCK + one.block(), "Block " + one.block());
            case ROUND -> ENSEMBLE;
        };
    }

    private static String chapter(CandidateSolution one) {
        return switch (one.part()) {
            case CANDIDATE, MERGE, CHECKED -> new InitialSolution().title();
            case ATTEMPT -> "Path " + one.path() + ", block " + one.block();
            case ROUND -> ENSEMBLE.name();
        };
    }
}
