package io.mlestar.core.task;

import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.annotation.EnumNaming;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import org.jspecify.annotations.Nullable;

/// What an attempt on a whole script was for and what came of it: what later attempts read of it.
///
/// @param step path within the run
/// @param tried what the agent expected and why, in a line
/// @param fusedWith step of the other path's script that it was to take ideas from; null if there was none
/// @param score null if it has none
/// @param gain over the best script of its path at that time, in units of the metric, positive if better; null without a score, or if it is not known
/// @param errorOfGain standard error of the gain, paired; null if a script printed one of the scores
/// @param isKept whether its script became its path's best
/// @param seconds that its script ran; null if it did not, or failed
/// @param remark why it failed, or what else is to be known of it, in a line; null if there is nothing
/// @param table what tells most of what it printed; empty if nothing
/// @param script digest of the script; null if there is none
/// @param predictions digest of what the harness computed from its predictions; null if it computed nothing
public record AttemptRecord(String step, AttemptKind kind, String tried, @Nullable String fusedWith, @Nullable Double score, @Nullable Double gain,
        @Nullable Double errorOfGain, boolean isKept, @Nullable Double seconds, @Nullable String remark, String table,
        @Nullable String script, @Nullable String predictions) {
    /// A study prints a table and hands nothing in; a solution is scored.
    @EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
    public enum AttemptKind {
        STUDY, SOLUTION
    }

    private static final int LINE = 700;

    public AttemptRecord {
        Invalid.text("step", step);
        Invalid.required("kind", kind);
        tried = Excerpt.line(tried, LINE);
        remark = remark == null ? null : Excerpt.line(remark, LINE);
        table = table == null ? "" : table;
    }

    /// For the reader of another script: its gain over that one, or none where it is not known.
    public AttemptRecord comparedAnew(Score.@Nullable Lead lead) {
        return new AttemptRecord(step, kind, tried, fusedWith, score, lead == null ? null : lead.gain(), lead == null ? null : lead.error(), isKept, seconds,
                remark, table, script, predictions);
    }

    public boolean isStudy() {
        return kind == AttemptKind.STUDY;
    }
}
