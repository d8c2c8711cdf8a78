package io.mlestar.adapter.script;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntFunction;

/// The caller of a script, while the script runs and afterwards: follows the output, may stop the
/// script, and stores the submission.
@FunctionalInterface
public interface ScriptListener {
    /// Stores nothing and never stops a script.
    ScriptListener NONE = (name, content) -> name;

    /// @param name made from the content: the same content gets the same name
    /// @return the key under which it was stored
    String keep(String name, InputStream content);

    /// The number of scripts of the same run that can run at once, this one included; asked only if
    /// there are several slots.
    default int beside() {
        return 1;
    }

    /// The script has its slot and its folder.
    default void begin() {}

    /// The process has started.
    ///
    /// @param output the last bytes of what it has printed, as many as asked for
    default void printing(IntFunction<String> output) {}

    /// Called before the script begins and again every few seconds while it runs; an exception ends
    /// the script.
    default void pulse() {}

    /// Says what is wrong with the form of a submission; empty if nothing is, or nothing shows the
    /// form.
    default Optional<String> wrong(Path submission) {
        return Optional.empty();
    }

    /// Most bytes that a submission may have.
    default long most() {
        return 256L << 20;
    }
}
