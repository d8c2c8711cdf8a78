package io.mlestar.adapter.script;

import io.mlestar.adapter.script.isolation.Python;
import java.util.Optional;

/// Finds Python's traceback in what a script wrote to stderr (REQ-EX-012), and makes one up where
/// Python printed none.
public final class Tracebacks {
    public static final String HEADER = "Traceback (most recent call last):";
    private static final int TAIL = 3_000;

    private Tracebacks() {}

    /// The last traceback, from its header to the line of the exception.
    public static Optional<String> last(String stderr) {
        int start = stderr.lastIndexOf(HEADER);
        if (start < 0) {
            return Optional.empty();
        }
        StringBuilder traceback = new StringBuilder(HEADER);
        for (String line : stderr.substring(start + HEADER.length()).split("\\R", -1)) {
            if (line.isBlank()) {
                continue;
            }
            traceback.append('\n').append(line);
            if (!Character.isWhitespace(line.charAt(0))) {
                break;
            }
        }
        return Optional.of(traceback.toString());
    }

    /// Makes a text that stands for a traceback: the header, what the script wrote last to stderr,
    /// and the reason.
    public static String madeUp(String stderr, String reason) {
        String tail = stderr.length() <= TAIL ? stderr : stderr.substring(stderr.length() - TAIL);
        return HEADER + "\n" + (tail.isBlank() ? "" : tail.stripTrailing() + "\n") + reason;
    }
}
