package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import java.util.Map;

/// A_debugger: repairs a script that failed (Section 3.4; Figure 19).
///
/// @param bug the traceback, or what stands for it
/// @param kind what the script is for; null means a solution
public record Debugger(String code, String bug, RunScript.Kind kind) implements CatalogueAgent.OfCode {
    public Debugger {
        Invalid.text("code", code);
        if (bug == null || bug.isBlank()) {
            throw new Invalid("No traceback provided for debugging");
        }
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of(
                "code", code,
                "bug", bug,
                "libraries_instruction", MachineSection.instead(context),
                // The submission trains on everything, so it must not be told to subsample.
                "subsample_instruction", kind == RunScript.Kind.SUBMISSION ? "" : context.config().subsampleInstruction());
    }
}
