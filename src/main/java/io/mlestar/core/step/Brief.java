package io.mlestar.core.step;

import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import java.util.List;

/// What every step of a run may know.
///
/// @param hardware one line about processors and GPUs, for the system prompt where the survey found nothing (REQ-OR-004)
/// @param facts what the survey found; none before it has ended. No phase decides by them: they are for agents
/// @param notes what people have told the run so far; likewise
public record Brief(TaskDescription task, PipelineConfig config, String hardware, Facts facts, List<Note> notes) {
    /// Before a survey, or where there is none.
    public Brief(TaskDescription task, PipelineConfig config, String hardware) {
        this(task, config, hardware, Facts.NONE);
    }

    /// Before anybody has said anything.
    public Brief(TaskDescription task, PipelineConfig config, String hardware, Facts facts) {
        this(task, config, hardware, facts, List.of());
    }

    public Brief with(List<Note> told) {
        return new Brief(task, config, hardware, facts, told);
    }
}
