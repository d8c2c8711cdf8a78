package io.mlestar.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.event.Event;
import io.mlestar.event.Publisher;
import io.mlestar.phase.Pipeline;
import io.mlestar.run.StepResult.Status;
import io.mlestar.step.StepPath;
import io.mlestar.store.Store;
import io.mlestar.task.Json;
import io.mlestar.task.Results.FinalResult;
import io.mlestar.task.Results.PhaseSummary;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Puts what a run ended with where people look for it, and tells the world. May be repeated: the first one stays.
final class Publication {
    private final Records records;
    private final Publisher publisher;

    Publication(Records records, Publisher publisher) {
        this.records = records;
        this.publisher = publisher;
    }

    /// Writes the files of the run's folder.
    void publish(RunHeader run, StepResult result) {
        if (result.status() == Status.DONE) {
            solved(run, result, Json.read(result.value(), Pipeline.Solved.class));
        } else {
            failed(run, result);
        }
    }

    private void solved(RunHeader run, StepResult result, Pipeline.Solved solved) {
        Store store = records.store();
        String submission = key(run, "submission.csv");
        boolean submitted = solved.submission() != null
                && store.read(solved.submission().key()).map(bytes -> store.create(submission, bytes)).isPresent();
        List<Records.Known> phases = records.below(StepPath.root(run.runId()));
        FinalResult published = new FinalResult(run.runId(), run.task(), run.config(), solved.phase1(), solved.phase2Results(),
                solved.phase3(), solved.finalSolution(), solved.bestScore(), submitted ? store.address(submission) : "",
                seconds(run, result), result.costUsd(), solved.completed(), stopReason(StepPath.root(run.runId())).orElse(null),
                summaries(phases), solved.lineage(), solved.contamination(), run.startedAt());
        store.create(key(run, "final_solution.py"), solved.finalSolution().content().getBytes(StandardCharsets.UTF_8));
        store.create(key(run, "result.json"), Json.text(published).getBytes(StandardCharsets.UTF_8));
    }

    /// REQ-OR-042: why, how long, how much, how far.
    private void failed(RunHeader run, StepResult result) {
        ObjectNode failure = Json.object().put("run_id", run.runId())
                .put("error", result.status() == Status.STOPPED ? "PipelineTimeoutError" : "PipelineError")
                .put("message", result.reason());
        ObjectNode diagnostics = failure.putObject("diagnostics");
        diagnostics.put("elapsed_seconds", seconds(run, result));
        diagnostics.set("cost_usd", Json.tree(result.costUsd()));
        diagnostics.put("last_successful_step", lastDone(StepPath.root(run.runId())).map(step -> step.path().toString()).orElse(null));
        records.store().create(key(run, "failed.json"), Json.text(failure).getBytes(StandardCharsets.UTF_8));
    }

    /// Publishes the last event of the run, unless that is known to have been done: a process may die just before it.
    void announce(RunHeader run) {
        if (records.isAnnounced(run.runId())) {
            return;
        }
        StepResult result = records.result(StepPath.root(run.runId())).orElseThrow();
        boolean done = result.status() == Status.DONE;
        ObjectNode data = Json.object().put("run_id", run.runId()).put("duration_seconds", seconds(run, result));
        data.set("cost_usd", Json.tree(result.costUsd()));
        if (done) {
            FinalResult published = records.store().read(key(run, "result.json"))
                    .map(bytes -> Json.read(Json.parse(bytes), FinalResult.class)).orElseThrow();
            data.set("score", Json.tree(published.bestScore()));
            data.put("submission", published.submissionPath());
            data.set("phases_completed", Json.tree(published.phasesCompleted()));
        } else {
            data.put("error", result.reason());
        }
        publisher.publish(new Event(done ? Event.RUN_COMPLETED : Event.RUN_FAILED, run.runId() + "#end", run.runId(), data));
        records.announced(run.runId());
    }

    private static double seconds(RunHeader run, StepResult result) {
        return Duration.between(run.startedAt(), result.endedAt()).toMillis() / 1000.0;
    }

    private Map<String, PhaseSummary> summaries(List<Records.Known> phases) {
        Map<String, PhaseSummary> summaries = new LinkedHashMap<>();
        for (Records.Known phase : phases) {
            phase.result().ifPresent(result -> summaries.put(phase.path().name(), new PhaseSummary(result.costUsd(),
                    Duration.between(phase.request().askedAt(), result.endedAt()).toMillis() / 1000.0)));
        }
        List<Records.Known> paths = phases.stream()
                .filter(phase -> phase.path().name().startsWith("phase2-") && phase.result().isPresent()).toList();
        if (!paths.isEmpty()) {
            boolean priced = paths.stream().allMatch(path -> path.result().get().costUsd() != null);
            summaries.put("phase2", new PhaseSummary(
                    priced ? paths.stream().mapToDouble(path -> path.result().get().costUsd()).sum() : null,
                    paths.stream().map(path -> summaries.get(path.path().name()).durationSeconds()).max(Comparator.naturalOrder()).get()));
        }
        return summaries;
    }

    /// Why something was left out, as first decided; empty if nothing was.
    private Optional<String> stopReason(StepPath phase) {
        return records.below(phase).stream().flatMap(step -> step.result().stream().flatMap(result ->
                        result.status() == Status.STOPPED ? Optional.of(result.reason()).stream()
                                : step.request().isPhase() ? stopReason(step.path()).stream()
                                : Optional.<String>empty().stream()))
                .filter(Objects::nonNull).findFirst();
    }

    private Optional<Records.Known> lastDone(StepPath phase) {
        return records.below(phase).stream()
                .flatMap(step -> step.request().isPhase()
                        ? lastDone(step.path()).stream() : Optional.of(step).stream())
                .filter(step -> step.result().filter(result -> result.status() == Status.DONE).isPresent())
                .max(Comparator.comparing((Records.Known step) -> step.result().get().endedAt()));
    }

    private static String key(RunHeader run, String name) {
        return Records.key(run.runId(), name);
    }
}
