package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.task.Edits;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.StrongSearch;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A_debugger: repairs a script that failed (Section 3.4; Figure 19).
///
/// @param bug the traceback, or what stands for it
/// @param kind what the script is for; null means a solution
/// @param phase which phase made the script; null means one before the ensemble
/// @param ending how the script ended, as [io.mlestar.core.step.Execution#ending]; null in records
///   that do not have it
public record Debugger(
        String code,
        String bug,
        Kind kind,
        @Nullable SolutionPhase phase,
        @Nullable String ending) implements CatalogueAgent.Editing<Reply.Code> {
    private static final int EXCERPT = 80;
    private static final String WHOLE = Prompts.part("debugger-whole");
    private static final String EDITS = Prompts.part("debugger-edits");
    private static final String SCORED = "\n" + Prompts.part("debugger-score");

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
                "purpose", purpose(),
                "form",
                (context.search() instanceof StrongSearch ? EDITS : WHOLE)
                        + (isScored() ? SCORED : ""),
                "libraries_instruction", MachineSection.instead(context),
                // The prompts of the ensembler and of A_test say the same.
                "subsample_instruction",
                kind == Kind.SUBMISSION || !isScored() || phase == SolutionPhase.ENSEMBLE
                        ? "Do not subsample any further."
                        : ValidationRules.subsampling(context));
    }

    private String purpose() {
        if (kind == Kind.SPLIT || kind == Kind.METRIC) {
            return Prompts.part("purpose-program") + "\n\n"
                    + (kind == Kind.SPLIT ? SplitCoder.CONTRACT : MetricCoder.CONTRACT);
        }
        return isScored()
                ? Prompts.part("purpose-solution")
                : Prompts.part("purpose-study");
    }

    private boolean isScored() {
        return kind == null || kind.isScored();
    }

    @Override
    public Reply.Code read(String answer) {
        try {
            return Edits.begin(answer) < 0
                    ? new Reply.Code(Reading.code(answer))
                    : new Reply.Code(Edits.applied(answer, code));
        } catch (Invalid e) {
            throw UnreadableAnswer.of(e.getMessage(), answer, EXCERPT);
        }
    }
}
