package io.mlestar.core.engine;

import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.DataCard;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.MachineFacts;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.survey.Survey;
import io.mlestar.core.task.SearchSettings.ValidationBy;
import java.util.Optional;

/// What an agent may know of its run: what the header says, and what the survey found once it has ended.
public final class RunContexts {
    private RunContexts() {}

    static RunContext of(Records records, RunHeader run) {
        return new RunContext(run.task(), run.config(), run.hardware(), facts(records, run.runId()).orElse(Facts.NONE));
    }

    /// What phases and scripts may know: of the survey only which rows the harness hides, so that all else may differ where a run's steps are shared.
    static RunContext ofPhase(Records records, RunHeader run) {
        if (run.config().search().validation() == ValidationBy.SCRIPT) {
            return run.context();
        }
        Holdout holdout = facts(records, run.runId()).map(Facts::holdout).orElse(null);
        return new RunContext(run.task(), run.config(), run.hardware(), new Facts(MachineFacts.UNKNOWN, DataCard.NONE, holdout, null));
    }

    /// What the survey of a run found; empty if it has not ended.
    public static Optional<Facts> facts(Records records, String run) {
        return records.result(StepPath.root(run).child(Survey.NAME))
                .map(survey -> survey.done().map(done -> done.of(new Survey())).orElse(Facts.NONE));
    }
}
