package io.mlestar.show.view;

import io.mlestar.core.phase.InitialSolution;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.show.render.Formats;
import io.mlestar.show.render.SolutionGraph.Lot;
import io.mlestar.show.render.SolutionGraph.Node;
import io.mlestar.show.render.SolutionGraph.Stage;
import io.mlestar.show.render.SolutionGraph;
import io.mlestar.show.view.CandidateSolution.Part;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/// Which solution of a run was made of which, and which were kept: as its phases say it.
///
/// @param solutions in the order of the course
public record SolutionAncestry(List<CandidateSolution> solutions, MetricDirection direction) {
    private static final int LONGEST_PLAN = 200;
    private static final int FIRST_BLOCK = 10;
    private static final String ENSEMBLE = "Ensemble";
    private static final Comparator<CandidateSolution> COURSE = Comparator.comparing(CandidateSolution::part).thenComparingInt(CandidateSolution::block)
            .thenComparingInt(CandidateSolution::path).thenComparingInt(CandidateSolution::number);

    public SolutionAncestry {
        solutions = solutions.stream().sorted(COURSE).toList();
    }

    public List<CandidateSolution> of(Part part) {
        return solutions.stream().filter(one -> one.part() == part).toList();
    }

    /// The best single model as it came: what the run has to beat.
    public Optional<CandidateSolution> baseline() {
        return direction.best(of(Part.CANDIDATE), CandidateSolution::score);
    }

    public Optional<CandidateSolution> bestRound() {
        return direction.lastBest(of(Part.ROUND), CandidateSolution::score);
    }

    /// s_0 as far as it is known, with or without the checks after the merges; empty before any candidate has a score.
    public Optional<CandidateSolution> initial(boolean isChecked) {
        return solutions.stream().filter(one -> one.part().compareTo(isChecked ? Part.CHECKED : Part.MERGE) <= 0 && isKept(one))
                .reduce((first, second) -> second);
    }

    /// Whether it was the best of its path or phase when it was made, or what the checks made of that.
    public boolean isKept(CandidateSolution one) {
        return switch (one.part()) {
            case CANDIDATE -> baseline().filter(one::equals).isPresent();
            case MERGE -> one.score() != null && one.before() != null && direction.isImprovementOrEqual(one.score(), one.before());
            case CHECKED, FINAL -> true;
            case BLOCK -> one.score() != null && one.before() != null && direction.isImprovement(one.score(), one.before());
            case ATTEMPT -> one.improved();
            case ROUND -> bestRound().filter(one::equals).isPresent();
        };
    }

    /// @param address where the code of a step is shown
    public SolutionGraph graph(Function<StepPath, String> address) {
        Map<String, CandidateSolution> shown = new LinkedHashMap<>();
        solutions.stream().filter(one -> one.part() == Part.FINAL || one.part() != Part.BLOCK && one.state() != StepState.LEFT_OUT)
                .forEach(one -> shown.put(one.id(), one));
        Optional<CandidateSolution> last = of(Part.FINAL).stream().findFirst();
        Set<String> main = ancestors(last.or(() -> direction.best(shown.values(), CandidateSolution::score)), shown);
        return new SolutionGraph(shown.values().stream().map(one -> node(one, lot(one, main, last.isPresent()), shown.keySet(), address)).toList(), 0);
    }

    private static Set<String> ancestors(Optional<CandidateSolution> of, Map<String, CandidateSolution> shown) {
        Set<String> found = new HashSet<>();
        Deque<CandidateSolution> open = new ArrayDeque<>(of.stream().toList());
        while (!open.isEmpty()) {
            CandidateSolution next = open.pop();
            if (found.add(next.id())) {
                next.from().stream().flatMap(id -> Stream.ofNullable(shown.get(id))).forEach(open::add);
            }
        }
        return found;
    }

    private Lot lot(CandidateSolution one, Set<String> main, boolean isEnded) {
        return one.part() == Part.FINAL ? Lot.FINAL : main.contains(one.id()) ? isEnded ? Lot.LINEAGE : Lot.LEADING : isKept(one) ? Lot.KEPT
                : one.state() == StepState.RUNNING ? Lot.OPEN : one.score() == null ? Lot.FAILED : Lot.DROPPED;
    }

    private static Node node(CandidateSolution one, Lot lot, Set<String> shown, Function<StepPath, String> address) {
        boolean isFinal = one.part() == Part.FINAL;
        return new Node(one.id(), address.apply(one.step()), stage(one), one.number(), one.path(), chapter(one), isFinal ? "Final script" : one.title(),
                isFinal ? "" : Formats.line(one.plan(), LONGEST_PLAN), isFinal ? one.before() : one.score(), lot,
                one.from().stream().filter(shown::contains).toList());
    }

    private static Stage stage(CandidateSolution one) {
        return switch (one.part()) {
            case CANDIDATE -> new Stage(0, "Models");
            case MERGE -> new Stage(1, "Merges");
            case CHECKED -> new Stage(2, "Checks");
            case BLOCK, ATTEMPT -> new Stage(FIRST_BLOCK + one.block(), "Block " + one.block());
            case ROUND -> new Stage(Integer.MAX_VALUE - 1, ENSEMBLE);
            case FINAL -> new Stage(Integer.MAX_VALUE, "Final");
        };
    }

    private static String chapter(CandidateSolution one) {
        return switch (one.part()) {
            case CANDIDATE, MERGE, CHECKED -> new InitialSolution().title();
            case BLOCK, ATTEMPT -> "Path " + one.path() + ", block " + one.block();
            case ROUND -> ENSEMBLE;
            case FINAL -> "";
        };
    }
}
