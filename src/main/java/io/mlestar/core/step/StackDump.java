package io.mlestar.core.step;

import io.mlestar.core.base.Excerpt;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The place in a script at which a signal ended it. Python's fault handler writes the stack of
/// each thread to stderr, the main thread's last, the innermost frame first.
public final class StackDump {
    private static final String FATAL = "Fatal Python error: ";
    private static final int MOST_FRAMES = 6;
    private static final int LINE = 160;
    /// Matches a frame of the script itself, not of a library or of the module `variants`.
    private static final Pattern FRAME = Pattern.compile(
            "  File \"\\./((?!variants\\.py)[^\"\n]{1,80})\", line ([1-9]\\d{0,7}) in (.{1,80})");
    private static final Pattern INNERMOST =
            Pattern.compile(
                    "(?s).*  File \"\\./[^\"\n]*\", (line \\d+), in [^\n]*\n {4}([^\n]+).*");

    private StackDump() {}

    /// The same output with the innermost frames of the script in place of the whole dump, as they
    /// stand in a traceback.
    public static String shortened(String stderr, String script) {
        int fatal = stderr.lastIndexOf(FATAL);
        return fatal < 0
                ? stderr
                : Stream.of(stderr.substring(fatal).split("\\R\\R"))
                        .map(thread -> frames(thread, script))
                        .filter(frames -> !frames.isEmpty())
                        .reduce(stderr.substring(0, fatal),
                                (_, last) -> stderr.substring(0, fatal) + last);
    }

    private static String frames(String thread, String script) {
        return FRAME.matcher(thread)
                .results()
                .limit(MOST_FRAMES)
                .map(frame -> frame(frame, script))
                .reduce("", (inner, outer) -> outer + inner);
    }

    private static String frame(MatchResult frame, String script) {
        String code =
                script.lines().skip(Integer.parseInt(frame.group(2)) - 1).findFirst().orElse("");
        return "  File \"./" + frame.group(1) + "\", line " + frame.group(2) + ", in "
                + frame.group(3) + "\n    "
                + Excerpt.clip(code.strip(), LINE) + "\n";
    }

    /// The innermost line of a bug that shows frames; empty if it shows none.
    static String place(String bug) {
        Matcher place = INNERMOST.matcher(bug);
        return place.matches() ? ", in " + place.group(1) + ": " + place.group(2) : "";
    }
}
