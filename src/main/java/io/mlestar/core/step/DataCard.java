package io.mlestar.core.step;

import io.mlestar.core.base.Invalid;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The task's data as reported by the survey script: files, tables with their columns, the likely
/// target, images, sounds. It quotes untrusted names and values, which its reader has escaped.
///
/// @param lines empty if there was no survey of the data, or its output could not be read
/// @param missing why a survey of the data gave nothing, without any word of the data; null if it
///   gave something, or there was none
public record DataCard(List<String> lines, @Nullable String missing) {
    public static final DataCard NONE = new DataCard(List.of());

    public DataCard {
        lines = Invalid.optional(lines);
    }

    public DataCard(List<String> lines) {
        this(lines, null);
    }

    public boolean isKnown() {
        return !lines.isEmpty();
    }

    /// A warning before models are paid that know nothing of the data; empty if all is well.
    Optional<String> warning() {
        return Optional.ofNullable(missing)
                .map(why -> "the agents are told nothing of the data, since the program that looks at them "
                        + why
                        + ": mlestar data card DIR tries it again; data_card: false does without");
    }
}
