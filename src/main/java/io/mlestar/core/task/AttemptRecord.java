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
        return new AttemptRecord(step, kind, tried, fusedWith, score,
                lead == null ? null : lead.gain(),
                lead == null ? null : lead.error(),
                lead == null ? List.of() : lead.folds(), isKept, seconds, remark, table, script,
                predictions);
    }

    /// A study that ran, with what it printed.
    ///
    /// @param fault how it ended, if not by itself
    public static AttemptRecord study(
            String step,
            String tried,
            @Nullable String fusedWith,
            double seconds,
            @Nullable String fault,
            String table,
            String script) {
        return new AttemptRecord(step, AttemptKind.STUDY, tried, fusedWith, null, null, null,
                List.of(), false, seconds, fault, table, script, null);
    }

    /// An attempt that gave no script.
    public static AttemptRecord failed(
            String step,
            AttemptKind kind,
            @Nullable String fusedWith,
            String why) {
        return new AttemptRecord(step, kind, "", fusedWith, null, null, null, List.of(), false,
                null, why, "", null, null);
    }

    /// A solution by itself, compared with nothing yet.
    ///
    /// @param remark why it has no score, if it has none
    public static AttemptRecord solution(
            String step,
            String tried,
            @Nullable Double score,
            @Nullable Double seconds,
            @Nullable String remark,
            @Nullable String predictions) {
        return new AttemptRecord(step, AttemptKind.SOLUTION, tried, null, score, null, null,
                List.of(), false, seconds, remark, "", null, predictions);
    }

    public boolean isStudy() {
        return kind == AttemptKind.STUDY;
    }
}
