package io.mlestar.app.console;

import java.util.ArrayList;
import java.util.List;

/// A failure in one line: the messages of all its causes, uncut, and none twice.
public final class Reasons {
    private static final int DEEPEST = 20;

    private Reasons() {}

    public static String of(Throwable failure) {
        return with("", failure);
    }

    /// @param first what failed; may be empty
    static String with(String first, Throwable failure) {
        List<String> reasons = new ArrayList<>(first.isBlank() ? List.of() : List.of(line(first)));
        for (Throwable cause = failure; cause != null && reasons.size() < DEEPEST; cause =
                cause.getCause()) {
            String says = cause.getMessage() == null
                    ? cause.getClass().getSimpleName()
                    : line(cause.getMessage());
            if (reasons.stream().noneMatch(reason -> reason.contains(says))) {
                reasons.add(says);
            }
        }
        return reasons.size() == 1
                ? reasons.getFirst()
                : reasons.getFirst() + " (" + String.join(": ", reasons.subList(1, reasons.size()))
                        + ")";
    }

    private static String line(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}
