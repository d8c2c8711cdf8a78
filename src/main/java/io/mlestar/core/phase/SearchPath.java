package io.mlestar.core.phase;

import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.AttemptRecord;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The state of one path of a search on whole scripts.
///
/// @param path its number, from 0
/// @param best its best script so far
/// @param findings on its attempts, oldest first
/// @param risen the script of its last gain that is no noise: better than the one before by more
///   than twice its error, however many attempts led there
/// @param risenAfter how many of its attempts there were by then
/// @param gainedIn how many attempts all paths had made before the round of that gain; -1 if there
///   was none
/// @param study script of its last attempt, if that was a study: the next may go on with its code;
///   null if it was none
public record SearchPath(
        int path,
        SolutionScript best,
        List<AttemptRecord> findings,
        SolutionScript risen,
        int risenAfter,
        int gainedIn,
        @Nullable String study) {
    /// Solutions without a gain after which a path is stuck.
    private static final int PATIENCE = 3;

    public SearchPath {
        findings = List.copyOf(findings);
    }

    /// At its beginning.
    static SearchPath of(int path, SolutionScript start) {
        return new SearchPath(path, start, List.of(), start, 0, -1, null);
    }

    /// The paths that make the next attempts, in rounds: each path makes one. A path that is stuck,
    /// with three solutions in a row without a gain beyond noise, fuses its best script with the
    /// present best of another path. If that brings none either, its attempts go to the path that
    /// gained last (of those that gained in the same round, to the one with the best score). The
    /// same results always lead to the same paths.
    ///
    /// @return none once no path gains any more: what the search still found would be noise
    static List<SearchPath> next(List<SearchPath> paths, RunContext context) {
        MetricDirection direction = context.direction();
        Comparator<SearchPath> byLastGain = Comparator.comparingInt(SearchPath::gainedIn)
                .thenComparing(path -> path.best().score().value(),
                        direction.bestFirst().reversed())
                .thenComparing(SearchPath::path, Comparator.reverseOrder());
        Optional<SearchPath> gained =
                paths.stream().filter(path -> !path.isGivenUp()).max(byLastGain);
        return gained
                .map(last -> paths.stream().map(path -> path.isGivenUp() ? last : path).toList())
                .orElse(List.of());
    }

    /// The script to fuse with: the present best of the other paths; empty unless the path is
    /// stuck.
    Optional<SolutionScript> partner(List<SearchPath> paths, RunContext context) {
        if (idle() != PATIENCE) {
            return Optional.empty();
        }
        List<SolutionScript> others = paths.stream()
                .filter(other -> other.path != path)
                .map(SearchPath::best)
                .filter(script -> !script.content().equals(best.content()))
                .toList();
        return Acceptance.of(context).best(others);
    }

    /// Counts the solutions since its last gain beyond noise.
    private long idle() {
        return findings.subList(risenAfter, findings.size())
                .stream()
                .filter(one -> !one.isStudy())
                .count();
    }

    private boolean isGivenUp() {
        return idle() > PATIENCE;
    }

    long studies() {
        return findings.stream().filter(AttemptRecord::isStudy).count();
    }

    /// After one more attempt.
    ///
    /// @param round how many attempts all paths had made before its round
    SearchPath after(ScriptAttempt.Result turned, int round, Acceptance acceptance) {
        List<AttemptRecord> more = new ArrayList<>(findings);
        more.add(turned.finding());
        SolutionScript kept =
                turned.finding().isKept() && turned.script() != null ? turned.script() : best;
        if (kept.score().surelyBeats(risen.score(), acceptance.direction())) {
            return new SearchPath(path, kept, more, kept, more.size(), round, turned.study());
        }
        return new SearchPath(path, kept, more, risen, risenAfter, gainedIn, turned.study());
    }
}
