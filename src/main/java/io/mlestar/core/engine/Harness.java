package io.mlestar.core.engine;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Execution.Submission;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.Score;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Scores the scripts of a run by rows that it hides from them. Made for one step: what it keeps
/// belongs to that.
public interface Harness {
    /// True if it scores the scripts of the run; a score that a script prints does not count then.
    boolean isScoring();

    /// The facts that the step may know of its run.
    RunContext context();

    /// The source of the task's own `split.py`, in its data or beside them; empty if there is none.
    ///
    /// @throws Invalid if it cannot be one
    Optional<String> ownSplit();

    /// Keeps the files with which rows are hidden.
    ///
    /// @param folder where the survey's script left them
    /// @return its key ends with their digest; where no score can be computed it says in `wrong`
    ///   why, and below that what a `metric.py` would see
    /// @throws Invalid if they cannot be kept
    Submission hold(Path folder) throws IOException;

    /// Keeps such files once more, with the `metric.py` that an agent wrote, if it stands all
    /// trials.
    ///
    /// @param digest of the files
    /// @param folder for them, empty
    /// @param longest that the program may take each time
    /// @throws Invalid with what is wrong, for its author
    Submission measure(String digest, String metric, Path folder, Duration longest)
            throws IOException;

    /// Fills an empty folder with the data as scripts see them from which rows are hidden.
    ///
    /// @param view as a hold-out names it
    void show(Path folder, String view) throws IOException;

    /// Scores the predictions of a script from which the rows of a fold are hidden, and leaves the
    /// task's own rows in the file.
    ///
    /// @throws Invalid with what is wrong with them, for the script's author
    Score validate(Path predictions, int fold) throws IOException;

    /// @throws Invalid if the predictions do not allow it
    <R> R compute(Arithmetic<R> arithmetic);
}
