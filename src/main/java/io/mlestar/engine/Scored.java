package io.mlestar.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.step.StepPath;
import io.mlestar.task.MetricDirection;
import java.util.List;

/// Finds the score in a stored result, whatever kind of step it is of, and says which scores stand.
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

    /// The same; null for a study, whatever it printed.
    public static Double of(StepPath step, StepResult result) {
        return isScript(step) && !isEvaluated(step) ? null : of(result);
    }

    /// A script's score, if it was run as a solution and did not fail: the only scores of which one is a run's best.
    public static Double standing(StepPath step, StepResult result) {
        return isOfSolution(step) ? of(result) : null;
    }

    /// Whether this is a script that is run for its score: no study, nor the one that writes the submission. The path says it, so that
    /// nobody has to read the script for it.
    public static boolean isOfSolution(StepPath step) {
        return isScript(step) && isEvaluated(step) && !step.isIn(Gate.FINALIZATION);
    }

    private static boolean isScript(StepPath step) {
        return step.plainName().equals("script");
    }

    private static boolean isEvaluated(StepPath step) {
        return step.parent().filter(phase -> phase.plainName().equals("evaluation")).isPresent();
    }

    /// The better one of two scores, either of which may be null.
    public static Double better(MetricDirection direction, Double one, Double other) {
        return one == null || other != null && direction.isImprovement(other, one) ? other : one;
    }
}
