package io.mlestar.adapter.script;

import io.mlestar.core.step.Execution;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the score that a script printed (REQ-DM-027, REQ-EX-011).
public final class Scores {
    /// NumPy 2 shows its numbers with their type: `np.float64(0.61)`.
    private static final Pattern LINE = Pattern.compile(Pattern.quote(Execution.SCORE)
            + "\\s*(?:np\\.(?:float|int)\\d{1,3}\\()?([\\d.eE+-]+|(?i:nan|inf(?:inity)?)\\b)");
    /// Matches text that continues a number, as in `0,85`, `1_000` and `0x10`.
    private static final Pattern CUT = Pattern.compile("[,_]\\d|(?<=[^\\d.]0)[xXoObB]\\p{XDigit}");
    /// Characters behind a number that are kept with it.
    private static final int BEHIND = 80;

    private Scores() {}

    /// The last score in the output; empty if there is none, or if the last one is no finite number
    /// or is cut in the middle, as in `0,85` and `1,234.5`. Searches from the end, so that long
    /// outputs cost little.
    public static OptionalDouble parse(String stdout) {
        Optional<MatchResult> last =
                match(stdout).filter(line -> !CUT.matcher(stdout)
                        .useTransparentBounds(true)
                        .region(line.end(), stdout.length())
                        .lookingAt());
        return last.isPresent() ? number(last.get().group(1)) : OptionalDouble.empty();
    }

    /// The last line that has a score, or a number that is none, from its words on; empty if there
    /// is none.
    static Optional<String> last(String stdout) {
        return match(stdout).map(line -> line.group()
                + stdout.substring(line.end(), Math.min(stdout.length(), line.end() + BEHIND))
                        .split("\n", 2)[0]);
    }

    private static Optional<MatchResult> match(String stdout) {
        Matcher line = LINE.matcher(stdout);
        for (int at = stdout.lastIndexOf(Execution.SCORE); at >= 0; at =
                stdout.lastIndexOf(Execution.SCORE, at - 1)) {
            if (line.region(at, stdout.length()).lookingAt()) {
                return Optional.of(line);
            }
        }
        return Optional.empty();
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
