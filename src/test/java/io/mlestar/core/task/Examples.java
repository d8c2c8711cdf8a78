package io.mlestar.core.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;

/// Values that the tests of this room share.
final class Examples {
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

    static <T> T roundTrip(T value, Class<T> type) {
        return Json.read(Json.parse(Json.text(value)), type);
    }
}
