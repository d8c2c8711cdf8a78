package io.mlestar.step;

import io.mlestar.task.PipelineConfig;
import io.mlestar.task.TaskDescription;

/// What every step of a run may know.
///
/// @param hardware one line about processors and GPUs, for the system prompt where the survey found nothing (REQ-OR-004)
/// @param facts what the survey found; none before it has ended. No phase decides by them: they are for agents
public record Brief(TaskDescription task, PipelineConfig config, String hardware, Facts facts) {
    /// Before a survey, or where there is none.
    public Brief(TaskDescription task, PipelineConfig config, String hardware) {
        this(task, config, hardware, Facts.NONE);
    }
}
