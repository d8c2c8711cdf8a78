package io.mlestar.engine;

import io.mlestar.phase.Survey;
import io.mlestar.records.Records;
import io.mlestar.records.RunHeader;
import io.mlestar.records.StepResult;
import io.mlestar.step.Brief;
import io.mlestar.step.Facts;
import io.mlestar.step.StepPath;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// What the steps of each run may know: what its header says, and what its survey found once that has ended. All that cost anything are
/// asked after that.
public final class Briefs {
    private final Records records;
    private final Map<String, Brief> whole = new ConcurrentHashMap<>();

    Briefs(Records records) {
        this.records = records;
    }

    /// What an agent is told.
    Brief of(RunHeader run) {
        Brief known = whole.get(run.runId());
        if (known != null) {
            return known;
        }
        Brief brief = beforeSurvey(run);
        Optional<Facts> found = facts(records, run.runId());
        if (found.isEmpty()) {
            return brief;
        }
        Brief told = new Brief(brief.task(), brief.config(), brief.hardware(), found.get());
        whole.put(run.runId(), told);
        return told;
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

    void forget(String run) {
        whole.remove(run);
    }
}
