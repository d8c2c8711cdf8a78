package io.mlestar.core.engine;

import io.mlestar.core.records.Invocations;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Brief;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Window;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// Does what another one does, but for what a test changes.
abstract class ForwardingPerformer implements Performer {
    private final Performer inner;

    ForwardingPerformer(Performer inner) {
        this.inner = inner;
    }

    @Override
    public String promptsDigest() {
        return inner.promptsDigest();
    }

    @Override
    public String worker() {
        return inner.worker();
    }

    @Override
    public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout, RetryApproval second) {
        return inner.ask(step, agent, brief, timeout, second);
    }

    @Override
    public OptionalDouble estimate(Agent<?> agent, Brief brief) {
        return inner.estimate(agent, brief);
    }

    @Override
    public OptionalDouble budgetPerDay() {
        return inner.budgetPerDay();
    }

    @Override
    public Execution run(StepPath step, RunScript script, Brief brief, Window window, Begin begin) {
        return inner.run(step, script, brief, window, begin);
    }

    @Override
    public Optional<Execution> verdict(RunScript script, List<Invocations.Invocation> deaths) {
        return inner.verdict(script, deaths);
    }
}
