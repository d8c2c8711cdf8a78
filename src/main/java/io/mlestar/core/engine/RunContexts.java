package io.mlestar.core.engine;

import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.phase.Survey;
import io.mlestar.core.task.StrongSearch;
import java.util.Optional;

/// The context of a run as its steps may see it: the header, and what the survey found once it has
/// ended.
public final class RunContexts {
    private RunContexts() {}

    static RunContext of(Records records, RunHeader run) {
        return new RunContext(run.task(), run.config(), run.hardware(),
                facts(records, run.runId()).orElse(Facts.NONE));
    }

    /// The context for phases and scripts, see [RunContext#ofPhases].
    static RunContext ofPhase(Records records, RunHeader run) {
        if (!(run.config().search() instanceof StrongSearch)) {
            return run.context();
        }
        Facts facts = facts(records, run.runId()).orElse(Facts.NONE);
        return new RunContext(run.task(), run.config(), run.hardware(),
                RunContext.ofPhases(facts));
    }

    /// The digest of the rows that the harness hides in a run; empty if it hides none, or the
    /// survey has not ended.
    static Optional<String> digest(Records records, String run) {
        return facts(records, run).map(Facts::holdout).map(Holdout::digest);
    }

    /// The findings of a run's survey; empty if it has not ended.
    public static Optional<Facts> facts(Records records, String run) {
        return records.result(StepPath.root(run).child(Survey.NAME))
                .map(survey -> survey.done().map(done -> done.of(new Survey())).orElse(Facts.NONE));
    }
}
