package io.mlestar.show.log;

import io.mlestar.core.base.Json;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.show.render.Formats;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jboss.logging.Logger.Level;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// One line of the log: a row of the requirements' log tables, or a warning that a single
/// requirement asks for.
///
/// @param what name of the event, in words with hyphens
/// @param fields as ` name=value`, one after the other
record LogLine(Level level, String what, String fields) {
    private static final Logger LOG = Logger.getLogger("mle_star");
    private static final int EXCERPT = 200;
    private static final Pattern PLACE = Pattern.compile("/(attempt|round)(\\d+)(?:/|$)");

    static LogLine debug(String what) {
        return new LogLine(Level.DEBUG, what, "");
    }

    static LogLine info(String what) {
        return new LogLine(Level.INFO, what, "");
    }

    static LogLine warn(String what) {
        return new LogLine(Level.WARN, what, "");
    }

    static LogLine error(String what) {
        return new LogLine(Level.ERROR, what, "");
    }

    /// Texts are put on one line and clipped; enums are written as in JSON.
    LogLine with(String name, @Nullable Object value) {
        String shown =
                Formats.line(value instanceof Enum<?> word
                        ? Json.tree(word).asText()
                        : String.valueOf(value), EXCERPT);
        boolean isQuoted = shown.contains(" ") || shown.isEmpty();
        return raw(" " + name + "=" + (isQuoted ? "\"" + shown + "\"" : shown));
    }

    /// A null score is written as `failed`.
    LogLine score(String name, @Nullable Double score) {
        return with(name, score == null ? "failed" : score);
    }

    /// The score of a script; `none` if it ran and printed none.
    LogLine score(SolutionScript script) {
        return !script.score().isKnown() && script.isExecutable()
                ? with("score", "none")
                : score("score", script.score().value());
    }

    LogLine yes(String name, boolean value) {
        return with(name, value ? "yes" : "no");
    }

    LogLine raw(String more) {
        return new LogLine(level, what, fields + more);
    }

    /// @param moment of the step: `asked`, `started`, `ended` …
    void write(String moment, StepPath step) {
        Matcher place = PLACE.matcher("/" + step.inside());
        String where = place.find()
                ? " " + place.group(1).replace("attempt", "k") + "=" + place.group(2)
                : "";
        LOG.log(level, "event=" + moment + " step=" + step + " what=" + what + where + fields);
    }
}
