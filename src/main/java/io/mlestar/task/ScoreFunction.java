package io.mlestar.task;

/// h(s): runs a script and reads its score (REQ-DM-026).
@FunctionalInterface
public interface ScoreFunction {
    EvaluationResult evaluate(SolutionScript solution, TaskDescription task);
}
