package io.mlestar.core.agent;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.UnreadableAnswer;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A_data: makes the script use all the data that is provided (Section 3.4; Figure 22).
public record Data(
        String initialSolution,
        String taskDescription) implements CatalogueAgent.Coding<Reply.DataUsage> {
    private static final String ALL_USED = "all the provided information is used.";

    public Data {
        Invalid.text("initial_solution", initialSolution);
        Invalid.text("task_description", taskDescription);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of("initial_solution", initialSolution, "task_description", taskDescription);
    }

    @Override
    public boolean acceptsTruncated(String cut) {
        return CatalogueAgent.Coding.super.acceptsTruncated(cut) || confirms(cut);
    }

    private static boolean confirms(String answer) {
        return answer.toLowerCase(Locale.ROOT).contains(ALL_USED);
    }

    /// The confirming sentence wins over code (REQ-SF-028); prose without a fence and without the
    /// score line is neither.
    @Override
    public Reply.DataUsage read(String answer) {
        if (confirms(answer)) {
            return new Reply.DataUsage(Optional.empty());
        }
        if (CodeFences.fences(answer).isEmpty()
                && !answer.contains("Final Validation Performance")) {
            throw UnreadableAnswer.of("neither code nor a confirmation in the answer", answer, 200);
        }
        return new Reply.DataUsage(Optional.of(Reading.code(answer)));
    }
}
