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
///
/// @param plans of the next turns, empty where the planner failed. A batch of one is the paper's turn, which asks for its plan itself: null
/// @param isCut whether there are fewer than there might be, since the run has to finish
record Batch(List<String> plans, boolean isCut) {
    /// @param atOnce most turns in a batch
    /// @param left turns until the loop ends
    /// @param given plan of the first turn; null if it is to be asked for
    /// @param planner who is asked, told the plans that are under way
    static Batch of(int atOnce, int left, String given, Function<List<String>, Agent<Reply.Plan>> planner, Steps steps) {
        if (atOnce == 1) {
            return new Batch(Collections.singletonList(given), false);
        }
        List<String> plans = new ArrayList<>();
        if (given != null) {
            plans.add(given);
        }
        int most = Math.min(atOnce, left);
        while (plans.size() < most) {
            Outcome<Reply.Plan> plan = steps.outcome(planner.apply(plans.stream().filter(known -> !known.isEmpty()).toList()));
            if (plan instanceof Outcome.Stopped) {
                return new Batch(plans, true);
            }
            plans.add(plan.value().map(Reply.Plan::plan).orElse(""));
        }
        return new Batch(plans, false);
    }
}
