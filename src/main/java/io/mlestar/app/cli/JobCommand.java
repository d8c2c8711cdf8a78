package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.app.console.Logging;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.step.StepPath;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// One script step, as a Kubernetes Job that a JobSink made (`K_EXECUTION_MODE=batch`): reads the event that is mounted at
/// `K_EVENT_PATH`, runs the script, stores what came of it, tells the broker (`K_SINK`) and ends. Exit code 0: the step is done,
/// now or before; 2: it can never be; anything else: try again.
@Command(name = "job", hidden = true, description = "Do the script step of the event at K_EVENT_PATH and end.")
final class JobCommand implements Callable<Integer> {
    @Mixin
    StoreOption store;

    @Override
    public Integer call() throws IOException {
        CompositionRoot root = CompositionRoot.ofProcess();
        Logging.alone(root.config(Json.object()));
        JsonNode event = event(Path.of(required(root, "K_EVENT_PATH")));
        StepPath step = Event.stepOf(event.path("data"));
        URI broker = URI.create(required(root, "K_SINK"));
        root.job(store.open(), step, event.path("id").asText(), broker);
        return 0;
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

    private static String required(CompositionRoot root, String variable) {
        String value = root.environment().get(variable);
        if (value == null || value.isBlank()) {
            throw new Invalid(variable + " is not set; a JobSink and a SinkBinding set it");
        }
        return value;
    }
}
