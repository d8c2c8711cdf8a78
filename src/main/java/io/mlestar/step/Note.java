package io.mlestar.step;

import io.mlestar.task.Invalid;
import java.time.Instant;

/// A word of advice from whoever looks after a run. It is told to the agents that make plans, from their next question on.
///
/// @param by who said it
/// @param text one paragraph, at most [#LONGEST] characters
public record Note(Instant at, String by, String text) {
    public static final int LONGEST = 2_000;
    private static final int LONGEST_NAME = 100;

    /// @throws Invalid if it is empty or too long
    public Note {
        text = text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        by = by.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        if (text.isEmpty() || text.length() > LONGEST || by.length() > LONGEST_NAME) {
            throw new Invalid("a note must have 1 to " + LONGEST + " characters, and who says it at most " + LONGEST_NAME);
        }
    }
}
