package io.mlestar.app.start;

import io.mlestar.app.start.Forecast.CallSize;
import io.mlestar.app.start.Forecast.RunDurations;
import io.mlestar.core.engine.CannedAnswers;
import io.mlestar.core.engine.Harness;
import io.mlestar.core.engine.Performer;
import io.mlestar.core.engine.Slots;
import io.mlestar.core.engine.VirtualTime;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Window;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Price;
import io.mlestar.core.task.Score;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiFunction;

/// Models and scripts that take as long as they are said to, by the virtual clock. No script
/// crashes, each scores better than all before it, and every answer can be read, so a run goes its
/// whole way.
final class PlannedWork implements Performer {
    static final String SUBMISSION = "planned-submission";
    /// Of a script that looks at machine or data.
    private static final Duration PROBE = Duration.ofSeconds(2);
    /// An ablation study is written to end within its own limit.
    private static final double STUDY_SECONDS = 600;

    private final VirtualTime time;
    private final RunDurations durations;
    private final Slots slots;
    private final PipelineConfig config;
    private final BiFunction<String, Long, Optional<Price>> prices;
    private final double better;
    private int scores;

    /// @param prices of a model, by its name and the input tokens of a call
    PlannedWork(VirtualTime time, RunDurations durations, int machines, PipelineConfig config,
            MetricDirection direction,
            BiFunction<String, Long, Optional<Price>> prices) {
        this.time = time;
        this.durations = durations;
        this.slots = new Slots(time, machines);
        this.config = config;
        this.prices = prices;
        this.better = direction.isImprovement(1, 0) ? 1 : -1;
    }

    @Override
    public String promptDigest(AgentType agent) {
        return PlannedRun.PROMPTS;
    }

    @Override
    public String worker() {
        return "paper";
    }

    @Override
    public OptionalDouble estimate(Agent<?> agent, RunContext context) {
        return OptionalDouble.of(cost(agent.type()));
    }

    @Override
    public Harness harness(StepPath step, RunContext context) {
        throw new StepFailed("no rows are hidden");
    }

    private double cost(AgentType agent) {
        CallSize size = CallSize.of(agent);
        return prices.apply(config.models().modelOf(agent), size.inputTokens()).orElseThrow().of(size.inputTokens(),
                size.outputTokens(), 0, 0);
    }

    @Override
    public Answer ask(StepPath step, Agent<?> agent, RunContext context, Duration timeout, RetryApproval second) {
        time.sleep(seconds(durations.callSeconds()));
        CallSize size = CallSize.of(agent.type());
        return new Answer(CannedAnswers.answer(agent, step.inside(), config.search().numRetrievedModels()),
                new Answer.Usage(config.models().modelOf(agent.type()),
                        size.inputTokens(), size.outputTokens(), 0, cost(agent.type()), durations.callSeconds()),
                null,
                "", "");
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1000));
    }

    @Override
    public Execution run(StepPath step, RunScript script, RunContext context, Window window, Begin begin) {
        if (!slots.take(window.latestStart())) {
            throw new StepStopped("there was no slot for it in time");
        }
        try {
            begin.attempt();
            Duration takes = switch (script.kind()) {
                case MACHINE, DATA_CARD, HOLDOUT, SPLIT, METRIC -> PROBE;
                case SOLUTION, SUBMISSION -> seconds(durations.scriptSeconds());
                case ABLATION, STUDY -> seconds(Math.min(STUDY_SECONDS, durations.scriptSeconds()));
            };
            time.sleep(takes);
            Double score = script.kind() == RunScript.Kind.SOLUTION ? Double.valueOf(better * ++scores) : null;
            EvaluationResult result =
                    new EvaluationResult(Score.printed(score), CannedAnswers.printed(script.kind()), "", 0,
                            takes.toMillis() / 1000.0, false, null);
            Execution.Submission submission =
                    script.kind() == RunScript.Kind.SUBMISSION ? new Execution.Submission(SUBMISSION, 1, 1) : null;
            return Execution.of(result, false, submission, null);
        } finally {
            slots.give();
        }
    }
}
