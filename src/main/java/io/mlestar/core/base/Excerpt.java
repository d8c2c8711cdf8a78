package io.mlestar.core.base;

import org.jspecify.annotations.Nullable;

/// Texts of any length, cut for a message.
public final class Excerpt {
    private Excerpt() {}

    /// One line of at most `length` characters; empty for no text.
    public static String line(@Nullable String text, int length) {
        return text == null ? "" : clip(text.strip().replaceAll("\\s+", " "), length);
    }

    /// At most `length` characters, and `…` in place of the rest.
    public static String clip(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
        return text.substring(0, end) + "…";
    }
}
