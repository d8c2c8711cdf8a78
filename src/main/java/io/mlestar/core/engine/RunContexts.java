package io.mlestar.core.engine;

import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.survey.Survey;
import java.util.Optional;

/// What an agent may know of its run: what the header says, and what the survey found once it has ended. Phases and scripts do not depend on the
/// survey and get [RunHeader#context] alone.
public final class RunContexts {
    private RunContexts() {}

    static RunContext of(Records records, RunHeader run) {
        return new RunContext(run.task(), run.config(), run.hardware(), facts(records, run.runId()).orElse(Facts.NONE));
    }

    /// What the survey of a run found; empty if it has not ended.
    public static Optional<Facts> facts(Records records, String run) {
        return records.result(StepPath.root(run).child(Survey.NAME))
                .map(survey -> survey instanceof StepResult.Done done ? done.of(new Survey()) : Facts.NONE);
    }
}
