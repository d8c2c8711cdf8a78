package io.mlestar.core.phase;

import io.mlestar.core.agent.Reply;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Turns of a loop that run side by side. The plans of a batch are asked for one after the other; each planner sees the batch's earlier
/// plans, which have no score yet, so there are as many calls and scripts as in sequence. A turn starts as soon as it has its plan.
///
/// @param outcomes of the turns, in their order
/// @param isCut whether there are fewer than there might be, since the run has to finish
record Batch<R>(List<Outcome<R>> outcomes, boolean isCut) {
    /// Makes a turn.
    interface Turns<R> {
        /// @param index in the batch, from 0
        /// @param plan empty where the planner failed; null: the turn asks for its plan itself
        Phase<R> turn(int index, @Nullable String plan);
    }

    /// A batch of one is the paper's turn, which asks for its plan itself.
    ///
    /// @param atOnce most turns in a batch
    /// @param left turns until the loop ends
    /// @param given plan of the first turn; null if it is to be asked for
    /// @param planner makes the question from the plans in flight
    static <R> Batch<R> of(int atOnce, int left, @Nullable String given, Function<List<String>, Agent<Reply.Plan>> planner, Turns<R> turns, Steps steps) {
        if (atOnce == 1) {
            return new Batch<>(List.of(steps.outcome(turns.turn(0, given))), false);
        }
        List<String> plans = new ArrayList<>();
        List<Steps.StepHandle<R>> begun = new ArrayList<>();
        boolean cut = false;
        while (!cut && begun.size() < Math.min(atOnce, left)) {
            Outcome<Reply.Plan> plan = begun.isEmpty() && given != null ? new Outcome.Done<>(new Reply.Plan(given))
                    : steps.outcome(planner.apply(List.copyOf(plans)));
            if (plan instanceof Outcome.Stopped) {
                cut = true;
            } else {
                begun.add(steps.begin(turns.turn(begun.size(), plan.value().map(Reply.Plan::plan).orElse(""))));
                plan.value().map(Reply.Plan::plan).filter(told -> !told.isEmpty()).ifPresent(plans::add);
            }
        }
        return new Batch<>(begun.stream().map(Steps.StepHandle::get).toList(), cut);
    }
}
