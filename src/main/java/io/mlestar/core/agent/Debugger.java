package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
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
public record Debugger(String code, String bug, RunScript.Kind kind, @Nullable SolutionPhase phase,
        @Nullable String ending) implements CatalogueAgent.Editing<Reply.Code> {
    private static final int EXCERPT = 80;
    private static final String WHOLE =
            """
                    Give back the whole improved script, not only the changed lines: a single self-contained file that runs as it is.
                    - Answer with a single Python code block, with no additional headings or text.""";
    private static final String EDITS =
            """
                    Where few lines change, answer with edits alone. Each searches for whole lines that occur exactly once in the script, copied with their indentation, \
                    and replaces them:

                    ```
                    <<<<<<< SEARCH
                    lines of the script
                    =======
                    lines that take their place
                    >>>>>>> REPLACE
                    ```

                    - Otherwise give back the whole script in a single Python code block: one self-contained file that runs as it is.""";
    private static final String SCORED =
            """

                    - Print a line with exactly these words, the number standing in place of the braces, so that the score can be parsed: \
                    `Final Validation Performance: {final_validation_score}`. (Only a script that by design computes no validation score may do without it; never invent a \
                    score.)""";

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
                (context.config().search() instanceof StrongSearch ? EDITS : WHOLE) + (isScored() ? SCORED : ""),
                "libraries_instruction", MachineSection.instead(context),
                // As in what the ensembler and A_test are asked.
                "subsample_instruction",
                kind == RunScript.Kind.SUBMISSION || !isScored() || phase == SolutionPhase.ENSEMBLE
                        ? "Do not subsample any further."
                        : ValidationRules.subsampling(context));
    }

    private String purpose() {
        if (kind == RunScript.Kind.SPLIT || kind == RunScript.Kind.METRIC) {
            return "It is a program's, which may have refused what the script returned: then mend that.\n\n"
                    + (kind == RunScript.Kind.SPLIT ? SplitCoder.CONTRACT : MetricCoder.CONTRACT);
        }
        return isScored()
                ? "If it ran to its end and only its submission is missing or not in the right form, nothing crashed: mend how"
                        + " `./final/submission.csv` is written, and leave the rest."
                : "It is a study, which prints a table: it needs no line with a final score and no submission.";
    }

    private boolean isScored() {
        return kind == null || kind.isScored();
    }

    @Override
    public Reply.Code read(String answer) {
        try {
            return Edits.begin(answer) < 0 ? new Reply.Code(Reading.code(answer))
                    : new Reply.Code(Edits.applied(answer, code));
        } catch (Invalid e) {
            throw UnreadableAnswer.of(String.valueOf(e.getMessage()), answer, EXCERPT);
        }
    }
}
