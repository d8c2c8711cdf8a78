package io.mlestar.step;

import java.util.List;

/// What lies in a task's data, as a program of ours told it after looking: files, tables with their columns, the likely target, images,
/// sounds. It quotes names and values that nobody has read; how they are kept harmless, whoever reads it says.
///
/// @param lines empty if nobody looked, or what was found could not be read
public record DataCard(List<String> lines) {
    public static final DataCard NONE = new DataCard(List.of());

    public DataCard {
        lines = lines == null ? List.of() : List.copyOf(lines);
    }

    /// Whether there is something to tell.
    public boolean isKnown() {
        return !lines.isEmpty();
    }
}
