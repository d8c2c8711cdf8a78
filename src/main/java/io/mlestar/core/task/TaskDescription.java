package io.mlestar.core.task;

import io.mlestar.core.base.Invalid;

/// The problem to be solved (REQ-DM-007); `description` is the paper's T_task.
///
/// @param competitionId short unique name, e.g. `spaceship-titanic`
/// @param evaluationMetric name of the metric, e.g. `accuracy`
/// @param description the whole task text
/// @param dataDir folder of the data set; scripts see it as `./input`
/// @param outputDir kept for the requirements; scripts always write to `./final` (REQ-FN-045)
public record TaskDescription(
        String competitionId,
        TaskType taskType,
        DataModality dataModality,
        String evaluationMetric,
        MetricDirection metricDirection,
        String description,
        String dataDir,
        String outputDir) {
    /// Most characters of a description. It is copied into the requests and prompts of many steps.
    static final int LONGEST_TEXT = 256 << 10;
    static final int LONGEST_NAME = 200;
    static final int LONGEST_PATH = 4_096;
    /// The folder in which scripts find the data, and the one in which they leave their submission,
    /// unless a task says otherwise.
    public static final String INPUT = "./input";
    public static final String OUTPUT = "./final";

    public TaskDescription {
        Invalid.text("competition_id", competitionId, LONGEST_NAME);
        Invalid.required("task_type", taskType);
        Invalid.required("data_modality", dataModality);
        Invalid.text("evaluation_metric", evaluationMetric, LONGEST_NAME);
        Invalid.required("metric_direction", metricDirection);
        Invalid.text("description", description, LONGEST_TEXT);
        dataDir = dataDir == null ? INPUT : Invalid.text("data_dir", dataDir, LONGEST_PATH);
        outputDir =
                outputDir == null ? OUTPUT : Invalid.text("output_dir", outputDir, LONGEST_PATH);
    }

    public TaskDescription withDataDir(String dir) {
        return new TaskDescription(competitionId, taskType, dataModality, evaluationMetric,
                metricDirection, description, dir, outputDir);
    }
}
