package io.mlestar.app.cli;

import io.mlestar.app.cli.Forecast.CallSize;
import io.mlestar.app.cli.Forecast.RunDurations;
import io.mlestar.core.engine.CannedAnswers;
import io.mlestar.core.engine.Performer;
import io.mlestar.core.engine.Slots;
import io.mlestar.core.engine.VirtualTime;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Brief;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Window;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Price;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Models and scripts that take as long as they are said to, by the virtual clock. No script crashes, each scores better than all before it, and
/// every answer can be read: a run goes its whole way, so far as its time and money allow.
final class PlannedWork implements Performer {
    static final String SUBMISSION = "planned-submission";
    /// Of a program of ours that looks at machine or data.
    private static final Duration PROBE = Duration.ofSeconds(2);

    private final VirtualTime time;
    private final RunDurations durations;
    private final int machines;
    private final Slots slots;
    private final PipelineConfig config;
    private final BiFunction<String, Long, Optional<Price>> prices;
    private final double better;
    private int contenders;
    private int scores;

    /// @param prices of a model, by its name and the input tokens of a call
    PlannedWork(VirtualTime time, RunDurations durations, int machines, PipelineConfig config, MetricDirection direction,
            BiFunction<String, Long, Optional<Price>> prices) {
        this.time = time;
        this.durations = durations;
        this.machines = machines;
        this.slots = new Slots(time, machines);
        this.config = config;
        this.prices = prices;
        this.better = direction.isImprovement(1, 0) ? 1 : -1;
    }

    @Override
    public String promptsDigest() {
        return PlannedRun.PROMPTS;
    }

    @Override
    public String worker() {
        return "paper";
    }

    @Override
    public OptionalDouble estimate(Agent<?> agent, Brief brief) {
        Double cost = cost(agent.type());
        return cost == null ? OptionalDouble.empty() : OptionalDouble.of(cost);
    }

    private @Nullable Double cost(AgentType agent) {
        CallSize size = CallSize.of(agent);
        return prices.apply(config.modelOf(agent), size.inputTokens()).map(price -> price.of(size.inputTokens(), size.outputTokens(), 0, 0))
                .orElse(null);
    }

    @Override
    public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout, RetryApproval second) {
        Duration takes = Duration.ofMillis(Math.round(durations.callSeconds() * 1000));
        if (takes.compareTo(timeout) > 0) {
            time.sleep(timeout);
            throw new ModelUnavailable("there was no answer in time", cost(agent.type()));
        }
        time.sleep(takes);
        CallSize size = CallSize.of(agent.type());
        return new Answer(CannedAnswers.answer(agent, step.inside(), config.numRetrievedModels()), new Answer.Usage(config.modelOf(agent.type()),
                size.inputTokens(), size.outputTokens(), 0, cost(agent.type()), takes.toMillis() / 1000.0), "", "");
    }

    @Override
    public Execution run(StepPath step, RunScript script, Brief brief, Window window, Begin begin) {
        contenders++;
        try {
            if (!slots.take(window.latestStart())) {
                throw new StepStopped("there was no slot for it in time");
            }
            try {
                return execute(step, script, window, begin);
            } finally {
                slots.give();
            }
        } finally {
            contenders--;
        }
    }

    private Execution execute(StepPath step, RunScript script, Window window, Begin begin) {
        Duration share = script.kind() == RunScript.Kind.SUBMISSION ? window.left(time.instant()) : window.share(time.instant(), machines, contenders);
        Duration limit = earlier(share, Duration.ofSeconds(script.timeoutSeconds()));
        begin.attempt();
        Duration training = Duration.ofMillis(Math.round(durations.scriptSeconds() * 1000));
        Duration takes = switch (script.kind()) {
            case MACHINE, DATA_CARD -> PROBE;
            case SOLUTION, SUBMISSION -> training;
            // A study is written to end within its own limit.
            case ABLATION -> earlier(training, Duration.ofSeconds(script.timeoutSeconds()));
        };
        if (takes.compareTo(limit) > 0) {
            time.sleep(limit);
            String bug = "TimeoutError: the script was stopped after " + limit.toSeconds() + " seconds";
            return Execution.of(new EvaluationResult(null, "", "", -1, limit.toMillis() / 1000.0, true, bug), true, null, bug);
        }
        time.sleep(takes);
        Double score = script.kind() == RunScript.Kind.SOLUTION ? Double.valueOf(better * ++scores) : null;
        EvaluationResult result = new EvaluationResult(score, CannedAnswers.printed(script.kind()), "", 0, takes.toMillis() / 1000.0, false, null);
        Execution.Submission submission = script.kind() == RunScript.Kind.SUBMISSION ? new Execution.Submission(SUBMISSION, 1, 1) : null;
        return Execution.of(result, false, submission, null);
    }

    private static Duration earlier(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
