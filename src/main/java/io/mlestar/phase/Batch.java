package io.mlestar.phase;

import io.mlestar.agent.Reply;
import io.mlestar.step.Agent;
import io.mlestar.step.Outcome;
import io.mlestar.step.Steps;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/// Turns of a loop that are carried out side by side. The plans of a batch are asked for one after the other before, each with the
/// batch's earlier plans before the planner's eyes, not scored yet: the number of calls and of scripts is that of the loop in sequence.
final class Batch {
    private Batch() {}

    /// The plans of the next turns, empty where the planner failed; fewer if the run has to finish. A batch of one is the paper's turn, which
    /// asks for its plan itself: null.
    ///
    /// @param atOnce most turns in a batch
    /// @param left turns until the loop ends
    /// @param given plan of the first turn; null if it is to be asked for
    /// @param planner who is asked, told the plans that are under way
    static List<String> plans(int atOnce, int left, String given, Function<List<String>, Agent<Reply.Plan>> planner, Steps steps) {
        if (atOnce == 1) {
            return Collections.singletonList(given);
        }
        List<String> plans = new ArrayList<>();
        if (given != null) {
            plans.add(given);
        }
        while (plans.size() < Math.min(atOnce, left)) {
            Outcome<Reply.Plan> plan = steps.outcome(planner.apply(plans.stream().filter(known -> !known.isEmpty()).toList()));
            if (plan instanceof Outcome.Stopped) {
                break;
            }
            plans.add(plan.value().map(Reply.Plan::plan).orElse(""));
        }
        return List.copyOf(plans);
    }
}
