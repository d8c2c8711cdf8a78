package io.mlestar.step;

import io.mlestar.task.PipelineConfig;
import io.mlestar.task.TaskDescription;

/// What every step of a run may know.
///
/// @param hardware one line about processors and GPUs, for the system prompt (REQ-OR-004)
public record Brief(TaskDescription task, PipelineConfig config, String hardware) {}
