package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.Answers.ExtractorOutput;
import io.mlestar.core.task.SolutionScript.Trial;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A_extractor: chooses the code block to refine and the first plan for it (Algorithm 2 line 8;
/// Figure 14).
///
/// @param ablationSummary empty if the study failed (REQ-P2O-021)
/// @param blockNotFound the block it chose last time was not in the script (REQ-P2O-018); null
///   means false
/// @param trial how the script fared; null if it is not known
public record Extractor(
        String solutionScript,
        String ablationSummary,
        List<String> previousCodeBlocks,
        Boolean blockNotFound,
        @Nullable Trial trial) implements CatalogueAgent<ExtractorOutput> {
    static final String REMINDER = Prompts.part("block-not-found");

    public Extractor {
        Invalid.text("solution_script", solutionScript);
        ablationSummary = Objects.requireNonNullElse(ablationSummary, "");
        previousCodeBlocks = Invalid.elements("previous_code_blocks", previousCodeBlocks);
        blockNotFound = Objects.requireNonNullElse(blockNotFound, false);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        List<String> fenced = previousCodeBlocks.stream().map(Sections::fenced).toList();
        return Map.of(
                "solution_script", solutionScript,
                "ran", Sections.ran("The script above", trial),
                "ablation_summary",
                ablationSummary.isBlank()
                        ? "The ablation study failed for this step."
                        : ablationSummary,
                "previous_code_blocks", Sections.numbered("Code blocks improved already", fenced),
                "reminder", blockNotFound ? REMINDER : "");
    }

    @Override
    public ExtractorOutput read(String answer) {
        return Reading.json(answer, ExtractorOutput.class, "plans");
    }
}
