package io.mlestar.core.engine;

import io.mlestar.core.records.Invocations.Invocation;
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
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// Does the steps that need something outside: asking a model, running a script, computing with
/// what scripts predict.
public interface Performer {
    /// The digest of the prompts with which an agent is asked here. A run asks an agent with the
    /// prompts that it asked it first with, unless told otherwise.
    String promptDigest(AgentType agent);

    /// Looks at a run before this process works on it.
    ///
    /// @throws io.mlestar.core.base.Invalid if the run brings what only the operator may allow;
    ///   nothing of it is then changed
    default void admit(RunHeader run) {}

    /// The name of this process in the records of attempts: the machine's. Linux says it without
    /// asking a name server, which may take many seconds where it does not know the machine.
    default String worker() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException noLinux) {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return "localhost";
            }
        }
    }

    /// @param timeout what is left for the call
    /// @param second approves each further request to the model for the same answer
    /// @throws io.mlestar.core.step.StepFailed if asking again would not help
    Answer ask(
            StepPath step,
            Agent<?> agent,
            RunContext context,
            Duration timeout,
            RetryApproval second);

    /// The estimated cost of asking, in USD; empty if unknown.
    default OptionalDouble estimate(Agent<?> agent, RunContext context) {
        return OptionalDouble.empty();
    }

    /// The most that all runs of the store together may spend on models in a day, in USD; empty is
    /// unlimited.
    default OptionalDouble budgetPerDay() {
        return OptionalDouble.empty();
    }

    /// @param window when it may begin, and by when it has to end
    /// @param begin called once, when the script has all that it needs and begins; gives the
    ///   attempt's number
    /// @throws io.mlestar.core.step.StepFailed if running again would not help
    /// @throws io.mlestar.core.step.StepStopped if it could not begin in time, or the run has to
    ///   finish
    Execution run(StepPath step, RunScript script, RunContext context, Window window, Begin begin);

    /// Computes for a step, or keeps what it leaves.
    Harness harness(StepPath step, RunContext context);

    /// Puts the beginning of an attempt on record.
    @FunctionalInterface
    interface Begin {
        int attempt();
    }

    /// The outcome of a script whose process died during earlier attempts, so that the debugger
    /// learns of it; empty if the script is to run again.
    ///
    /// @param deaths attempts that never ended
    default Optional<Execution> verdict(RunScript script, List<Invocation> deaths) {
        return Optional.empty();
    }
}
