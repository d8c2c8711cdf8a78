package io.mlestar.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.agent.Prompts;
import io.mlestar.llm.Models;
import io.mlestar.report.Recording;
import io.mlestar.run.Launch;
import io.mlestar.run.LocalLock;
import io.mlestar.run.Records;
import io.mlestar.run.RunHeader;
import io.mlestar.sandbox.Machine;
import io.mlestar.sandbox.Python;
import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.quarkus.runtime.Quarkus;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Runs the whole pipeline on this machine, or carries on where a run of that id stood.
@Command(name = "run", description = "Run the whole pipeline on this machine; the same --run-id again resumes it.",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("MMdd-HHmmss").withZone(ZoneId.systemDefault());

    @Option(names = "--task", required = true, paramLabel = "FILE", description = "task description, YAML or JSON")
    Path task;

    @Option(names = "--config", paramLabel = "FILE", description = "configuration, YAML or JSON")
    Path config;

    @Option(names = "--set", paramLabel = "FIELD=VALUE", description = "one field of the configuration; may be repeated")
    Map<String, String> settings = new LinkedHashMap<>();

    @Option(names = "--model", paramLabel = "PROVIDER:NAME", description = "the model that all agents ask, e.g. recorded:FOLDER")
    String model;

    @Option(names = "--run-id", paramLabel = "ID", description = "name of the run (default: made from the task and the time)")
    String runId;

    @Option(names = "--record", paramLabel = "FOLDER", description = "keep the answers of the run in FOLDER, for --model recorded:FOLDER")
    Path record;

    @Option(names = "--json", description = "print the final result as JSON")
    boolean json;

    @Mixin
    StoreOption store;

    @Override
    public Integer call() {
        Map<String, String> environment = System.getenv();
        Python.find(environment.getOrDefault("MLE_STAR_PYTHON", "python3"));
        Launch launch = new Launch(new Models(environment), Prompts.load(), Machine.detect(), Version.TEXT, environment);
        Path base = Objects.requireNonNullElse(task.toAbsolutePath().getParent(), Path.of("/"));
        ObjectNode described = Files.map(task);
        Instant now = Instant.now();
        String id = runId != null ? runId : described.path("competition_id").asText("run") + "-" + STAMP.format(now);
        RunHeader header = launch.header(Optional.of(id), id, described, explicit(), base, now);

        Records records = store.open();
        Optional<RunHeader> begun = records.header(id);
        begun.ifPresent(earlier -> sameRun(earlier, header));
        if (records.result(StepPath.root(id)).isEmpty()) {
            if (!LocalLock.take(Path.of(records.store().address(Records.key(id, "lock"))))) {
                throw new Invalid("run " + id + " is being worked on by another process");
            }
            records.create(header);
            serveUntilDone(begun.orElse(header));
        }
        if (record != null) {
            new Recording(records, id).export(record);
        }
        return new Ending(records, id).print(json);
    }

    /// What was set by hand: the file, then `--set`, then `--model`.
    private ObjectNode explicit() {
        ObjectNode explicit = config == null ? Json.object() : Files.map(config);
        settings.forEach((field, value) -> explicit.set(field, Files.value(value)));
        if (model != null) {
            explicit.put("model", model);
        }
        return explicit;
    }

    private static void sameRun(RunHeader earlier, RunHeader now) {
        JsonNode before = Json.tree(earlier.config());
        JsonNode after = Json.tree(now.config());
        if (!Json.tree(earlier.task()).equals(Json.tree(now.task())) || !before.equals(after)) {
            throw new Invalid("run " + earlier.runId() + " was started with another task or configuration; use another --run-id");
        }
    }

    private void serveUntilDone(RunHeader header) {
        System.setProperty("quarkus.http.port", "0");
        System.setProperty("quarkus.http.host", "127.0.0.1");
        System.setProperty("mle.star.store", store.address);
        Logging.configure(header.config(), true);
        AtomicInteger exit = new AtomicInteger();
        Quarkus.run(LocalRun.class, (code, failure) -> {
            if (failure != null) {
                System.err.println("mlestar: " + failure);
                exit.set(1);
            }
        }, header.runId());
        if (exit.get() != 0) {
            throw new IllegalStateException("the server could not be started");
        }
    }
}
