package io.mlestar.core.base;

import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Text that is put together of parts, each of which may be missing.
public final class Phrase {
    private Phrase() {}

    /// The parts that are there with the separator between them; empty if all are missing or empty.
    public static String of(String separator, @Nullable String... parts) {
        return Stream.of(parts)
                .filter(Objects::nonNull)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(separator));
    }
}
