package io.mlestar.core.step;

import io.mlestar.core.task.SolutionScript;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A part of the algorithm, run by replay: ordinary sequential code that knows no clock, no I/O and no randomness,
/// and computes the same each time from the record's fields and the outcomes of its steps. What people are told of a phase, it tells itself.
///
/// @param <R> what it gives back
public non-sealed interface Phase<R> extends Step<R> {
    R run(Steps steps);

    /// The record type that a stored result is read back into.
    Class<R> resultType();

    /// Share of the time that is left for the run when the phase is requested; when it is used up nothing in it begins any more, and
    /// what runs is ended (REQ-OR-025, REQ-OR-026).
    default double timeShare(Brief brief) {
        return 1.0;
    }

    /// How many phases like this one are under way at once, itself included: their scripts share the machine.
    default int sideBySide(Brief brief) {
        return 1;
    }

    /// Whether the run makes its submission in it: then it goes on in spite of wishes, and a little beyond the deadline, and
    /// time and money are kept for it (REQ-OR-030).
    default boolean essential() {
        return false;
    }

    /// What people call it.
    String title();

    /// Which part of the whole it is, for those who look at a run from afar. Parallel phases may be one part.
    default String part() {
        return name();
    }

    /// Whether it is run for a score: without one it has failed, though it ended well.
    default boolean isScored() {
        return false;
    }

    /// The script that it gave; null if it gave none.
    default @Nullable SolutionScript solution(R result) {
        return null;
    }

    /// The score of what it gave; null if that has none.
    default @Nullable Double score(R result) {
        SolutionScript solution = solution(result);
        return solution == null ? null : solution.score();
    }

    /// The score that its own is compared with; null if there is none.
    default @Nullable Double scoreBefore() {
        return null;
    }

    /// Whether what it gave is at least as good as the best before it.
    default boolean improved(R result) {
        return false;
    }

    /// What it did, in a line: a plan, a model, what went wrong. Empty if there is nothing to say.
    default String summary(R result) {
        return "";
    }

    /// What it changed, to be shown as a difference; null if there is nothing to compare.
    default @Nullable Revision revision(R result) {
        return null;
    }

    /// The texts of what it gave that people read.
    ///
    /// @return those that are blank are not shown
    default Map<PhaseText, String> texts(R result) {
        SolutionScript solution = solution(result);
        return solution == null ? Map.of() : Map.of(PhaseText.SCRIPT, solution.content());
    }
}
