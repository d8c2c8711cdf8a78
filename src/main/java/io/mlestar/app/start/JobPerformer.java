package io.mlestar.app.start;

import io.mlestar.adapter.bucket.SharedFolders;
import io.mlestar.adapter.script.Evaluator;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.engine.Harness;
import io.mlestar.core.engine.Performer;
import io.mlestar.core.records.Invocations;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Window;
import io.mlestar.core.task.AgentType;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Runs one script as a Kubernetes Job. All pods of the Job work under the id of its event: a pod
/// that finds an attempt of that id knows that its predecessor died.
///
/// @param event id of the event
/// @param folders whose files scripts may see here
public record JobPerformer(
        ScriptJob scripts,
        InstantSource clock,
        String event,
        SharedFolders folders) implements Performer {
    /// Pods of a Job that may die before the script is to blame; `backoffLimit` in the JobSinks is
    /// as much.
    private static final int MOST_DEATHS = 3;

    @Override
    public void admit(RunHeader run) {
        folders.checkData(run.task().dataDir());
    }

    @Override
    public String promptDigest(AgentType agent) {
        throw new Invalid("this process runs scripts and has no prompts");
    }

    @Override
    public Answer ask(
            StepPath step,
            Agent<?> agent,
            RunContext context,
            Duration timeout,
            RetryApproval second) {
        throw new Invalid("this process runs scripts and asks no models");
    }

    @Override
    public String worker() {
        return event;
    }

    /// One death is the script's fault if the memory was short when it was last looked at; else a
    /// node may have failed.
    @Override
    public Optional<Execution> verdict(RunScript script, List<Invocations.Invocation> deaths) {
        Optional<String> memory =
                deaths.stream().flatMap(death -> death.memory().stream()).findFirst();
        if (memory.isEmpty() && deaths.size() < MOST_DEATHS) {
            return Optional.empty();
        }
        double seconds = Math.max(0,
                Duration.between(deaths.getLast().at(), clock.instant()).toMillis() / 1000.0);
        return Optional.of(Evaluator.killed(
                memory.map(said -> "the script was killed for memory: " + said + " shortly before")
                        .orElse("the script was killed with its container " + deaths.size()
                                + " times, probably for memory"),
                seconds));
    }

    @Override
    public Execution run(
            StepPath step,
            RunScript script,
            RunContext context,
            Window window,
            Begin begin) {
        return scripts.run(step, script, context, window, begin);
    }

    @Override
    public Harness harness(StepPath step, RunContext context) {
        return scripts.harness(step, context);
    }
}
