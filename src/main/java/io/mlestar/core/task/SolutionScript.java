package io.mlestar.core.task;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.mlestar.core.base.Invalid;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A Python program that trains, validates and prints its score: the paper's s (REQ-DM-009).
/// Immutable; what an evaluation finds out is put on a copy. It has no `created_at`: phases know no
/// clock, so that a replay makes the same script again; when a script was made stands in the
/// records of its step.
///
/// @param content the whole source; empty only where a requirement asks for a placeholder
/// @param phase which phase made it
/// @param score h(s); none if it was not evaluated
/// @param isExecutable ran without an error; optimistic until evaluated
/// @param sourceModel name of the retrieved model, for Phase 1 candidates; else null
/// @param step path within the run of the phase that gave it, or that gave the script which it
///   rewrites; null if it is new
/// @param durationSeconds wall clock of its run, in whole seconds; null means not evaluated, or it
///   failed
/// @param printed the lines of its output that tell most, for the agents of [StrongSearch], or of a
///   candidate that failed the reason; null in other runs, or if it was not run
public record SolutionScript(
        String content,
        SolutionPhase phase,
        @JsonUnwrapped @JsonProperty(Score.FIELDS) Score score,
        boolean isExecutable,
        @Nullable String sourceModel,
        @Nullable String step,
        @Nullable Double durationSeconds,
        @Nullable String printed) {
    /// The beginning of the part of a program that an import of it does not run.
    public static final String MAIN = "\nif __name__";

    /// The run of a script as agents read it when they are given the script.
    ///
    /// @param score null if it has none, or it is not known
    /// @param seconds wall clock of the run; null if it is not known
    /// @param standardError of the score, where the harness computed it; else null
    /// @param folds the score on each fold, where the harness computed it on several; else empty
    public record Trial(
            @Nullable Double score,
            @Nullable Double seconds,
            @Nullable Double standardError,
            List<@Nullable Double> folds) {
        public Trial {
            folds = Invalid.optionalElements(folds);
        }
    }

    public SolutionScript {
        Objects.requireNonNull(content, "content");
        Invalid.required("phase", phase);
    }

    /// A script that was not run yet.
    public static SolutionScript unscored(String content, SolutionPhase phase) {
        return new SolutionScript(content, phase, Score.NONE, true, null, null, null, null);
    }

    public SolutionScript from(@Nullable String model) {
        return new SolutionScript(content, phase, score, isExecutable, model, step, durationSeconds,
                printed);
    }

    /// The same script, given by that step.
    public SolutionScript by(@Nullable String newStep) {
        return new SolutionScript(content, phase, score, isExecutable, sourceModel, newStep,
                durationSeconds, printed);
    }

    /// The same script as evaluated.
    ///
    /// @param newScore none when it ran and printed none
    public SolutionScript scored(Score newScore) {
        return evaluated(newScore, true);
    }

    private SolutionScript evaluated(Score newScore, boolean ran) {
        return new SolutionScript(content, phase, newScore, ran, sourceModel, step, durationSeconds,
                printed);
    }

    /// The same script, whose run took so long. Begun seconds count whole: agents need no more, and
    /// runs that take about as long ask alike.
    public SolutionScript ranFor(double seconds) {
        return new SolutionScript(content, phase, score, isExecutable, sourceModel, step,
                Math.max(1, Math.ceil(seconds)), printed);
    }

    /// The same script with what its run printed.
    public SolutionScript printing(@Nullable String lines) {
        return new SolutionScript(content, phase, score, isExecutable, sourceModel, step,
                durationSeconds, lines);
    }

    public boolean isScored() {
        return score.isKnown();
    }

    public Trial trial() {
        return new Trial(score.value(), durationSeconds, score.error(), score.folds());
    }

    /// The same script after all attempts to run it failed (REQ-SF-008).
    public SolutionScript failed() {
        return rewritten(content).evaluated(Score.NONE, false);
    }

    public SolutionScript as(SolutionPhase newPhase) {
        return new SolutionScript(content, newPhase, score, isExecutable, sourceModel, step,
                durationSeconds, printed);
    }

    /// Another text of the same origin; it has not been evaluated.
    public SolutionScript rewritten(String newContent) {
        return unscored(newContent, phase).from(sourceModel).by(step);
    }

    /// Replaces the first occurrence of `oldBlock`, literally (REQ-DM-010). Whole lines come before
    /// a part of a line, see [Blocks#indexOf].
    ///
    /// @throws Invalid if `oldBlock` is empty or does not occur
    public SolutionScript replaceBlock(String oldBlock, String newBlock) {
        int at = Blocks.indexOf(oldBlock, content);
        if (at < 0) {
            throw new Invalid(oldBlock.isEmpty()
                    ? "an empty block cannot be replaced"
                    : "the block does not occur in the script");
        }
        return rewritten(
                content.substring(0, at) + newBlock + content.substring(at + oldBlock.length()));
    }
}
