package io.mlestar.show.view;

import io.mlestar.core.phase.InitialSolution;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Score;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The solutions of a run: of which others each was made, and which were kept, as its phases
/// decided. Nothing is compared here.
///
/// @param solutions in the order of the course
public record SolutionAncestry(List<CandidateSolution> solutions, MetricDirection direction) {
    private static final int LONGEST_PLAN = 200;
    private static final int FIRST_BLOCK = 10;
    private static final String ENSEMBLE = "Ensemble";
    private static final Comparator<CandidateSolution> COURSE =
            Comparator.comparing(CandidateSolution::part)
                    .thenComparingInt(CandidateSolution::block)
                    .thenComparingInt(CandidateSolution::path)
                    .thenComparingInt(CandidateSolution::number);

    public SolutionAncestry {
        solutions = solutions.stream().sorted(COURSE).toList();
    }

    public List<CandidateSolution> of(Part part) {
        return solutions.stream().filter(one -> one.part() == part).toList();
    }

    /// The model that the run began with, as it came: what it has to beat. Empty before that is
    /// decided.
    public Optional<CandidateSolution> bestModel() {
        return of(Part.CANDIDATE).stream().filter(this::isKept).findFirst();
    }

    /// The ensemble that counts; empty if none does, or that is not decided yet.
    public Optional<CandidateSolution> ensemble() {
        return of(Part.ROUND).stream().filter(this::isKept).reduce((first, second) -> second);
    }

    /// s_0 as far as it is known; empty before the run has begun with a candidate.
    public Optional<CandidateSolution> initial() {
        return solutions.stream()
                .filter(one -> one.part().compareTo(Part.CHECKED) <= 0 && isKept(one))
                .reduce((first, second) -> second);
    }

    /// True if its phase accepted it; where that is not known, if the run went on with it.
    public boolean isKept(CandidateSolution one) {
        return one.part() == Part.FINAL || (one.accepted() != null
                ? one.accepted()
                : solutions.stream()
                        .flatMap(next -> next.comparedWith().stream())
                        .anyMatch(rival -> one.id().equals(rival.step())));
    }

    /// @param address where the code of a step is shown
    public SolutionGraph graph(Function<StepPath, String> address) {
        Map<String, CandidateSolution> shown = new LinkedHashMap<>();
        solutions.stream()
                .filter(one -> one.part() == Part.FINAL
                        || one.part() != Part.BLOCK && one.state() != StepState.SKIPPED)
                .forEach(one -> shown.put(one.id(), one));
        Optional<CandidateSolution> last = of(Part.FINAL).stream().findFirst();
        Set<String> main = ancestors(last.isPresent() ? last.stream().toList() : heads(), shown);
        return new SolutionGraph(shown.values()
                .stream()
                .map(one -> node(one, lot(one, main, last.isPresent()), shown.keySet(), address))
                .toList(), 0);
    }

    /// The kept solutions that no other kept one has replaced: from these the search goes on.
    private List<CandidateSolution> heads() {
        List<CandidateSolution> kept = solutions.stream().filter(this::isKept).toList();
        Set<String> replaced = kept.stream()
                .flatMap(one -> Stream.concat(one.from().stream(),
                        one.comparedWith()
                                .stream()
                                .flatMap(other -> Stream.ofNullable(other.step()))))
                .collect(Collectors.toSet());
        return kept.stream().filter(one -> !replaced.contains(one.id())).toList();
    }

    private static Set<String> ancestors(
            List<CandidateSolution> of,
            Map<String, CandidateSolution> shown) {
        Set<String> found = new HashSet<>();
        Deque<CandidateSolution> open = new ArrayDeque<>(of);
        while (!open.isEmpty()) {
            CandidateSolution next = open.pop();
            if (found.add(next.id())) {
                next.from()
                        .stream()
                        .flatMap(id -> Stream.ofNullable(shown.get(id)))
                        .forEach(open::add);
            }
        }
        return found;
    }

    private Lot lot(CandidateSolution one, Set<String> main, boolean isEnded) {
        if (one.part() == Part.FINAL) {
            return Lot.FINAL;
        }
        if (main.contains(one.id())) {
            return isEnded ? Lot.LINEAGE : Lot.LEADING;
        }
        if (isKept(one)) {
            return Lot.KEPT;
        }
        if (one.state() == StepState.RUNNING) {
            return Lot.OPEN;
        }
        if (one.score().equals(Score.NONE)) {
            return Lot.FAILED;
        }
        boolean isUndecided = one.accepted() == null && !isEnded;
        return isUndecided && !one.score().isLost() ? Lot.OPEN : Lot.DROPPED;
    }

    private static Node node(
            CandidateSolution one,
            Lot lot,
            Set<String> shown,
            Function<StepPath, String> address) {
        boolean isFinal = one.part() == Part.FINAL;
        return new Node(one.id(), address.apply(one.step()), stage(one), one.number(), one.path(),
                chapter(one), isFinal ? "Final script" : one.title(),
                isFinal ? "" : Formats.line(one.plan(), LONGEST_PLAN),
                one.comparedWith()
                        .filter(_ -> isFinal)
                        .map(Rival::score)
                        .orElse(one.score())
                        .value(),
                lot, one.from().stream().filter(shown::contains).toList());
    }

    private static Stage stage(CandidateSolution one) {
        return switch (one.part()) {
            case CANDIDATE -> new Stage(0, "Models");
            case MERGE -> new Stage(1, "Merges");
            case CHECKED -> new Stage(2, "Checks");
            case BLOCK, ATTEMPT -> new Stage(FIRST_BLOCK + one.block(), "Block " + one.block());
            case TURN -> new Stage(FIRST_BLOCK + one.block(), "Attempts " + (one.block() + 1));
            case ROUND -> new Stage(Integer.MAX_VALUE - 1, ENSEMBLE);
            case FINAL -> new Stage(Integer.MAX_VALUE, "Final");
        };
    }

    private static String chapter(CandidateSolution one) {
        return switch (one.part()) {
            case CANDIDATE, MERGE, CHECKED -> new InitialSolution().title();
            case BLOCK, ATTEMPT -> "Path " + one.path() + ", block " + one.block();
            case TURN -> "Path " + one.path();
            case ROUND -> ENSEMBLE;
            case FINAL -> "";
        };
    }
}
