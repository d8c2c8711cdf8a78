package io.mlestar.adapter.tool;

/// Keeps what a model is shown within bounds, and says what is missing.
public final class Truncation {
    /// Characters that one call may give to a model.
    static final int MOST = 30_000;

    private Truncation() {}

    /// The beginning.
    public static String end(String text) {
        return text.length() <= MOST
                ? text
                : text.substring(0, whole(text, MOST)) + "\n[cut: " + (text.length() - MOST)
                        + " more characters are not shown]";
    }

    /// The beginning and the end, where results and errors stand.
    static String middle(int most, String text) {
        if (text.length() <= most) {
            return text;
        }
        int head = whole(text, most / 3);
        int tail = whole(text, text.length() - (most - most / 3));
        return text.substring(0, head) + "\n[cut: " + (tail - head)
                + " characters are not shown here]\n"
                + text.substring(tail);
    }

    /// The position, moved so that it does not halve a character.
    private static int whole(String text, int at) {
        return Character.isLowSurrogate(text.charAt(at)) ? at - 1 : at;
    }
}
