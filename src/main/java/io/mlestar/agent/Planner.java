package io.mlestar.agent;

import io.mlestar.step.Agent;
import io.mlestar.step.Brief;
import io.mlestar.task.AgentType;
import io.mlestar.task.Invalid;
import java.util.List;
import java.util.Map;

/// A_planner: proposes the next plan for a code block from the plans tried so far (Algorithm 2 line 17; Figure 16).
public record Planner(String codeBlock, List<String> plans, List<Double> scores) implements Agent<Reply.Plan> {
    public Planner {
        Require.text("code_block", codeBlock);
        plans = Require.list("plans", plans);
        scores = Require.list("scores", scores);
        if (plans.isEmpty()) {
            throw new Invalid("At least one previous plan is required for A_planner");
        }
        Require.sameLength(plans, scores);
    }

    @Override
    public AgentType type() {
        return AgentType.PLANNER;
    }

    @Override
    public Map<String, String> variables(Brief brief) {
        return Map.of(
                "code_block", codeBlock,
                "history", Sections.history("Improvement plans you have tried", plans, scores),
                "better", brief.task().metricDirection().better());
    }

    @Override
    public Reply.Plan read(String answer) {
        return new Reply.Plan(Reading.prose(answer));
    }
}
