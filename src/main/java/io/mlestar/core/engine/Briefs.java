package io.mlestar.core.engine;

import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Brief;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.survey.Survey;
import java.util.Optional;

/// What the steps of each run may know: what its header says, and what its survey found once that has ended. All that cost anything are
/// asked after that.
public record Briefs(Records records) {
    /// What an agent is told.
    Brief of(RunHeader run) {
        Brief brief = beforeSurvey(run);
        return facts(records, run.runId()).map(found -> new Brief(brief.task(), brief.config(), brief.hardware(), found)).orElse(brief);
    }

    /// The same without what the survey found: what phases and scripts do depends on nothing of it, so it need not be read for them.
    Brief beforeSurvey(RunHeader run) {
        // As the run began: what phases and agents were told stays as it was.
        return records.header(run.runId()).orElse(run).brief();
    }

    /// What the survey of a run found; empty if it has not ended.
    public static Optional<Facts> facts(Records records, String run) {
        return records.result(StepPath.root(run).child(Survey.NAME))
                .map(survey -> survey instanceof StepResult.Done done ? done.of(new Survey()) : Facts.NONE);
    }
}
