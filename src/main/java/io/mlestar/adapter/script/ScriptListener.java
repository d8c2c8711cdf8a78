package io.mlestar.adapter.script;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Execution;
import io.mlestar.core.task.Validation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntFunction;

/// What the caller of a script does while it runs and afterwards: it follows the output, may stop the script, and stores the submission.
@FunctionalInterface
public interface ScriptListener {
    /// Stores nothing and never stops a script.
    ScriptListener NONE = (name, content) -> name;

    /// @param name made from the content: the same content gets the same name
    /// @return the key under which it was stored
    String keep(String name, InputStream content);

    /// How many scripts of the same run can be running at once, this one included; asked only where there are several slots.
    default int beside() {
        return 1;
    }

    /// The script has its slot and its folder.
    default void begin() {}

    /// The process has started.
    ///
    /// @param output the last bytes of what it has printed, as many as asked for
    default void printing(IntFunction<String> output) {}

    /// Called before the script begins and again every few seconds while it runs; an exception ends the script.
    default void pulse() {}

    /// What is wrong with the form of a submission; empty if nothing is, or nothing shows the form.
    default Optional<String> wrong(Path submission) {
        return Optional.empty();
    }

    /// Keeps the files with which rows are hidden.
    ///
    /// @param folder where the survey's script left them
    /// @return its key ends with their digest
    /// @throws Invalid if they cannot be kept
    default Execution.Submission hold(Path folder) throws IOException {
        throw new Invalid("no rows can be hidden here");
    }

    /// Fills an empty folder with the data as scripts see them from which rows are hidden.
    default void show(Path view) throws IOException {
        throw new Invalid("no rows can be hidden here");
    }

    /// Scores the predictions of a script from which rows are hidden, and leaves the task's own rows in the file.
    ///
    /// @throws Invalid with what is wrong with them, for the script's author
    default Validation validate(Path predictions) throws IOException {
        throw new Invalid("no rows can be hidden here");
    }

    /// Whether the harness scores the scripts of the run: what one of them prints is no score then.
    default boolean scores() {
        return false;
    }

    /// Blends predictions.
    ///
    /// @param members a [io.mlestar.core.step.Blend.Members] as JSON
    default Execution blend(String members) {
        throw new Invalid("nothing can be blended here");
    }

    /// Compares the submission with what was scored.
    ///
    /// @param pair a [io.mlestar.core.step.SubmissionComparison.Pair] as JSON
    default Execution compare(String pair) {
        throw new Invalid("nothing can be compared here");
    }

    /// Most bytes that a submission may have.
    default long most() {
        return 256L << 20;
    }
}
