package io.mlestar.core.step;

import io.mlestar.core.task.Decision;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What people read of a phase's result. Viewers know no phase but by this.
///
/// @param score of what it gave; null if that has none
/// @param validation how the harness computed the score, or without a score the one on the first fold, after which the script was stopped; null if it did not
/// @param isRequired whether it was run for a score: without one it failed
/// @param comparedWith what its script is compared with; null if there is nothing
/// @param accepted whether its script took that one's place; null if it does not decide that itself
/// @param decided on the scripts that it tried
/// @param summary what it did, in a line: a plan, a model, what went wrong; empty if there is nothing to say
/// @param revision what it changed; null if there is nothing to compare
/// @param texts those that are blank are not shown
public record PhaseReport(@Nullable Double score, @Nullable Validation validation, boolean isRequired, Decision.@Nullable Rival comparedWith,
        @Nullable Boolean accepted, List<Decision> decided, String summary, @Nullable Revision revision, Map<PhaseText, String> texts) {
    public static final PhaseReport NONE = ofScore(null, null);
    /// What a script is said to be that has lost the race.
    public static final String LOST = "stopped after the first fold: surely worse";

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

    public static PhaseReport ofScore(@Nullable Double score, @Nullable Validation by) {
        return new PhaseReport(score, by, false, null, null, List.of(), "", null, Map.of());
    }

    /// The report of a phase that gave a script: its score and text.
    public static PhaseReport of(SolutionScript solution) {
        return ofScore(solution.score(), solution.validation()).with(PhaseText.SCRIPT, solution.content());
    }

    /// True if its script was stopped after the first fold: it has no score, but the validation on that.
    public boolean isLost() {
        return score == null && validation != null;
    }

    @Override
    public String summary() {
        return isLost() && !summary.startsWith(LOST) ? LOST + (summary.isEmpty() ? "" : "; " + summary) : summary;
    }

    /// The report of a phase that was run for a score.
    public PhaseReport required() {
        return new PhaseReport(score, validation, true, comparedWith, accepted, decided, summary, revision, texts);
    }

    public PhaseReport comparedWith(Decision.@Nullable Rival other, @Nullable Boolean isAccepted) {
        return new PhaseReport(score, validation, isRequired, other, isAccepted, decided, summary, revision, texts);
    }

    public PhaseReport deciding(List<Decision> decisions) {
        return new PhaseReport(score, validation, isRequired, comparedWith, accepted, decisions, summary, revision, texts);
    }

    public PhaseReport saying(String line) {
        return new PhaseReport(score, validation, isRequired, comparedWith, accepted, decided, line, revision, texts);
    }

    public PhaseReport revising(String before, String after) {
        return new PhaseReport(score, validation, isRequired, comparedWith, accepted, decided, summary, new Revision(before, after), texts);
    }

    public PhaseReport with(PhaseText text, String content) {
        Map<PhaseText, String> more = new EnumMap<>(PhaseText.class);
        more.putAll(texts);
        more.put(text, content);
        return new PhaseReport(score, validation, isRequired, comparedWith, accepted, decided, summary, revision, Collections.unmodifiableMap(more));
    }
}
