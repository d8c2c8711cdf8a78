package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.app.console.LogSettings;
import io.mlestar.app.console.Logging;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.program.OneShot;
import io.mlestar.app.program.Serving;
import io.mlestar.app.start.TaskFolder;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.step.StepPath;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The commands that containers start: a server, or one script step.
final class ServerCommands {
    private ServerCommands() {}

    @Command(name = "serve", description = "Serve the functions and the embedded broker over HTTP.",
            mixinStandardHelpOptions = true)
    static final class ServeCommand implements Callable<Integer> {
        @Option(names = "--port", paramLabel = "N",
                description = "port to listen on (default: 8080)")
        @Nullable
        Integer port;

        @Option(names = "--host", paramLabel = "ADDRESS", defaultValue = "127.0.0.1",
                description = "address to listen on (default: ${DEFAULT-VALUE})")
        String host;

        @Option(names = "--host-name", split = ",", paramLabel = "NAME",
                description = "a name by which browsers and programs reach this server; others than it and localhost are not answered")
        List<String> hostNames = List.of();

        @Option(names = "--model", paramLabel = "PROVIDER:NAME",
                description = "the model of runs that name none (default: MLE_STAR_MODEL, or sonnet)")
        @Nullable
        String model;

        @Option(names = "--tasks", paramLabel = "FOLDER",
                description = "the page may start runs of its files task.yaml and NAME.task.yaml, and of those in"
                        + " the folders right in it (default: " + TaskFolder.VARIABLE
                        + ", or none)")
        @Nullable
        String tasks;

        @Mixin
        StoreOption store;

        @Override
        public Integer call() throws Exception {
            return new Serving(host, Optional.ofNullable(port), hostNames, store.address,
                    Optional.ofNullable(model), Optional.ofNullable(tasks))
                    .run(CompositionRoot.ofProcess());
        }
    }

    /// One script step, as a Kubernetes Job that a JobSink made (`K_EXECUTION_MODE=batch`): reads
    /// the event that is mounted at `K_EVENT_PATH`, runs the script, stores the result, tells the
    /// broker (`K_SINK`) and ends. Exit code 0: the step is done, now or before; 2: it can never
    /// be; anything else: try again.
    @Command(name = "job", hidden = true,
            description = "Do the script step of the event at K_EVENT_PATH and end.")
    static final class JobCommand implements Callable<Integer> {
        @Mixin
        StoreOption store;

        @Override
        public Integer call() throws IOException {
            CompositionRoot root = CompositionRoot.ofProcess();
            Logging.alone(LogSettings.of(root.environment()));
            JsonNode event = event(Path.of(required(root, "K_EVENT_PATH")));
            StepPath step = Event.stepOf(event.path("data"));
            new OneShot(root).job(store.open(), step, event.path("id").asText(),
                    URI.create(required(root, "K_SINK")));
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
                throw new Invalid(
                        "a job takes events of type " + Event.SCRIPT + ", not \""
                                + event.path("type").asText() + "\"");
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
}
