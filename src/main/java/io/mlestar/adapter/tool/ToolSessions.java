package io.mlestar.adapter.tool;

import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.isolation.Workspace;
import io.mlestar.core.step.Agent;
import io.mlestar.core.task.PipelineConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/// Gives each agent call a set of tools with a scratch folder of its own, and clears it away
/// afterwards.
///
/// @param sandbox asked for when a command is to be run
/// @param foreign tools that others carry out
/// @param environment where the search engine and its key are read, and who approves
public record ToolSessions(
        Supplier<Sandbox> sandbox,
        Web web,
        ExternalTools foreign,
        Map<String, String> environment,
        ToolFailures failures) {
    private static final Logger LOG = Logger.getLogger("mle_star.tool");
    /// After so many failures in a row the agent's next question is asked without tools
    /// (REQ-OR-035).
    private static final int TOO_MANY_FAILURES = 5;

    /// @throws io.mlestar.core.base.Invalid if the environment names an approver that is no program
    public static void check(Map<String, String> environment) {
        Approver.check(environment);
    }

    /// @param data gives the task's folder; asked when a tool wants it, since it may have to be
    ///   fetched; an empty one is shown if it is not there
    /// @param caller whose call it is, for the log
    /// @param left time for the whole call
    /// @param work receives what finds tools by their names
    public <R> R open(
            Supplier<Path> data,
            PipelineConfig config,
            String caller,
            Agent<?> asked,
            Duration left,
            Function<Function<List<String>, List<Tool>>, R> work) {
        String agent = asked.name();
        if (failures.inARow(agent) >= TOO_MANY_FAILURES) {
            LOG.warnf("agent %s is asked without tools: they failed %d times in a row", agent,
                    failures.inARow(agent));
            failures.forget(agent);
            return work.apply(names -> List.of());
        }
        Instant end = Instant.now().plus(left);
        Supplier<Duration> rest = () -> Duration.between(Instant.now(), end);
        Path folder = made();
        try (ExternalTools.ConnectedTools others = foreign.open(config, asked.type(), rest)) {
            Permission approver = Approver.of(environment, caller, agent, folder, rest);
            ToolSettings settings = ToolSettings.of(config.tools(), approver, environment);
            Hooks hooks = new Hooks(caller, agent, failures, settings.permission(), rest,
                    new ReentrantLock());
            ToolSet box =
                    new ToolSet(() -> shown(data.get(), folder), folder.resolve("work"), sandbox,
                            web, settings, hooks, config.search().agentsLook(),
                            asked.module());
            return work.apply(names -> Stream
                    .concat(box.offered(names).stream(), others.tools().stream().map(hooks::around))
                    .toList());
        } finally {
            cleared(folder);
        }
    }

    private static Path shown(Path data, Path folder) {
        if (Files.isDirectory(data)) {
            return data;
        }
        LOG.warnf("there is no folder %s: the tools show an empty one", data);
        try {
            return Files.createDirectories(folder.resolve("nothing"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a folder for tools", e);
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
