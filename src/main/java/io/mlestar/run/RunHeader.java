package io.mlestar.run;

import io.mlestar.step.Brief;
import io.mlestar.step.StepPath;
import io.mlestar.task.PipelineConfig;
import io.mlestar.task.TaskDescription;
import java.time.Duration;
import java.time.Instant;

/// A run's first object: what it was started with, and until when it may go on.
///
/// @param task with an absolute `data_dir`
/// @param version of the program that started it
/// @param promptsDigest of the prompts it was started with
/// @param deadline start plus the time limit (REQ-OR-024)
/// @param origin the run whose finished steps it begins with; null for a run that begins with nothing
public record RunHeader(
        String runId,
        TaskDescription task,
        PipelineConfig config,
        String hardware,
        String version,
        String promptsDigest,
        Instant startedAt,
        Instant deadline,
        Origin origin) {
    private static final Duration LONGEST_RESERVE_FLOOR = Duration.ofMinutes(5);
    /// What finalization may take beyond the deadline. REQ-OR-024 allows 30 seconds for shutdown; the rest is for ending a script that
    /// is still running then, and for telling how the run ended.
    static final Duration GRACE = Duration.ofSeconds(15);

    /// Another run, finished steps of which this one shares.
    ///
    /// @param run the other run
    /// @param at the step before which this one leaves the other's way; null if it shares all that succeeded
    /// @param until a step is shared if it had ended by then
    public record Origin(String run, String at, Instant until) {}

    public RunHeader {
        StepPath.root(runId);
    }

    /// This run, beginning with another's finished steps.
    RunHeader from(Origin other) {
        return new RunHeader(runId, task, config, hardware, version, promptsDigest, startedAt, deadline, other);
    }

    public Brief brief() {
        return new Brief(task, config, hardware);
    }

    /// From here on no iteration begins: what is left is for finalization. 10 % of the limit or 5 minutes, whichever is more,
    /// but of the 5 minutes at most half of the limit (REQ-OR-034).
    Instant finalizeAt() {
        Duration limit = Duration.ofSeconds(config.timeLimitSeconds());
        Duration reserve = limit.dividedBy(10).compareTo(floor()) > 0 ? limit.dividedBy(10) : floor();
        return deadline.minus(reserve);
    }

    /// The least time that a phase is given, so that short limits still get through Phase 1.
    Duration floor() {
        Duration half = Duration.ofSeconds(config.timeLimitSeconds()).dividedBy(2);
        return half.compareTo(LONGEST_RESERVE_FLOOR) < 0 ? half : LONGEST_RESERVE_FLOOR;
    }
}
