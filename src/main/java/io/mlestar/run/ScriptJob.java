package io.mlestar.run;

import io.mlestar.sandbox.ScriptRunner;
import io.mlestar.step.Agent;
import io.mlestar.step.Answer;
import io.mlestar.step.Brief;
import io.mlestar.step.Execution;
import io.mlestar.step.RunScript;
import io.mlestar.step.StepPath;
import io.mlestar.step.StepStopped;
import io.mlestar.store.DataSets;
import io.mlestar.store.StoreUnavailable;
import io.mlestar.task.Invalid;
import java.time.Duration;
import java.util.function.Supplier;

/// Runs scripts, and keeps what they submit in the store. Asks no models: a process that runs generated code holds no keys.
///
/// @param data finds the tasks' data on this machine
/// @param scripts made when the first script comes
public record ScriptJob(Records records, DataSets data, Supplier<ScriptRunner> scripts) implements Performer {
    @Override
    public String promptsDigest() {
        throw new Invalid("this process runs scripts and has no prompts");
    }

    @Override
    public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout) {
        throw new Invalid("this process runs scripts and asks no models");
    }

    @Override
    public Execution run(StepPath step, RunScript script, Brief brief, Duration timeout) {
        return scripts.get().run(script, data.local(brief.task().dataDir()), timeout, (name, content) -> {
            String key = Records.stepKey(step) + "." + name;
            records.store().create(key, content);
            return key;
        }, () -> goOn(step));
    }

    /// The scripts of a run that was cancelled end at once, but for the last ones: they make the submission.
    private void goOn(StepPath step) {
        if (!step.isIn(Gate.FINALIZATION) && isCancelled(step.run())) {
            throw new StepStopped(Gate.CANCELLED);
        }
    }

    private boolean isCancelled(String run) {
        try {
            return records.isCancelled(run);
        } catch (StoreUnavailable e) {
            return false;
        }
    }
}
