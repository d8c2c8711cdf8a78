package io.mlestar.core.step;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The mark that opens a fenced block of an answer. Fences may be of backticks or tildes, longer
/// than three, indented, with any tag; one closes only on a line of its own.
///
/// @param indent white space before it
/// @param mark the backticks or tildes
/// @param info what stands behind it
public record FenceMark(String indent, String mark, String info) {
    private static final Pattern OPENING =
            Pattern.compile("([ \\t]*+)(`{3,}+|~{3,}+)[ \\t]*+([^`]*+)");
    /// Matches a mark behind prose on the same line, but only with a tag: without one it may as
    /// well be a word that is set apart.
    private static final Pattern BEHIND_PROSE =
            Pattern.compile("()[^`]*\\S[ \\t]*(`{3,}+)((?:python3?|py)[ \\t]*+)");

    /// The mark that opens a block on this line; null if none does.
    public static @Nullable FenceMark opening(String line) {
        Matcher bare = OPENING.matcher(line);
        Matcher opening =
                bare.matches() || !line.contains("```") ? bare : BEHIND_PROSE.matcher(line);
        return opening.matches()
                ? new FenceMark(opening.group(1), opening.group(2), opening.group(3))
                : null;
    }

    /// True if this line closes the block.
    public boolean isClosedBy(String line) {
        String bare = line.strip();
        return bare.length() >= mark.length() && bare.chars().allMatch(c -> c == mark.charAt(0));
    }
}
