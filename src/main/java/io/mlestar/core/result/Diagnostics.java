package io.mlestar.core.result;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.phase.Candidate;
import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.phase.FirstPhase;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.Answers.RetrievedModel;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// Facts that help to find out why a run failed: how far it came, and what it had by then
/// (REQ-OR-042).
record Diagnostics(Records records) {
    /// @param elapsed seconds
    ObjectNode of(RunHeader run, StepResult result, double elapsed) {
        ObjectNode diagnostics = Json.object().put("elapsed_seconds", elapsed);
        diagnostics.set("cost_usd", Json.tree(result.costUsd()));
        StepPath root = run.root();
        diagnostics.set("last_successful_step",
                Json.tree(lastDone(run).map(step -> step.path().toString())));
        ArrayNode models = diagnostics.putArray("retrieved_models");
        ArrayNode candidates = diagnostics.putArray("candidates");
        for (KnownStep step : records.readable(root.child(FirstPhase.NAME))) {
            try {
                switch (step.step()) {
                    case Retriever retriever -> retrieved(step, retriever).forEach(models::add);
                    case Candidate candidate -> candidates.add(candidate(step, candidate));
                    default -> {}
                }
            } catch (Invalid e) {
                // Another program wrote it: perhaps that is why the run has failed.
            }
        }
        return diagnostics;
    }

    private static Stream<String> retrieved(KnownStep step, Retriever retriever) {
        return step.result()
                .flatMap(result -> result.outcome(retriever).done())
                .stream()
                .flatMap(output -> output.models().stream())
                .map(RetrievedModel::modelName);
    }

    private ObjectNode candidate(KnownStep step, Candidate candidate) {
        ObjectNode told = Json.object()
                .put("step", step.path().toString())
                .put("model", candidate.model().modelName());
        told.set("score",
                Json.tree(step.done()
                        .map(done -> candidate.report(done.of(candidate)).score().value())));
        told.set("failure",
                Json.tree(step.result().map(StepResult::reason).or(() -> evaluation(step.path()))));
        return told;
    }

    private Optional<String> evaluation(StepPath candidate) {
        return records.readable(candidate)
                .stream()
                .flatMap(step -> step.step() instanceof Evaluation evaluation
                        ? step.done().map(done -> done.of(evaluation).failure()).stream()
                        : Stream.empty())
                .findFirst();
    }

    private Optional<KnownStep> lastDone(RunHeader run) {
        return Walk.READABLE.steps(records, run.runId())
                .filter(step -> !step.request().isPhase() && step.done().isPresent())
                .max(Comparator
                        .comparing((KnownStep step) -> step.result().orElseThrow().endedAt()));
    }
}
