package io.mlestar.adapter.tool;

import io.mlestar.adapter.script.Sandbox;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Answer.DataLook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The tools for one agent call, each behind the [Hooks].
final class ToolSet {
    private static final Logger LOG = Logger.getLogger("mle_star.tool");

    private final Map<String, Tool> tools = new LinkedHashMap<>();
    private final Map<String, Function<Sandbox, Tool>> commands;
    private final Supplier<Sandbox> sandbox;
    private final Hooks hooks;

    /// @param data gives the task's folder, shown as `input`
    /// @param scratch the step's own folder; made if it is not there
    /// @param sandbox called only when an agent may run commands
    /// @param looks most scripts that may look at the data
    /// @param best what these may import; null if there is none
    ToolSet(
            Supplier<Path> data,
            Path scratch,
            Supplier<Sandbox> sandbox,
            Web web,
            ToolSettings settings,
            Hooks hooks,
            int looks,
            @Nullable String best) {
        PathGuard places = places(data, scratch);
        this.hooks = hooks;
        this.sandbox = sandbox;
        Supplier<Duration> left = hooks.left();
        new FileTools(places).all().forEach(this::add);
        add(new WebFetchTool(web, left).tool());
        add(new ListFilesTool(places::data).tool());
        add(ParseScoreTool.tool());
        settings.search().ifPresent(engine -> add(new WebSearchTool(web, engine, left).tool()));
        Map<String, Function<Sandbox, Tool>> walled = new HashMap<>();
        walled.put("Bash",
                wall -> new BashTool(places, new BlockedCommands(settings.blockedCommands()), wall,
                        left).tool());
        if (looks > 0) {
            walled.put(DataLook.TOOL,
                    wall -> new RunPythonTool(places, wall, left, best, new AtomicInteger(looks),
                            new AtomicBoolean(true)).tool());
        }
        this.commands = walled;
    }

    private void add(Tool tool) {
        tools.put(tool.name(), tool);
    }

    private static PathGuard places(Supplier<Path> data, Path scratch) {
        try {
            return new PathGuard(data, Files.createDirectories(scratch).toRealPath());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the folder " + scratch, e);
        }
    }

    /// Commands run only behind a wall that keeps the machine's files from them: nothing else reads
    /// what they do.
    private Optional<Sandbox> walled(String tool) {
        try {
            Optional<Sandbox> walled = Optional.of(sandbox.get()).filter(Sandbox::keepsFiles);
            if (walled.isEmpty()) {
                LOG.warnf(
                        "%s is not offered: no wall on this machine keeps its files from commands; install bubblewrap",
                        tool);
            }
            return walled;
        } catch (Invalid e) {
            LOG.warnf("%s is not offered: %s", tool, e.getMessage());
            return Optional.empty();
        }
    }

    /// The tools of these names; unknown and unconfigured ones are left out (REQ-OR-008,
    /// REQ-OR-010).
    List<Tool> offered(List<String> names) {
        return names.stream()
                .distinct()
                .flatMap(name -> tool(name).stream())
                .map(hooks::around)
                .toList();
    }

    private Optional<Tool> tool(String name) {
        Function<Sandbox, Tool> command = commands.get(name);
        if (command != null) {
            return walled(name).map(command);
        }
        Tool tool = tools.get(name);
        if (tool == null) {
            // The provider's own search may stand in for an engine; the caller of the model knows.
            LOG.logf(name.equals("WebSearch") ? Logger.Level.DEBUG : Logger.Level.WARN,
                    "there is no tool %s; it is not offered", name);
        }
        return Optional.ofNullable(tool);
    }
}
