package io.mlestar.run;

import io.mlestar.agent.Prompts;
import io.mlestar.llm.Models;
import io.mlestar.llm.Question;
import io.mlestar.sandbox.ScriptRunner;
import io.mlestar.step.Agent;
import io.mlestar.step.Answer;
import io.mlestar.step.Brief;
import io.mlestar.step.Execution;
import io.mlestar.step.RunScript;
import io.mlestar.step.StepPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/// Asks the models and runs the scripts from this process.
///
/// @param scripts made when the first script comes: functions that only ask models need no Python
public record LocalPerformer(Records records, Prompts prompts, Models models, Supplier<ScriptRunner> scripts) implements Performer {
    @Override
    public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout) {
        return models.get(brief.config().modelOf(agent.type()))
                .ask(Question.of(Optional.of(step), agent, prompts, brief, timeout));
    }

    @Override
    public Execution run(StepPath step, RunScript script, Brief brief, Duration timeout) {
        return scripts.get().run(script, Path.of(brief.task().dataDir()), timeout, (name, content) -> {
            String key = Records.stepKey(step) + "." + name;
            records.store().create(key, content);
            return key;
        });
    }
}
