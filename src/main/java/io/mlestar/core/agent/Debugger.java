package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.task.SolutionPhase;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A_debugger: repairs a script that failed (Section 3.4; Figure 19).
///
/// @param bug the traceback, or what stands for it
/// @param kind what the script is for; null means a solution
/// @param phase which phase made the script; null means one before the ensemble
/// @param ending how the script ended, as [io.mlestar.core.step.Execution#ending]; null in records that do not have it
public record Debugger(String code, String bug, RunScript.Kind kind, @Nullable SolutionPhase phase, @Nullable String ending) implements CatalogueAgent.OfCode {
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
                "ending", ending == null ? "failed" : ending,
                "libraries_instruction", MachineSection.instead(context),
                // As in what the ensembler and A_test are asked.
                "subsample_instruction", kind == RunScript.Kind.SUBMISSION || phase == SolutionPhase.ENSEMBLE ? "Do not subsample any further."
                        : ValidationRules.subsampling(context));
    }
}
