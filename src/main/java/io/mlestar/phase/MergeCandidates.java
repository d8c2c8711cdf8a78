package io.mlestar.phase;

import io.mlestar.agent.Merger;
import io.mlestar.agent.Reply;
import io.mlestar.step.Outcome;
import io.mlestar.step.Steps;
import io.mlestar.task.MetricDirection;
import io.mlestar.task.SolutionPhase;
import io.mlestar.task.SolutionScript;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Algorithm 1, lines 7 to 17: merges the candidates into the best one, one after the other, until a merge is no better. With `merges_at_once`
/// the next merges are begun on the code of one that is being scored, as if it were going to be better. If it is not, or was repaired on its way,
/// they are given up: whatever they are worth, only what counts in sequence counts.
///
/// @param ranked at least one candidate, best first
record MergeCandidates(List<SolutionScript> ranked) {
    /// @param solution s_0
    /// @param merges how many were better
    /// @param ended why no more were tried; null if all were
    record Merged(SolutionScript solution, int merges, @Nullable String ended) {}

    /// A merge that was begun.
    ///
    /// @param script as the merger wrote it; null if nothing can be begun on it, since the merge asks for it itself, or there is none
    private record MergeAhead(@Nullable SolutionScript script, Steps.StepHandle<SolutionScript> merge) {}

    Merged run(Steps steps) {
        MetricDirection direction = steps.brief().task().metricDirection();
        SolutionScript s0 = ranked.getFirst();                                                        // line 7
        Deque<MergeAhead> begun = new ArrayDeque<>();
        for (int i = 1; i < ranked.size(); i++) {                                                     // lines 8-17
            begin(i, s0, begun, steps);
            MergeAhead next = begun.remove();
            Outcome<SolutionScript> merge = next.merge().get();
            boolean better = merge instanceof Outcome.Done<SolutionScript>(var merged) && merged.score() != null
                    && direction.isImprovementOrEqual(merged.score(), s0.knownScore());
            SolutionScript assumed = next.script();
            if (!better || assumed != null && !assumed.content().equals(merge.orThrow("merge").content())) {
                begun.forEach(vain -> vain.merge().giveUp());
                begun.clear();
            }
            if (!better) {
                return new Merged(s0, i - 1, "merge " + i + " of " + (ranked.size() - 1) + " " + fault(merge));
            }
            s0 = merge.orThrow("merge");
        }
        return new Merged(s0, ranked.size() - 1, null);
    }

    /// Begins merge `i`, unless that was done, and as many after it as may be under way.
    private void begin(int i, SolutionScript s0, Deque<MergeAhead> begun, Steps steps) {
        int atOnce = steps.brief().config().mergesAtOnce();
        SolutionScript base = begun.isEmpty() ? s0 : begun.getLast().script();
        while (base != null && begun.size() < atOnce && i + begun.size() < ranked.size()) {
            int index = i + begun.size();
            begun.add(atOnce == 1 ? new MergeAhead(null, steps.begin(new Merge(index, base, ranked.get(index)))) : ahead(index, base, steps));
            base = begun.getLast().script();
        }
    }

    /// Asks the merger here, so that the next merge can be begun on its code.
    private MergeAhead ahead(int index, SolutionScript base, Steps steps) {
        return switch (steps.outcome(new Merger(base.content(), ranked.get(index).content()))) {
            case Outcome.Done<Reply.Code>(Reply.Code(String code)) -> new MergeAhead(SolutionScript.unscored(code, SolutionPhase.MERGED),
                    steps.begin(new Merge(index, base, ranked.get(index), code)));
            case Outcome.Failed<Reply.Code>(String reason, boolean unreadable) ->
                new MergeAhead(null, () -> new Outcome.Failed<>("merger: " + reason));
            case Outcome.Stopped<Reply.Code>(String reason) -> new MergeAhead(null, () -> new Outcome.Stopped<>(reason));
        };
    }

    /// Why nothing is merged after this.
    private static String fault(Outcome<SolutionScript> merge) {
        return switch (merge) {
            case Outcome.Done<SolutionScript>(var script) -> script.score() == null ? "has no score" : "is no better: " + script.score();
            case Outcome.Failed<SolutionScript>(String reason, boolean unreadable) -> "failed: " + reason;
            case Outcome.Stopped<SolutionScript>(String reason) -> "was left out: " + reason;
        };
    }
}
