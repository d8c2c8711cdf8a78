package io.mlestar.core.task;

import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.annotation.EnumNaming;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.task.Score.Lead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The purpose and the outcome of an attempt on a whole script, as later attempts read them.
///
/// @param step path within the run
/// @param tried what the agent changed and why, and what the script does in its own words after it
///   ran. In a line
/// @param fusedWith step of the other path's script that it was to take ideas from; null if there
///   was none
/// @param score null if it has none
/// @param gain over the best script of its path at that time, in units of the metric, positive if
///   better; null without a score, or if it is not known
/// @param errorOfGain standard error of the gain, paired; null if a script printed one of the
///   scores
/// @param foldGains the gain on each fold, null where it is not known; empty unless both scripts
///   were scored on the same folds
/// @param isKept whether its script became its path's best
/// @param seconds that its script ran; null if it did not, or failed
/// @param remark why it failed, or what else is to be known of it, in a line; null if there is
///   nothing
/// @param table what tells most of what it printed; empty if nothing
/// @param script digest of the script; null if there is none
/// @param predictions digest of what the harness computed from its predictions; null if it computed
///   nothing
public record AttemptRecord(
        String step,
        AttemptKind kind,
        String tried,
        @Nullable String fusedWith,
        @Nullable Double score,
        @Nullable Double gain,
        @Nullable Double errorOfGain,
        List<@Nullable Double> foldGains,
        boolean isKept,
        @Nullable Double seconds,
        @Nullable String remark,
        String table,
        @Nullable String script,
        @Nullable String predictions) {
    /// A study prints a table and hands nothing in; a solution is scored.
    @EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
    public enum AttemptKind {
        STUDY, SOLUTION
    }

    private static final int LINE = 700;

    public AttemptRecord {
        Invalid.text("step", step);
        Invalid.required("kind", kind);
        tried = Excerpt.sentences(tried, LINE);
        foldGains = Invalid.optionalElements(foldGains);
        remark = remark == null ? null : Excerpt.line(remark, LINE);
        table = table == null ? "" : table;
    }

    /// The record for the reader of another script: its gain over that one, or none where it is not
    /// known.
    public AttemptRecord comparedAnew(@Nullable Lead lead) {
        return new Draft(step, kind, tried).fusedWith(fusedWith)
                .scored(score, predictions)
                .compared(lead, isKept)
                .ran(seconds)
                .script(script, table)
                .remark(remark)
                .record();
    }

    /// A record in the making: what is not said of it is missing.
    public static final class Draft {
        private final String step;
        private final AttemptKind kind;
        private final String tried;
        private @Nullable String fusedWith;
        private @Nullable Double score;
        private @Nullable Double gain;
        private @Nullable Double errorOfGain;
        private List<@Nullable Double> foldGains = List.of();
        private boolean isKept;
        private @Nullable Double seconds;
        private @Nullable String remark;
        private String table = "";
        private @Nullable String script;
        private @Nullable String predictions;

        public Draft(String step, AttemptKind kind, String tried) {
            this.step = step;
            this.kind = kind;
            this.tried = tried;
        }

        public Draft fusedWith(@Nullable String other) {
            fusedWith = other;
            return this;
        }

        public Draft scored(@Nullable Double value, @Nullable String digest) {
            score = value;
            predictions = digest;
            return this;
        }

        /// @param lead over the best script of its path, whose place it takes or not
        public Draft compared(@Nullable Lead lead, boolean takesPlace) {
            isKept = takesPlace;
            if (lead != null) {
                gain = lead.gain();
                errorOfGain = lead.error();
                foldGains = lead.folds();
            }
            return this;
        }

        public Draft ran(@Nullable Double time) {
            seconds = time;
            return this;
        }

        public Draft script(@Nullable String digest, String printed) {
            script = digest;
            table = printed;
            return this;
        }

        public Draft remark(@Nullable String line) {
            remark = line;
            return this;
        }

        public AttemptRecord record() {
            return new AttemptRecord(step, kind, tried, fusedWith, score, gain, errorOfGain,
                    foldGains, isKept, seconds, remark, table, script, predictions);
        }
    }

    public boolean isStudy() {
        return kind == AttemptKind.STUDY;
    }
}
