package io.mlestar.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/// Finds the score in a stored result, whatever kind of step it is of.
public final class Scored {
    private static final List<String> PLACES = List.of("/evaluation/score", "/script/score", "/record/score", "/score",
            "/initial_score", "/best_score", "/best_ensemble_score", "/record/best_score_after_step", "/solution/score");

    private Scored() {}

    /// Null if there is none, or the script that printed it failed.
    public static Double of(StepResult result) {
        JsonNode value = result.value();
        if (value == null || value.path("evaluation").path("is_error").asBoolean()) {
            return null;
        }
        return PLACES.stream().map(value::at).filter(JsonNode::isNumber).findFirst().map(JsonNode::asDouble).orElse(null);
    }
}
