package io.mlestar.core.phase;

import java.util.Arrays;
import java.util.Optional;

/// Finds a code block that an agent copied out of a script.
public final class Blocks {
    private Blocks() {}

    /// The block as it stands in the script: exactly (REQ-P2O-017), or but for white space at the ends of lines (REQ-P2O-018).
    public static Optional<String> locate(String block, String script) {
        if (block.isBlank()) {
            return Optional.empty();
        }
        if (script.contains(block)) {
            return Optional.of(block);
        }
        String[] wanted = lines(block.stripTrailing());
        String[] lines = script.split("\n", -1);
        String[] stripped = lines(script);
        for (int at = 0; at + wanted.length <= lines.length; at++) {
            if (Arrays.equals(stripped, at, at + wanted.length, wanted, 0, wanted.length)) {
                return Optional.of(String.join("\n", Arrays.copyOfRange(lines, at, at + wanted.length)));
            }
        }
        return Optional.empty();
    }

    private static String[] lines(String text) {
        return Arrays.stream(text.split("\n", -1)).map(String::stripTrailing).toArray(String[]::new);
    }
}
