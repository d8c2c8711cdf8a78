package io.mlestar.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.event.Event;
import io.mlestar.run.Engine;
import io.mlestar.run.Launch;
import io.mlestar.run.Records;
import io.mlestar.run.RunHeader;
import io.mlestar.run.Sweep;
import io.mlestar.run.Trace;
import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import io.quarkus.funqy.Context;
import io.quarkus.funqy.Funq;
import io.quarkus.funqy.knative.events.CloudEvent;
import io.quarkus.funqy.knative.events.CloudEventMapping;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/// The functions around a run: its beginning, its scripts, its early end, and what goes wrong.
public class RunFunctions {
    private final Engine engine;
    private final Launch launch;
    private final Records records;
    private final Sweep sweep;
    private final Jobs jobs;
    private final DeadLetters deadLetters;
    private final Metrics metrics;
    private final Duration patience;

    /// @param patience how long the sweep lets a step be under way; longer than a model call with all its retries
    RunFunctions(Engine engine, Launch launch, Records records, Sweep sweep, Jobs jobs, DeadLetters deadLetters, Metrics metrics,
            @ConfigProperty(name = "mle.star.patience", defaultValue = "PT15M") Duration patience) {
        this.engine = engine;
        this.launch = launch;
        this.records = records;
        this.sweep = sweep;
        this.jobs = jobs;
        this.deadLetters = deadLetters;
        this.metrics = metrics;
        this.patience = patience;
    }

    /// Starts a run; the same event again starts nothing.
    @Funq("run-requested")
    @CloudEventMapping(trigger = Event.RUN_REQUESTED)
    public void runRequested(JsonNode data, @Context CloudEvent<JsonNode> event) {
        String origin = event == null ? Instant.now().toString() : event.source() + " " + event.id();
        RunHeader header = launch.requested(records, data, origin, Path.of(""), Instant.now());
        if (event != null) {
            Trace.parse(event.extensions().get("traceparent"), event.extensions().get("tracestate"))
                    .ifPresent(trace -> records.join(header.runId(), trace));
        }
        engine.start(header);
    }

    /// Lets a run finish with the best so far.
    @Funq("run-cancelled")
    @CloudEventMapping(trigger = Event.RUN_CANCELLED)
    public void runCancelled(JsonNode data) {
        String run = StepPath.root(data.path("run_id").asText()).run();
        if (records.header(run).isEmpty()) {
            throw new Invalid("there is no run " + run);
        }
        records.cancel(run);
    }

    /// Takes a script and answers at once: the work may take hours.
    @Funq("script")
    @CloudEventMapping(trigger = Event.SCRIPT)
    public void script(JsonNode event) {
        jobs.run(Event.stepOf(event));
    }

    /// Sends again what was lost; called every minute by a timer.
    @Funq("sweep")
    @CloudEventMapping(trigger = Event.SWEEP)
    public void sweep() {
        metrics.resent(sweep.all(patience));
    }

    /// Records a step that could not be done as failed, so that its phase goes on.
    @Funq("dead-letter")
    @CloudEventMapping(trigger = Event.DEAD_LETTER)
    public void deadLetter(JsonNode data) {
        deadLetters.fail(data);
    }
}
