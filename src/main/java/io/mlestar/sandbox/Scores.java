package io.mlestar.sandbox;

import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the score that a script printed (REQ-DM-027, REQ-EX-011).
public final class Scores {
    private static final String WORDS = "Final Validation Performance:";
    private static final Pattern LINE = Pattern.compile(Pattern.quote(WORDS) + "\\s*([\\d.eE+-]+)");

    private Scores() {}

    /// The last score in the output; empty if there is none, or if the last one is no finite number or is cut in the middle, as in
    /// `0,85` and `1,234.5`. Searches from the end, so that long outputs cost little.
    public static OptionalDouble parse(String stdout) {
        Matcher line = LINE.matcher(stdout);
        for (int at = stdout.lastIndexOf(WORDS); at >= 0; at = stdout.lastIndexOf(WORDS, at - 1)) {
            if (line.region(at, stdout.length()).lookingAt()) {
                return isCut(stdout, line.end()) ? OptionalDouble.empty() : number(line.group(1));
            }
        }
        return OptionalDouble.empty();
    }

    private static boolean isCut(String text, int end) {
        return end + 1 < text.length() && (text.charAt(end) == ',' || text.charAt(end) == '_')
                && Character.isDigit(text.charAt(end + 1));
    }

    private static OptionalDouble number(String text) {
        if (text.endsWith(".")) {
            return OptionalDouble.empty();
        }
        try {
            double score = Double.parseDouble(text);
            return Double.isFinite(score) ? OptionalDouble.of(score) : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }
}
