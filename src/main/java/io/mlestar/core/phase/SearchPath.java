package io.mlestar.core.phase;

import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.AttemptRecord;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Where one path of a search on whole scripts stands.
///
/// @param path its number, from 0
/// @param best its best script so far
/// @param findings on its attempts, oldest first
/// @param gainedIn how many attempts all paths had made before the round in which this one gained last; -1 if it has not
public record SearchPath(int path, SolutionScript best, List<AttemptRecord> findings, int gainedIn) {
    /// [#next] for people.
    public static final String RULE =
            "In each round every path makes an attempt. One whose last three solutions brought nothing fuses its best script with the present best "
                    + "of another path; if that brings nothing either, its attempts go to the path that gained last.";
    /// Attempts without a gain after which a path is stuck.
    private static final int PATIENCE = 3;

    public SearchPath {
        findings = List.copyOf(findings);
    }

    /// At its beginning.
    static SearchPath of(int path, SolutionScript start) {
        return new SearchPath(path, start, List.of(), -1);
    }

    /// The paths that make the next attempts, in rounds: each path makes one. A path that is stuck, with three solutions in a row that brought nothing, fuses its
    /// best script with the present best of another path. If that brings nothing either, its attempts go to the path that gained last (of those that gained in the
    /// same round, or if none has gained, to the one with the best score). The same results always lead to the same paths.
    static List<SearchPath> next(List<SearchPath> paths, RunContext context) {
        MetricDirection direction = context.task().metricDirection();
        SearchPath gained = paths.stream().max(Comparator.comparingInt(SearchPath::gainedIn)
                .thenComparing(path -> path.best().score(), direction.bestFirst().reversed()).thenComparing(SearchPath::path, Comparator.reverseOrder()))
                .orElseThrow();
        return paths.stream().map(path -> path.isGivenUp() ? gained : path).toList();
    }

    /// The script to fuse with: the present best of the other paths; empty unless the path is stuck.
    Optional<SolutionScript> partner(List<SearchPath> paths, RunContext context) {
        if (!isStuck() || isGivenUp()) {
            return Optional.empty();
        }
        return Acceptance.of(context).ranked(paths.stream().filter(other -> other.path != path).map(SearchPath::best)
                .filter(script -> !script.content().equals(best.content())).toList()).stream().findFirst();
    }

    /// Solutions since the last gain.
    private Stream<AttemptRecord> idle() {
        int last = findings.stream().map(AttemptRecord::isKept).toList().lastIndexOf(true);
        return findings.subList(last + 1, findings.size()).stream().filter(one -> !one.isStudy());
    }

    private boolean isStuck() {
        return idle().count() >= PATIENCE;
    }

    private boolean isGivenUp() {
        return isStuck() && idle().anyMatch(one -> one.fusedWith() != null);
    }

    long studies() {
        return findings.stream().filter(AttemptRecord::isStudy).count();
    }

    /// After one more attempt.
    ///
    /// @param round how many attempts all paths had made before its round
    SearchPath after(Turn.Turned turned, int round) {
        List<AttemptRecord> more = new ArrayList<>(findings);
        more.add(turned.finding());
        SolutionScript kept = turned.finding().isKept() ? turned.script() : null;
        return new SearchPath(path, kept == null ? best : kept, more, kept == null ? gainedIn : round);
    }
}
