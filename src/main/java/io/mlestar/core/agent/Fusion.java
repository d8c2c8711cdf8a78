package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.Answers.ExtractorOutput;
import io.mlestar.core.task.SolutionScript.Trial;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A_extractor, fuse: chooses the code block to refine, and a plan that takes over an idea from another script, in place of an ablation study.
///
/// @param blockNotFound as in [Extractor]
/// @param trial how the script fared; null if it is not known
/// @param otherTrial likewise
public record Fusion(
        String solutionScript, String otherScript, List<String> previousCodeBlocks, Boolean blockNotFound,
        @Nullable Trial trial, @Nullable Trial otherTrial) implements CatalogueAgent<ExtractorOutput> {
    public Fusion {
        Invalid.text("solution_script", solutionScript);
        Invalid.text("other_script", otherScript);
        previousCodeBlocks = Invalid.elements("previous_code_blocks", previousCodeBlocks);
        blockNotFound = Objects.requireNonNullElse(blockNotFound, false);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of(
                "solution_script", solutionScript,
                "ran", Sections.ran("Your current solution", trial) + Sections.ran("The other one", otherTrial),
                "printed", Sections.printed(trial),
                "other_script", otherScript,
                "previous_code_blocks", Sections.numberedCode("Code blocks improved already", previousCodeBlocks),
                "reminder", blockNotFound ? Extractor.REMINDER : "");
    }

    @Override
    public ExtractorOutput read(String answer) {
        return Reading.json(answer, ExtractorOutput.class, "plans", 200);
    }
}
