package io.mlestar.engine;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.engine.StepResult.Status;
import io.mlestar.step.Outcome;
import io.mlestar.step.StepPath;
import io.mlestar.task.Answers.RetrievedModel;
import io.mlestar.task.Answers.RetrieverOutput;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What a failed run leaves for those who ask why: how far it came, and what it had by then (REQ-OR-042).
record Diagnostics(Records records) {
    /// @param elapsed seconds
    ObjectNode of(RunHeader run, StepResult result, double elapsed) {
        ObjectNode diagnostics = Json.object().put("elapsed_seconds", elapsed);
        diagnostics.set("cost_usd", Json.tree(result.costUsd()));
        StepPath root = StepPath.root(run.runId());
        diagnostics.put("last_successful_step", lastDone(root).map(step -> step.path().toString()).orElse(null));
        ArrayNode models = diagnostics.putArray("retrieved_models");
        ArrayNode candidates = diagnostics.putArray("candidates");
        for (Records.Known step : records.readable(root.child("phase1"))) {
            if (step.request().isAgent()) {
                retrieved(step).forEach(models::add);
            } else if (step.path().name().startsWith("candidate")) {
                candidates.add(candidate(step));
            }
        }
        return diagnostics;
    }

    private static List<String> retrieved(Records.Known step) {
        try {
            return step.outcome().orElse(null) instanceof Outcome.Done<?>(RetrieverOutput(var models))
                    ? models.stream().map(RetrievedModel::modelName).toList() : List.of();
        } catch (Invalid e) {
            // Another program wrote it: perhaps that is why the run has failed.
            return List.of();
        }
    }

    private ObjectNode candidate(Records.Known step) {
        ObjectNode candidate = Json.object().put("step", step.path().toString());
        candidate.put("model", step.request().input().at("/model/model_name").asText());
        candidate.set("score", Json.tree(step.result().map(Scored::of).orElse(null)));
        candidate.put("failure", step.result().map(StepResult::reason).or(() -> evaluation(step.path())).orElse(null));
        return candidate;
    }

    private Optional<String> evaluation(StepPath candidate) {
        return records.result(candidate.child("evaluation")).filter(result -> result.status() == Status.DONE)
                .map(result -> result.value().path("failure").asText(null));
    }

    private Optional<Records.Known> lastDone(StepPath phase) {
        return records.readable(phase).stream()
                .flatMap(step -> step.request().isPhase() ? lastDone(step.path()).stream() : Optional.of(step).stream())
                .filter(step -> step.result().filter(result -> result.status() == Status.DONE).isPresent())
                .max(Comparator.comparing((Records.Known step) -> step.result().get().endedAt()));
    }
}
