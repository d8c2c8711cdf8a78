package io.mlestar.core.phase;

import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.Scheduling;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.AttemptRecord;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.StrongSearch;
import java.util.List;
import java.util.Optional;

/// Phase 1 of [StrongSearch]: a study that compares kinds of models, then a candidate of each
/// retrieved model. They are not merged: each path begins with one of its own, the first with the
/// best.
public record FirstSolutions() implements FirstPhase {
    @Override
    public Phase1Result run(Steps steps) {
        StrongSearch strong = steps.context().config().strong();
        Optional<AttemptRecord> study =
                strong.beginsWithStudy() ? study(strong, steps) : Optional.empty();
        Candidates candidates = Candidates.of(study, steps);
        SolutionScript best = candidates.ranked().getFirst();
        return candidates.result(best, 0, null, List.of(), candidates.decisions());
    }

    private static Optional<AttemptRecord> study(StrongSearch strong, Steps steps) {
        return steps.outcome(ScriptAttempt.first(NAME, strong.attempts()))
                .done()
                .map(ScriptAttempt.Result::finding);
    }

    @Override
    public Scheduling scheduling(RunContext context) {
        StrongSearch strong = context.config().strong();
        return Scheduling.share(context.limits().timeBudget().phase1Share(),
                ScriptSearch.load(strong, strong.mostFolds())
                        .plus(BlendedEnsemble.load(strong.mostFolds())));
    }
}
