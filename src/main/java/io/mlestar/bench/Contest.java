package io.mlestar.bench;

import io.mlestar.task.TaskDescription;
import org.jspecify.annotations.Nullable;

/// A cell to be filled.
///
/// @param contestant who takes part
/// @param seed from 1
public record Contest(String contestant, Competition competition, TaskDescription task, int seed) {
    /// The contestant that runs the pipeline.
    public static final String PIPELINE = "mlestar";

    /// Name of what is kept of it, and, for the pipeline, of its run: the same contest is the same run.
    public String id() {
        return (contestant.equals(PIPELINE) ? "" : contestant + "-") + competition.id() + "-seed" + seed;
    }

    /// Fills the cell.
    ///
    /// @param run null for a script
    /// @param models that were asked, with commas between
    /// @param recorded whether none was asked, but answers replayed
    /// @param submission null if there is none
    /// @param failure why there is none
    public Cell ended(@Nullable String run, String models, boolean recorded, byte @Nullable [] submission, String failure, Cell.Effort effort) {
        Assessment assessment = submission == null ? Assessment.none(failure) : Assessment.of(competition, task, submission);
        return new Cell(contestant, competition.id(), seed, run, models, recorded, submission != null, assessment, effort.hours(), effort.costUsd(),
                effort.inputTokens(), effort.outputTokens(), effort.endedAt());
    }
}
