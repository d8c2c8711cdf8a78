package io.mlestar.core.task;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.mlestar.core.base.Invalid;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The rules for the agents' tools.
///
/// @param permissionMode which tool uses need approval (REQ-OR-009): none, those that can change
///   files, or all
/// @param blockedCommands patterns of shell commands that no tool runs; null is the built-in list
///   (REQ-OR-033)
/// @param mcpServers servers whose tools agents get beside their own, by a name of the user's
///   choice (REQ-OR-010)
public record ToolAccess(
        @JsonProperty(defaultValue = "bypassPermissions") String permissionMode,
        @Nullable List<String> blockedCommands,
        @JsonProperty(defaultValue = "{}") Map<String, McpServer> mcpServers) {

    private static final List<String> PERMISSION_MODES =
            List.of("bypassPermissions", "acceptEdits", "custom");

    public ToolAccess {
        Invalid.oneOf("permission_mode", permissionMode, PERMISSION_MODES);
        if (blockedCommands != null) {
            Invalid.size("blocked_commands", blockedCommands.size(), 1_000);
            blockedCommands = Invalid.list("blocked_commands", blockedCommands);
            blockedCommands.forEach(pattern -> Invalid.text("blocked_commands", pattern, 1_000));
        }
        Map<String, McpServer> servers = new TreeMap<>();
        mcpServers.forEach(
                (name, server) -> servers.put(name,
                        Invalid.required("mcp_servers." + name, server).checked(name)));
        Invalid.size("mcp_servers", servers.size(), 100);
        mcpServers = Collections.unmodifiableMap(servers);
    }
}
