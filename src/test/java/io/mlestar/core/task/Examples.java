package io.mlestar.core.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.SolutionScript.Trial;
import module java.base;

/// Values that the tests of this room and of its neighbours share.
public final class Examples {
    private Examples() {}

    /// The fields that a task must have, as a user writes them.
    static ObjectNode task() {
        return (ObjectNode) Json.parse("""
                {"competition_id": "spaceship-titanic", "task_type": "classification", "data_modality": "tabular",
                 "evaluation_metric": "accuracy", "metric_direction": "maximize", "description": "Predict Transported."}
                """);
    }

    static SolutionScript script(String content) {
        return SolutionScript.unscored(content, SolutionPhase.INIT);
    }

    /// A script that was run, by no step.
    public static SolutionScript scriptOf(String content, SolutionPhase phase, Double score, boolean isExecutable,
            String model) {
        return new SolutionScript(content, phase, Score.printed(score), isExecutable, model, null, null, null);
    }

    /// The run of a script that was scored by itself, or on one fold.
    public static Trial trial(double score, Double seconds, Double error) {
        return new Trial(score, seconds, error, List.of());
    }

    public static Trial trial(double score, Double seconds) {
        return trial(score, seconds, null);
    }

    static <T> T roundTrip(T value, Class<T> type) {
        return Json.read(Json.parse(Json.text(value)), type);
    }
}
