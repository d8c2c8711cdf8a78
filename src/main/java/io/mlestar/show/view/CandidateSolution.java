package io.mlestar.show.view;

import io.mlestar.core.step.StepPath;
import org.jspecify.annotations.Nullable;

/// A solution that a run has tried for its score, or is trying.
///
/// @param step the phase that tried it
/// @param path which of the parallel paths it is on, from 0; 0 elsewhere
/// @param block of the path, from 0; 0 elsewhere
/// @param number among its like, from 0
/// @param says plan or model, one line; may be empty
/// @param score null if it has none
/// @param better whether an attempt was at least as good as the best before it
/// @param open whether it is under way
public record CandidateSolution(StepPath step, Part part, int path, int block, int number, String title, String says, @Nullable Double score, boolean better,
        boolean open) {
    /// By what part of the algorithm it was made, in the order of the course.
    public enum Part {
        CANDIDATE, MERGE, CHECKED, ATTEMPT, ROUND
    }

    /// The script that wrote the submission, or is to.
    ///
    /// @param step the phase that made it
    /// @param ensembled whether it is made of a round of the ensemble, and not of the best path
    /// @param score of what it is made of; null if that has none
    public record Last(StepPath step, boolean ensembled, @Nullable Double score) {}
}
