package io.mlestar.app.start;

import io.mlestar.app.start.Forecast.RunDurations;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.engine.VirtualTime;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.result.RunFiles;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Price;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.TaskDescription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// A whole run in memory: one process with the real engine and the real phases, on the virtual
/// clock.
///
/// @param cut why something was left out, or the run failed; null if it went its whole way
record PlannedRun(Duration took, int calls, int scripts, @Nullable Double costUsd, @Nullable String cut) {
    static final String PROMPTS = "none";
    private static final String RUN = "plan";
    /// What an event takes from one function to the next; measured, it is less (`make bench`).
    private static final Duration DELIVERY = Duration.ofMillis(10);

    static PlannedRun play(TaskDescription task, PipelineConfig config, RunDurations durations, int slots,
            BiFunction<String, Long, Optional<Price>> prices) {
        VirtualTime time = new VirtualTime(Instant.EPOCH);
        VirtualTime.SimulatedProcess program = time.process();
        MemoryStore store = new MemoryStore();
        store.create(PlannedWork.SUBMISSION, "id\n".getBytes(StandardCharsets.UTF_8));
        Records records = new Records(store);
        Engine[] engine = new Engine[1];
        engine[0] = new Engine(records, event -> {
            if (!event.endsRun()) {
                program.after(DELIVERY, () -> engine[0].work(Event.stepOf(event.data())));
            }
        }, new PlannedWork(time, durations, slots, config, task.metricDirection(), prices), time, new Watcher() {});
        Instant deadline = Instant.EPOCH.plusSeconds(config.limits().timeLimitSeconds());
        program.after(Duration.ZERO, () -> engine[0].start(
                new RunHeader(RUN, task, config, "made up", "plan", PROMPTS, Instant.EPOCH, deadline, null,
                        new RunHeader.Environment("", "", ""))));
        time.play(() -> records.hasEnded(RUN));
        return played(records);
    }

    private static PlannedRun played(Records records) {
        StepResult end =
                records.result(StepPath.root(RUN)).orElseThrow(() -> new AssertionError("the run stands still"));
        Optional<FinalResult> published = RunFiles.result(records, RUN);
        List<KnownStep> done = Walk.READABLE.steps(records, RUN)
                .filter(step -> !step.request().isPhase() && step.done().isPresent()).toList();
        int calls = (int) done.stream().filter(step -> step.request().isAgent()).count();
        int scripts = (int) done.stream().filter(step -> step.request().isScript() && step.step().isReusable()).count();
        return new PlannedRun(Duration.between(Instant.EPOCH, end.endedAt()), calls, scripts, end.costUsd(),
                published.isPresent() ? published.get().stopReason() : end.reason());
    }
}
