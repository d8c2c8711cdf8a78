package io.mlestar.app.start;

import io.mlestar.adapter.model.AgentCaller;
import io.mlestar.core.engine.Harness;
import io.mlestar.core.engine.Performer;
import io.mlestar.core.records.DailyBudget;
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
import java.util.Optional;
import java.util.OptionalDouble;

/// Asks the models and runs the scripts from this process.
///
/// @param admission of the runs on which it works
public record LocalPerformer(
        AgentCaller asker,
        ScriptJob scripts,
        Admission admission) implements Performer {
    @Override
    public void admit(RunHeader run) {
        admission.check(run);
    }

    @Override
    public String promptDigest(AgentType agent) {
        return asker.prompts().digest(agent);
    }

    @Override
    public Answer ask(
            StepPath step,
            Agent<?> agent,
            RunContext context,
            Duration timeout,
            RetryApproval second) {
        return asker.ask(Optional.of(step), agent, context, timeout, second,
                () -> scripts.toLookAt(step, context));
    }

    @Override
    public OptionalDouble budgetPerDay() {
        return DailyBudget.of(admission.environment());
    }

    @Override
    public OptionalDouble estimate(Agent<?> agent, RunContext context) {
        return asker.estimate(agent, context);
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
