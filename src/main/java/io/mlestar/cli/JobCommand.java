package io.mlestar.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.bucket.DataSets;
import io.mlestar.engine.Engine;
import io.mlestar.engine.Records;
import io.mlestar.engine.SteadyClock;
import io.mlestar.engine.Watchers;
import io.mlestar.event.Event;
import io.mlestar.event.HttpSink;
import io.mlestar.log.StepLog;
import io.mlestar.run.JobPerformer;
import io.mlestar.run.ScriptJob;
import io.mlestar.sandbox.Demand;
import io.mlestar.sandbox.MemoryPressure;
import io.mlestar.sandbox.Python;
import io.mlestar.sandbox.Sandbox;
import io.mlestar.sandbox.ScriptRunner;
import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.PipelineConfig;
import io.mlestar.telemetry.Tracing;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// One script step, as a Kubernetes Job that a JobSink made (`K_EXECUTION_MODE=batch`): reads the event that is mounted at
/// `K_EVENT_PATH`, runs the script, stores what came of it, tells the broker (`K_SINK`) and ends. Exit code 0: the step is done,
/// now or before; 2: it can never be; anything else: try again.
@Command(name = "job", hidden = true, description = "Do the script step of the event at K_EVENT_PATH and end.")
final class JobCommand implements Callable<Integer> {
    private static final Duration BROKER_TIMEOUT = Duration.ofSeconds(60);

    @Mixin
    StoreOption store;

    @Override
    public Integer call() throws IOException {
        Map<String, String> environment = System.getenv();
        Logging.alone(PipelineConfig.resolve(Json.object(), environment));
        JsonNode event = event(Path.of(required("K_EVENT_PATH")));
        StepPath step = Event.stepOf(event.path("data"));
        URI broker = URI.create(required("K_SINK"));
        Records records = store.open();
        Vertx vertx = Vertx.vertx();
        try (Tracing tracing = new Tracing(records, environment)) {
            InstantSource clock = new SteadyClock();
            Python python = Python.of(environment);
            // A Job has no key of a model to lose.
            Demand.of(environment, false).check(python);
            ScriptRunner scripts = new ScriptRunner(Sandbox.of(python), clock);
            ScriptJob job = new ScriptJob(records, new DataSets(environment), () -> scripts, MemoryPressure.ofContainer());
            HttpSink sink = new HttpSink(HttpSink.client(vertx), broker, BROKER_TIMEOUT);
            new Engine(records, told -> sink.publish(tracing.carry(told)),
                    new JobPerformer(job, clock, event.path("id").asText()), clock, new Watchers(new StepLog(), tracing)).work(step);
            return 0;
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    /// A JobSink writes the event in structured form, as the file `event` of a folder.
    private static JsonNode event(Path path) throws IOException {
        Path file = Files.isDirectory(path) ? path.resolve("event") : path;
        if (!Files.exists(file)) {
            throw new Invalid("K_EVENT_PATH: there is no event at " + file);
        }
        JsonNode event = Json.parse(Files.readAllBytes(file));
        if (!event.path("type").asText().equals(Event.SCRIPT)) {
            throw new Invalid("a job takes events of type " + Event.SCRIPT + ", not \"" + event.path("type").asText() + "\"");
        }
        return event;
    }

    private static String required(String variable) {
        String value = System.getenv(variable);
        if (value == null || value.isBlank()) {
            throw new Invalid(variable + " is not set; a JobSink and a SinkBinding set it");
        }
        return value;
    }
}
