package io.mlestar.tool;

import io.mlestar.sandbox.Sandbox;
import io.mlestar.sandbox.Workspace;
import io.mlestar.task.PipelineConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/// Gives each agent call a toolbox with a scratch folder of its own, and clears it away afterwards.
///
/// @param sandbox asked for when a command is to be run
/// @param environment where the search engine and its key are read
public record Workshop(Supplier<Sandbox> sandbox, Web web, Map<String, String> environment, ToolFailures failures) {
    private static final Logger LOG = Logger.getLogger("mle_star.tool");
    /// So many failures in a row, and the agent's next question is asked without tools (REQ-OR-035).
    private static final int TOO_MANY_FAILURES = 5;

    /// @param data the task's folder
    /// @param agent name of the agent's step
    /// @param left time for the whole call
    /// @param work is given the tools by their names
    public <R> R open(Path data, PipelineConfig config, String agent, Duration left, Function<Function<List<String>, List<Tool>>, R> work) {
        if (failures.inARow(agent) >= TOO_MANY_FAILURES) {
            LOG.warnf("agent %s is asked without tools: they failed %d times in a row", agent, failures.inARow(agent));
            failures.forget(agent);
            return work.apply(names -> List.of());
        }
        Instant end = Instant.now().plus(left);
        Path folder = made();
        try {
            Toolbox box = new Toolbox(data, folder.resolve("work"), sandbox, web, ToolSettings.of(config, environment),
                    () -> Duration.between(Instant.now(), end));
            return work.apply(names -> box.offered(names).stream().map(tool -> failures.watched(agent, tool)).toList());
        } finally {
            cleared(folder);
        }
    }

    private static Path made() {
        try {
            return Files.createTempDirectory("mlestar-tools-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a folder for tools", e);
        }
    }

    private static void cleared(Path folder) {
        try {
            new Workspace(folder).delete();
        } catch (IOException e) {
            LOG.warnf("the folder %s could not be removed: %s", folder, e);
        }
    }
}
