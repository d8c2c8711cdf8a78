package io.mlestar.core.step;

import io.mlestar.core.base.Phrase;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionScript;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The report of a phase's result for people. Viewers know nothing else of a phase.
///
/// @param score of what it gave
/// @param isRequired whether it was run for a score: without one it failed
/// @param comparedWith what its script is compared with; null if there is nothing
/// @param accepted whether its script took that one's place; null if it does not decide that itself
/// @param decided on the scripts that it tried
/// @param summary what it did, in a line: a plan, a model, what went wrong; empty if there is
///   nothing to say
/// @param revision what it changed; empty if there is nothing to compare
/// @param texts those that are blank are not shown
public record PhaseReport(
        Score score,
        boolean isRequired,
        @Nullable Rival comparedWith,
        @Nullable Boolean accepted,
        List<Decision> decided,
        String summary,
        Optional<Revision> revision,
        Map<PhaseText, String> texts) {
    public static final PhaseReport NONE = ofScore(Score.NONE);
    /// The summary of a script that has lost the race.
    public static final String LOST = "stopped after the first fold: surely worse";

    /// A text of the result.
    public enum PhaseText {
        /// Why it gave less than it should have.
        FAILURE("What went wrong"), PLAN("Plan"), STUDY("Ablation summary"), BLOCK("Code block"),
        SCRIPT("Script");

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

    public static PhaseReport ofScore(Score score) {
        return new PhaseReport(score, false, null, null, List.of(), "",
                Optional.empty(), Map.of());
    }

    /// The report of a phase that gave a script: its score and text.
    public static PhaseReport of(SolutionScript solution) {
        return ofScore(solution.score()).with(PhaseText.SCRIPT, solution.content());
    }

    @Override
    public String summary() {
        return score.isLost() && !summary.startsWith(LOST)
                ? Phrase.of("; ", LOST, summary)
                : summary;
    }

    /// The report of a phase that was run for a score.
    public PhaseReport required() {
        return new PhaseReport(score, true, comparedWith, accepted, decided, summary, revision,
                texts);
    }

    /// The report of a script whose place is decided later.
    public PhaseReport comparedWith(@Nullable Rival other) {
        return comparedWith(other, accepted);
    }

    public PhaseReport comparedWith(@Nullable Rival other, @Nullable Boolean isAccepted) {
        return new PhaseReport(score, isRequired, other, isAccepted, decided, summary, revision,
                texts);
    }

    public PhaseReport deciding(List<Decision> decisions) {
        return new PhaseReport(score, isRequired, comparedWith, accepted, decisions, summary,
                revision, texts);
    }

    public PhaseReport saying(String line) {
        return new PhaseReport(score, isRequired, comparedWith, accepted, decided, line, revision,
                texts);
    }

    public PhaseReport revising(String before, String after) {
        return new PhaseReport(score, isRequired, comparedWith, accepted, decided, summary,
                Optional.of(new Revision(before, after)), texts);
    }

    /// @param content null for none
    public PhaseReport with(PhaseText text, @Nullable String content) {
        Map<PhaseText, String> more = new EnumMap<>(PhaseText.class);
        more.putAll(texts);
        more.put(text, Objects.requireNonNullElse(content, ""));
        return new PhaseReport(score, isRequired, comparedWith, accepted, decided, summary,
                revision, Collections.unmodifiableMap(more));
    }
}
