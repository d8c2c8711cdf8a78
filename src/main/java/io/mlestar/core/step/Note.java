package io.mlestar.core.step;

import io.mlestar.core.base.Invalid;
import java.time.Instant;

/// Advice that a person gives a run. Agents that make plans get it with their next question.
///
/// @param by who said it
/// @param text at most [#LONGEST] characters, with the line breaks that code needs
public record Note(Instant at, String by, String text) {
    public static final int LONGEST = 2_000;
    private static final int LONGEST_NAME = 100;

    /// @throws Invalid if it is empty or too long
    public Note {
        text = text.replaceAll("\\R", "\n")
                .replaceAll("[\\p{Cntrl}&&[^\n\t]]+", " ")
                .replaceAll("[ \t]+\n", "\n")
                .replaceAll("\n{3,}", "\n\n")
                .strip();
        by = name(by);
        if (text.isEmpty() || text.length() > LONGEST) {
            throw new Invalid("a note must have 1 to " + LONGEST + " characters");
        }
    }

    /// The note as one item of a list in Markdown.
    public String item() {
        return "- " + text.replace("\n", "\n  ");
    }

    /// The name of a person who gives a run something.
    ///
    /// @throws Invalid if the name is too long
    public static String name(String by) {
        String name = by.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        if (name.length() > LONGEST_NAME) {
            throw new Invalid(
                    "who says it must be named with at most " + LONGEST_NAME + " characters");
        }
        return name;
    }
}
