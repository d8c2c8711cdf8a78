package io.mlestar.core.result;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.BestEffort;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.event.Publisher;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.result.LastResort.SalvagedSubmission;
import io.mlestar.core.steering.Allowance;
import io.mlestar.core.step.Execution.Submission;
import io.mlestar.core.step.Phase;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.Store;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.Results.PhaseSummary;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Writes the files with which a run ends and publishes its last event. Idempotent: the first
/// result stays.
public record Publication(Records records, Publisher publisher, Watcher watcher) {
    /// Characters of a reason that an event carries; the store has all of it. Brokers take events
    /// of a megabyte at most.
    private static final int MOST_TOLD = 4_000;

    /// Writes the files of the run's folder.
    public void publish(RunHeader run, StepResult result) {
        switch (result.ending()) {
            case StepResult.Done done -> solved(run, result, done.of(new Pipeline()));
            case StepResult.Unfinished missed -> failed(run, result);
        }
    }

    private void solved(RunHeader run, StepResult result, Pipeline.Result solved) {
        Store store = records.store();
        List<String> lineage = new ArrayList<>(solved.lineage());
        Handover handover = handover(run, solved, lineage);
        if (handover.source() != null && handover.failure() != null) {
            lineage.add("submission: not valid: " + handover.failure());
        }
        List<KnownStep> phases = records.readable(run.root());
        tally(run, () -> phases, null);
        FinalResult published =
                new FinalResult(run.runId(), run.task(), run.config(), solved.phase1(),
                        solved.phase2Results(), solved.bestPath(), solved.phase3(), solved.chosen(),
                        solved.finalSolution(), solved.chosen().score().value(),
                        handover.source() == null
                                ? ""
                                : store.address(key(run, RunFiles.SUBMISSION)),
                        seconds(run, result), result.costUsd(), solved.completed(), leftOut(run),
                        BestEffort.RETRIED
                                .get("the result of run " + run.runId() + " has no phase_summaries",
                                        () -> summaries(phases))
                                .orElse(Map.of()),
                        lineage, solved.contamination(), solved.contaminationNote(),
                        handover.source(), handover.failure(), handover.replaced(),
                        solved.phase1().initialScore(), solved.betterScript(), solved.gains(),
                        run.startedAt());
        store.create(key(run, RunFiles.FINAL_SOLUTION),
                solved.finalSolution().content().getBytes(StandardCharsets.UTF_8));
        store.create(key(run, RunFiles.RESULT), ChecksummedJson.text(published));
    }

    /// The source of the submission in a run's folder.
    ///
    /// @param source as of a [FinalResult]
    /// @param failure likewise
    /// @param replaced likewise
    private record Handover(
            @Nullable String source,
            @Nullable String failure,
            @Nullable String replaced) {}

    /// Puts the last script's submission into the run's folder, or as a last resort another one.
    private Handover handover(RunHeader run, Pipeline.Result solved, List<String> lineage) {
        Submission own = solved.submission();
        if (own != null && kept(run, own)) {
            return new Handover(FinalResult.FINALIZATION, own.wrong(), null);
        }
        String why =
                own == null ? solved.submissionFailure() : "the store does not hold its submission";
        Optional<SalvagedSubmission> salvaged =
                new LastResort(records).of(run, solved.finalSolution())
                        .filter(one -> kept(run, one.submission()));
        if (salvaged.isEmpty()) {
            String failure = "no script wrote ./final/submission.csv; finalization: " + why;
            lineage.add("submission: none: " + failure);
            return new Handover(null, failure, null);
        }
        SalvagedSubmission other = salvaged.get();
        String step = other.step().inside();
        lineage.add("submission: as a last resort the one that " + step + " wrote (score "
                + other.score() + ", "
                + other.submission().rowCount() + " rows)");
        return new Handover(step, other.submission().wrong(), why);
    }

    /// Copies a submission to the run's folder.
    private boolean kept(RunHeader run, Submission submission) {
        return records.store()
                .read(submission.key())
                .map(bytes -> records.store().create(key(run, RunFiles.SUBMISSION), bytes))
                .isPresent();
    }

