package io.mlestar.adapter.tool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Invalid;
import java.util.Optional;
import java.util.Set;

/// Who may use a tool, asked before every use (REQ-OR-009). Blocked commands are refused whatever it says.
@FunctionalInterface
public interface Permission {
    /// Tools that can change files. What a foreign tool can do, only its server knows; so it counts as one of them.
    Set<String> EDITS = Set.of("Write", "Edit", "Bash");

    /// The mode in which people are asked where the program runs.
    String ASK = "ask";

    /// Why the tool must not be used; empty lets it.
    Optional<String> refusal(String tool, JsonNode arguments);

    /// @param mode `bypassPermissions`: everything is approved; `acceptEdits`: what can change files is approved by `approver` only;
    ///     `custom` and `ask`: everything is approved by `approver` only
    /// @throws Invalid if there is no such mode
    static Permission of(String mode, Permission approver) {
        return switch (mode) {
            case "bypassPermissions" -> (tool, arguments) -> Optional.empty();
            case "acceptEdits" -> (tool, arguments) -> EDITS.contains(tool) || tool.startsWith(ExternalTools.PREFIX)
                    ? approver.refusal(tool, arguments) : Optional.empty();
            case "custom", ASK -> approver;
            default -> throw new Invalid("permission_mode must be bypassPermissions, acceptEdits, custom or ask, but is \"" + mode + "\"");
        };
    }

    /// An approver for runs that nobody watches.
    static Permission nobodyToAsk() {
        return (tool, arguments) -> Optional.of(tool + " needs approval in this permission mode, and nobody is there to give it");
    }
}
