package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.SolutionScript.Trial;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A_coder: carries out one plan on one code block (Algorithm 2 lines 9 and 18; Figure 15).
///
/// @param trial how the script with the block as it stands fared; null if it is not known
/// @param solutionScript which holds the block; null if it is not known
public record Coder(
        String codeBlock,
        String plan,
        @Nullable Trial trial,
        @Nullable String solutionScript) implements CatalogueAgent.OfBlock {
    public Coder {
        Invalid.text("code_block", codeBlock);
        Invalid.text("plan", plan);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of(
                "code", Sections.marked(solutionScript, codeBlock),
                "standing", Sections.standing(trial),
                "plan", plan,
                "subsample_instruction", context.limits().subsampleInstruction());
    }

    @Override
    public Reply.Block read(String answer) {
        return new Reply.Block(Sections.unmarked(Reading.code(answer)));
    }
}
