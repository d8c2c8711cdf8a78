package io.mlestar.core.step;

import io.mlestar.core.task.SolutionScript;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What people read of a phase's result. Viewers know no phase but by this.
///
/// @param score of what it gave; null if that has none
/// @param isRequired whether it was run for a score: without one it failed
/// @param scoreBefore the score that its own is compared with; null if there is none
/// @param improved whether what it gave is at least as good as the best before it
/// @param summary what it did, in a line: a plan, a model, what went wrong; empty if there is nothing to say
/// @param revision what it changed; null if there is nothing to compare
/// @param texts those that are blank are not shown
public record PhaseReport(@Nullable Double score, boolean isRequired, @Nullable Double scoreBefore, boolean improved, String summary,
        @Nullable Revision revision, Map<PhaseText, String> texts) {
    public static final PhaseReport NONE = ofScore(null);

    /// A text of the result.
    public enum PhaseText {
        /// Why it gave less than it should have.
        FAILURE("What went wrong"), PLAN("Plan"), STUDY("Ablation summary"), BLOCK("Code block"), SCRIPT("Script");

        private final String heading;

        PhaseText(String heading) {
            this.heading = heading;
        }

        public String heading() {
            return heading;
        }

        public boolean isCode() {
            return this == BLOCK || this == SCRIPT;
        }
    }

    /// A text before and after the phase.
    public record Revision(String before, String after) {}

    public static PhaseReport ofScore(@Nullable Double score) {
        return new PhaseReport(score, false, null, false, "", null, Map.of());
    }

    /// Of a phase that gave a script: its score and text.
    public static PhaseReport of(SolutionScript solution) {
        return ofScore(solution.score()).with(PhaseText.SCRIPT, solution.content());
    }

    /// Of a phase that was run for a score.
    public PhaseReport required() {
        return new PhaseReport(score, true, scoreBefore, improved, summary, revision, texts);
    }

    public PhaseReport comparedWith(double before, boolean isImprovement) {
        return new PhaseReport(score, isRequired, before, isImprovement, summary, revision, texts);
    }

    public PhaseReport saying(String line) {
        return new PhaseReport(score, isRequired, scoreBefore, improved, line, revision, texts);
    }

    public PhaseReport revising(String before, String after) {
        return new PhaseReport(score, isRequired, scoreBefore, improved, summary, new Revision(before, after), texts);
    }

    public PhaseReport with(PhaseText text, String content) {
        Map<PhaseText, String> more = new EnumMap<>(PhaseText.class);
        more.putAll(texts);
        more.put(text, content);
        return new PhaseReport(score, isRequired, scoreBefore, improved, summary, revision, Collections.unmodifiableMap(more));
    }
}
