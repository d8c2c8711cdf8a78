package io.mlestar.adapter.tool;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Waiting;
import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.ProxyRules;
import io.vertx.core.Vertx;
import module java.base;

/// Toolboxes over real folders, and arguments for their tools.
final class ToolSets {
    static final Duration AMPLE = Waiting.MOST;
    static final Vertx VERTX = Vertx.vertx();
    /// Reaches the test's own server too.
    static final Web ANYWHERE = new Web(Web.client(VERTX), address -> true, ProxyRules.NONE);
    static final Sandbox SANDBOX = Sandbox.of(Python.find("python3"), Map.of());

    /// All approved, the required commands blocked, no search engine.
    static final ToolSettings DEFAULTS =
            new ToolSettings(ToolSettings.BLOCKED_COMMANDS, (tool, arguments) -> Optional.empty(), Optional.empty());

    private ToolSets() {}

    static ToolSet of(Path folder, ToolSettings settings) throws Exception {
        return of(folder, settings, AMPLE, 0);
    }

    /// @param looks most scripts that may look at the data
    static ToolSet of(Path folder, ToolSettings settings, Duration left, int looks) throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        return new ToolSet(() -> data, folder.resolve("scratch"), () -> SANDBOX, ANYWHERE, settings,
                hooks(settings.permission(), left), looks, "seen = 2");
    }

    static Hooks hooks(Permission permission, Duration left) {
        return new Hooks("run/step", "coder", new ToolFailures(), permission, () -> left, new ReentrantLock());
    }

    /// `Bash`, if a wall stands here.
    static Tool commands(Path folder, ToolSettings settings) throws Exception {
        assumeTrue(SANDBOX.keepsFiles(), "there is no wall here that keeps files");
        return of(folder, settings).offered(List.of("Bash")).getFirst();
    }

    static Tool tool(Path folder, String name) throws Exception {
        return name.equals("Bash") ? commands(folder, DEFAULTS)
                : of(folder, DEFAULTS).offered(List.of(name)).getFirst();
    }

    /// @param pairs names and values in turn
    static JsonNode arguments(Object... pairs) {
        ObjectNode arguments = Json.object();
        for (int i = 0; i < pairs.length; i += 2) {
            arguments.set((String) pairs[i], Json.tree(pairs[i + 1]));
        }
        return arguments;
    }
}
