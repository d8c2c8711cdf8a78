package io.mlestar.core.step;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What lies in a task's data, as a program of ours told it after looking: files, tables with their columns, the likely target, images,
/// sounds. It quotes names and values that nobody has read; how they are kept harmless, whoever reads it says.
///
/// @param lines empty if nobody looked, or what was found could not be read
/// @param missing why there is none though somebody was to look, without any word of the data; null if there is one, or nobody was to look
public record DataCard(List<String> lines, @Nullable String missing) {
    public static final DataCard NONE = new DataCard(List.of(), null);

    public DataCard {
        lines = lines == null ? List.of() : List.copyOf(lines);
    }

    public static DataCard of(List<String> lines) {
        return new DataCard(lines, null);
    }

    /// Whether there is something to tell.
    public boolean isKnown() {
        return !lines.isEmpty();
    }

    /// What to know before models are paid that know nothing of the data; empty if all is well.
    Optional<String> warning() {
        return Optional.ofNullable(missing).map(why -> "the agents are told nothing of the data, since the program that looks at them " + why
                + ": mlestar data card DIR tries it again; data_card: false does without");
    }
}
