package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Brief;
import io.mlestar.core.task.AgentType;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A_abl: writes an ablation study of a script (Algorithm 2 line 5; Figure 12).
public record Ablation(String solutionScript, List<String> previousAblations) implements CodeWriter<Reply.Code> {
    public Ablation {
        Invalid.text("solution_script", solutionScript);
        previousAblations = Invalid.elements("previous_ablations", previousAblations);
    }

    @Override
    public AgentType type() {
        return AgentType.ABLATION;
    }

    @Override
    public Optional<String> cachePrefix() {
        return Optional.of("solution_script");
    }

    @Override
    public Map<String, String> variables(Brief brief) {
        return Map.of(
                "solution_script", solutionScript,
                "time_limit", Integer.toString(brief.config().ablationTimeoutSeconds()),
                "previous_ablations", Sections.numbered("Previous ablation studies", previousAblations));
    }

    @Override
    public Reply.Code read(String answer) {
        return new Reply.Code(Reading.code(answer));
    }
}
