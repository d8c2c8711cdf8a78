package io.mlestar.run;

import io.mlestar.engine.Performer;
import io.mlestar.llm.AgentCaller;
import io.mlestar.records.DailyBudget;
import io.mlestar.step.Agent;
import io.mlestar.step.Answer;
import io.mlestar.step.Brief;
import io.mlestar.step.Execution;
import io.mlestar.step.RunScript;
import io.mlestar.step.SecondAsk;
import io.mlestar.step.StepPath;
import io.mlestar.step.Window;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/// Asks the models and runs the scripts from this process.
///
/// @param budgetPerDay as [DailyBudget#of]
public record LocalPerformer(AgentCaller asker, ScriptJob scripts, OptionalDouble budgetPerDay) implements Performer {
    @Override
    public String promptsDigest() {
        return asker.prompts().digest();
    }

    @Override
    public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout, SecondAsk second) {
        return asker.ask(Optional.of(step), agent, brief, timeout, second);
    }

    @Override
    public OptionalDouble estimate(Agent<?> agent, Brief brief) {
        return asker.estimate(agent, brief);
    }

    @Override
    public Execution run(StepPath step, RunScript script, Brief brief, Window window, Begin begin) {
        return scripts.run(step, script, brief, window, begin);
    }
}
