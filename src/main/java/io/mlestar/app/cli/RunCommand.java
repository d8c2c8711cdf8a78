package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.bucket.Stores;
import io.mlestar.app.local.RunSummary;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.start.Launch;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.show.view.Recording;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Runs the whole pipeline on this machine, or carries on where a run of that id stood.
@Command(name = "run", description = "Run the whole pipeline on this machine; the same --run-id again resumes it.",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("MMdd-HHmmss", Locale.ROOT);

    @Option(names = "--task", required = true, paramLabel = "FILE", description = "task description, YAML or JSON")
    Path task;

    @Option(names = "--config", paramLabel = "FILE", description = "configuration, YAML or JSON")
    @Nullable
    Path config;

    @Mixin
    SettingsOption settings;

    @Option(names = "--run-id", paramLabel = "ID", description = "name of the run (default: made from the task and the time)")
    @Nullable
    String runId;

    @Option(names = "--record", paramLabel = "FOLDER", description = "keep the answers of the run in FOLDER, for --model recorded:FOLDER")
    @Nullable
    Path record;

    @Mixin
    OutputOptions output;

    @Mixin
    StoreOption store;

    @Override
    public Integer call() {
        CompositionRoot root = CompositionRoot.ofProcess();
        Launch launch = RunLauncher.launch(root);
        ObjectNode described = YamlFile.map(task);
        Instant now = Instant.now();
        String id = runId != null ? runId : Launch.runId(Json.readStrictly(described, TaskDescription.class).competitionId(),
                STAMP.format(now.atZone(ZoneId.systemDefault())));
        ObjectNode explicit = settings.over(config);
        RunHeader header = launch.header(Optional.of(id), id, described, explicit, YamlFile.folder(task), now);
        Stores.checkApart(header.task().dataDir(), store.address);

        Records records = store.open();
        Optional<RunHeader> begun = records.header(id);
        begun.ifPresent(earlier -> sameRun(earlier, header));
        RunLauncher.toTheEnd(root, records, begun.orElse(header), store, output);
        if (record != null) {
            new Recording(records, id).export(record);
        }
        return new RunSummary(records, id, store.words()).print(output.json);
    }

    private static void sameRun(RunHeader earlier, RunHeader now) {
        JsonNode before = Json.tree(earlier.config());
        JsonNode after = Json.tree(now.config());
        if (!Json.tree(earlier.task()).equals(Json.tree(now.task())) || !before.equals(after)) {
            throw new Invalid("run " + earlier.runId() + " was started with another task or configuration; use another --run-id");
        }
    }
}
