package io.mlestar.app.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.app.program.RunSupervisor;
import io.mlestar.app.start.Caller;
import io.mlestar.app.start.Launch;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.engine.Sweep;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Trace;
import io.mlestar.core.step.StepPath;
import io.mlestar.show.telemetry.ProcessMetrics;
import io.quarkus.funqy.Context;
import io.quarkus.funqy.Funq;
import io.quarkus.funqy.knative.events.CloudEvent;
import io.quarkus.funqy.knative.events.CloudEventMapping;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/// The functions around a run: its beginning, its scripts, its early end, and what goes wrong.
public class RunFunctions {
    private final Launch launch;
    private final Records records;
    private final Sweep sweep;
    private final Jobs jobs;
    private final DeadLetters deadLetters;
    private final ProcessMetrics metrics;
    private final Duration patience;
    private final RunSupervisor supervisor;
    private final RunRejections refusals;
    private final CurrentVertxRequest request;

    /// @param patience how long the sweep waits for a step; longer than a model call with all its
    ///   retries
    RunFunctions(
            Launch launch,
            Records records,
            Sweep sweep,
            Jobs jobs,
            DeadLetters deadLetters,
            ProcessMetrics metrics,
            @ConfigProperty(name = "mle_star.patience", defaultValue = "PT15M") Duration patience,
            RunSupervisor supervisor,
            RunRejections refusals,
            CurrentVertxRequest request) {
        this.launch = launch;
        this.records = records;
        this.sweep = sweep;
        this.jobs = jobs;
        this.deadLetters = deadLetters;
        this.metrics = metrics;
        this.patience = patience;
        this.supervisor = supervisor;
        this.refusals = refusals;
        this.request = request;
    }

    /// Starts a run; the same event again starts nothing. The answer names the run in its headers
    /// and has no body: a broker would take one for an event.
    @Funq("run-requested")
    @CloudEventMapping(trigger = Event.RUN_REQUESTED)
    public Uni<Void> runRequested(JsonNode data, @Context CloudEvent<JsonNode> event) {
        Instant now = Instant.now();
        RunHeader header =
                event == null
                        ? launch.prepare(records, launch.request(data),
                                new Caller.Sender(now.toString()), now)
                        : prepared(data, event);
        supervisor.start(header);
        request.getCurrent()
                .response()
                .setStatusCode(202)
                .putHeader("x-mlestar-run", header.runId())
                .putHeader("Location", "/runs/" + header.runId())
                .end();
        // Funqy would answer a second time.
        return Uni.createFrom().nothing();
    }

    private RunHeader prepared(JsonNode data, CloudEvent<JsonNode> event) {
        RunHeader header;
        try {
            header = launch.prepare(records, launch.request(data),
                    new Caller.Sender(event.source() + " " + event.id()), Instant.now());
        } catch (Invalid e) {
            refusals.tell(event.source(), event.id(), data, e.getMessage());
            throw e;
        }
        Trace.parse(event.extensions().get("traceparent"), event.extensions().get("tracestate"))
                .ifPresent(trace -> records.join(header.runId(), trace));
        return header;
    }

    /// Lets a run finish with the best so far.
    @Funq("run-cancelled")
    @CloudEventMapping(trigger = Event.RUN_CANCELLED)
    public void runCancelled(JsonNode data) {
        String run = StepPath.root(Event.runOf(data)).run();
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
        sweep.troubles()
                .forEach((kind, count) -> metrics.troubles(kind.name().toLowerCase(Locale.ROOT),
                        count));
    }

    /// Records a step that could not be done as failed, so that its phase goes on.
    @Funq("dead-letter")
    @CloudEventMapping(trigger = Event.DEAD_LETTER)
    public void deadLetter(JsonNode data) {
        deadLetters.fail(data);
    }
}