    /// REQ-OR-042: why, how long, how much, how far. A submission that a script wrote by then is
    /// published too.
    private void failed(RunHeader run, StepResult result) {
        ObjectNode failure = Json.object()
                .put("run_id", run.runId())
                .put("error", result.isStopped() ? "PipelineTimeoutError" : "PipelineError")
                .put("message", result.reason());
        Crash crash =
                BestEffort.RETRIED
                        .get("run " + run.runId() + " has no crash",
                                () -> Crash.mostOften(records, run.runId()).orElse(null))
                        .orElse(null);
        failure.set("crash", Json.tree(crash));
        failure.set("next", Json.tree(NextCommands.failed(run, result, crash)));
        failure.set("diagnostics",
                Json.tree(BestEffort.RETRIED.get("run " + run.runId() + " has no diagnostics",
                        () -> new Diagnostics(records).of(run, result, seconds(run, result)))));
        new LastResort(records).of(run)
                .filter(found -> kept(run, found.submission()))
                .ifPresent(found -> {
                    records.store()
                            .create(key(run, RunFiles.FINAL_SOLUTION),
                                    found.script().getBytes(StandardCharsets.UTF_8));
                    failure.put("submission",
                            records.store().address(key(run, RunFiles.SUBMISSION)))
                            .put("submission_source", found.step().inside())
                            .put("score", found.score());
                });
        tally(run,
                () -> Walk.SHARED.steps(records, run.runId())
                        .filter(step -> step.path().isTop())
                        .toList(),
                crash);
        records.store().create(key(run, RunFiles.FAILED), ChecksummedJson.text(failure));
    }

    /// Publishes the last event of the run, unless a record says that this was done: a process may
    /// die just before it.
    public void announce(RunHeader run) {
        if (records.isAnnounced(run.runId())) {
            return;
        }
        StepResult result = records.result(run.root()).orElseThrow();
        ObjectNode data = Json.object()
                .put("run_id", run.runId())
                .put("duration_seconds", seconds(run, result));
        data.set("cost_usd", Json.tree(result.costUsd()));
        if (result.isDone()) {
            FinalResult published = RunFiles.result(records, run.runId()).orElseThrow();
            data.set("score", Json.tree(published.bestScore()));
            data.put("submission", published.submissionPath());
            data.set("phases_completed", Json.tree(published.phasesCompleted()));
            watcher.published(run, published);
        } else {
            String reason = String.valueOf(result.reason());
            data.put("error", Excerpt.clip(reason, MOST_TOLD));
            watcher.failed(run, reason);
        }
        String type = result.isDone() ? Event.RUN_COMPLETED : Event.RUN_FAILED;
        publisher.publish(new Event(type, run.runId() + "#end", run.runId(), data));
        records.announced(run.runId());
    }

    private static double seconds(RunHeader run, StepResult result) {
        return Duration.between(run.startedAt(), result.endedAt()).toMillis() / 1000.0;
    }

    private Map<String, PhaseSummary> summaries(List<KnownStep> phases) {
        Map<String, PhaseSummary> summaries = new LinkedHashMap<>();
        Map<String, List<KnownStep>> parts = new LinkedHashMap<>();
        for (KnownStep phase : phases) {
            if (phase.result().isPresent() && phase.step() instanceof Phase<?> known) {
                summaries.put(phase.path().name(), summary(List.of(phase)));
                parts.computeIfAbsent(known.part(), part -> new ArrayList<>()).add(phase);
            }
        }
        parts.forEach((part, together) -> summaries.putIfAbsent(part, summary(together)));
        return summaries;
    }

    /// The summary of phases that have ended and make one part of the pipeline.
    private static PhaseSummary summary(List<KnownStep> phases) {
        List<StepResult> results =
                phases.stream().map(phase -> phase.result().orElseThrow()).toList();
        boolean priced = results.stream().allMatch(result -> result.costUsd() != null);
        Instant begin =
                phases.stream()
                        .map(phase -> phase.request().askedAt())
                        .min(Comparator.naturalOrder())
                        .orElseThrow();
        Instant end = results.stream()
                .map(StepResult::endedAt)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        return new PhaseSummary(
                priced ? results.stream().mapToDouble(StepResult::costUsd).sum() : null,
                Duration.between(begin, end).toMillis() / 1000.0);
    }

    /// Keeps what the run came to. Without a tally readers go through the steps of a run that
    /// failed, and say which record is damaged.
    private void tally(RunHeader run, Supplier<List<KnownStep>> phases, @Nullable Crash crash) {
        BestEffort.RETRIED.run("run " + run.runId() + " has no sums", () -> {
            RunMarks marks = records.marks(run.runId());
            RunTally.count(records, run, phases.get(), marks.isCancelled(),
                    Allowance.of(records.store(), run.runId(), marks))
                    .failedBy(crash)
                    .keep(records.store(), run.runId());
        });
    }

    /// The first reason for which something was left out; null if nothing was, but in a phase that
    /// was ended from outside.
    private @Nullable String leftOut(RunHeader run) {
        return Walk.READABLE.steps(records, run.runId())
                .flatMap(step -> step.result().stream())
                .filter(StepResult::isStopped)
                .map(StepResult::reason)
                .filter(reason -> !StepResult.PHASE_ENDED.equals(reason))
                .findFirst()
                .orElse(null);
    }

    private static String key(RunHeader run, String name) {
        return Records.key(run.runId(), name);
    }
}
