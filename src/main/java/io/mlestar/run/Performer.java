package io.mlestar.run;

import io.mlestar.step.Agent;
import io.mlestar.step.Answer;
import io.mlestar.step.Brief;
import io.mlestar.step.Execution;
import io.mlestar.step.RunScript;
import io.mlestar.step.StepPath;
import java.time.Duration;
import java.util.OptionalDouble;

/// Does the two kinds of step that cost something outside: asking a model and running a script.
public interface Performer {
    /// Of the prompts with which models are asked. A run does not go on with other prompts than it began with unless told to.
    String promptsDigest();

    /// @param timeout what is left for the call
    /// @throws io.mlestar.step.StepFailed if asking again would not help
    Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout);

    /// What asking would cost, in USD, told before it is done. A guess; empty if nobody can say.
    default OptionalDouble estimate(Agent<?> agent, Brief brief) {
        return OptionalDouble.empty();
    }

    /// @param timeout the most the script may take
    /// @throws io.mlestar.step.StepFailed if running again would not help
    /// @throws io.mlestar.step.StepStopped if the run was cancelled meanwhile
    Execution run(StepPath step, RunScript script, Brief brief, Duration timeout);
}
