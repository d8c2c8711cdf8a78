package io.mlestar.adapter.tool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Invalid;
import java.util.Optional;
import java.util.Set;

/// Decides on every use of a tool (REQ-OR-009). Blocked commands are refused in any case.
@FunctionalInterface
public interface Permission {
    /// Tools that can change files. Tools of MCP servers count as such, since only their server
    /// knows what they do.
    Set<String> EDITS = Set.of("Write", "Edit", "Bash");

    /// Says why the tool must not be used; empty if it may.
    Optional<String> refusal(String tool, JsonNode arguments);

    /// @param mode `bypassPermissions`: everything is approved; `acceptEdits`: what can change
    ///   files is approved by `approver` only; `custom`: everything is approved by `approver` only
    /// @throws Invalid if there is no such mode
    static Permission of(String mode, Permission approver) {
        return switch (mode) {
            case "bypassPermissions" -> (tool, arguments) -> Optional.empty();
            case "acceptEdits" ->
                (tool, arguments) -> EDITS.contains(tool) || tool.startsWith(ExternalTools.PREFIX)
                        ? approver.refusal(tool, arguments)
                        : Optional.empty();
            case "custom" -> approver;
            default -> throw new Invalid(
                    "permission_mode must be bypassPermissions, acceptEdits or custom, but is \""
                            + mode + "\"");
        };
    }

    /// Refuses everything.
    static Permission withoutApprover() {
        return (tool, arguments) -> Optional
                .of(tool + " needs approval in this permission mode, but there is no approver");
    }
}
