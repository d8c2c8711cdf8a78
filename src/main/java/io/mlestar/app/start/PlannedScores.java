package io.mlestar.app.start;

import io.mlestar.adapter.grade.HoldoutFiles;
import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.ScriptListener;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.phase.Survey;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/// Finds how the scores of a run would be computed: rows are hidden as its survey hides them, by a
/// `split.py` of the task where there is one, and nothing is kept.
public final class PlannedScores {
    private PlannedScores() {}

    /// @param context of the run, whose task has its data on this machine
    public static Facts of(RunContext context, Sandbox sandbox) {
        ScriptRunner scripts = new ScriptRunner(sandbox, InstantSource.system());
        RunScript hiding = Survey.hiding(context);
        Path data = Path.of(context.task().dataDir());
        HoldoutFiles harness = new HoldoutFiles(new MemoryStore(),
                StepPath.parse("plan/survey/holdout"), context, () -> data, scripts::beside);
        try {
            return Survey.planned(new Outcome.Done<>(
                    scripts.runAlone(hiding, data, ScriptListener.NONE, Optional.of(harness))));
        } catch (Invalid e) {
            return Survey.planned(new Outcome.Failed<>(e.getMessage()));
        }
    }
}
