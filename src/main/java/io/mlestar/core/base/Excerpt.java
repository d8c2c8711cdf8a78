package io.mlestar.core.base;

import org.jspecify.annotations.Nullable;

/// Texts of any length, cut for a message.
public final class Excerpt {
    private Excerpt() {}

    /// One line of at most `length` characters; empty for no text.
    public static String line(@Nullable String text, int length) {
        return clip(inOneLine(text), length);
    }

    private static String inOneLine(@Nullable String text) {
        return text == null ? "" : text.strip().replaceAll("\\s+", " ");
    }

    /// One line of at most `length` characters that ends with a sentence; within a sentence, after
    /// a word and with `…`, where the first is longer.
    public static String sentences(@Nullable String text, int length) {
        String line = inOneLine(text);
        if (line.length() <= length) {
            return line;
        }
        int end = Math.max(line.lastIndexOf(". ", length - 1), line.lastIndexOf("; ", length - 1));
        if (end > length / 3) {
            return line.substring(0, end) + ".";
        }
        int word = line.lastIndexOf(' ', length - 1);
        return word > length / 2 ? line.substring(0, word) + " …" : clip(line, length);
    }

    /// Cuts a text after `length` characters, and puts `…` in place of the rest.
    public static String clip(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
        return text.substring(0, end) + "…";
    }
}
