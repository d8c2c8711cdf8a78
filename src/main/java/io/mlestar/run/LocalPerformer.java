package io.mlestar.run;

import io.mlestar.agent.Prompts;
import io.mlestar.llm.Model;
import io.mlestar.llm.Models;
import io.mlestar.llm.Question;
import io.mlestar.step.Agent;
import io.mlestar.step.Answer;
import io.mlestar.step.Brief;
import io.mlestar.step.Execution;
import io.mlestar.step.RunScript;
import io.mlestar.step.StepPath;
import io.mlestar.tool.Workshop;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Asks the models and runs the scripts from this process.
///
/// @param workshop where agents find their tools
public record LocalPerformer(Prompts prompts, Models models, Workshop workshop, ScriptJob scripts) implements Performer {
    @Override
    public String promptsDigest() {
        return prompts.digest();
    }

    @Override
    public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout) {
        String name = brief.config().modelOf(agent.type());
        Model model = models.get(name);
        if (Models.isRecorded(name)) {
            return model.ask(Question.of(Optional.of(step), agent, prompts, brief, timeout, names -> List.of()));
        }
        return workshop.open(Path.of(brief.task().dataDir()), brief.config(), step.toString(), agent, timeout,
                tools -> model.ask(Question.of(Optional.of(step), agent, prompts, brief, timeout, tools)));
    }

    @Override
    public Execution run(StepPath step, RunScript script, Brief brief, Duration timeout) {
        return scripts.run(step, script, brief, timeout);
    }
}
