package io.mlestar.core.engine;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Brief;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Note;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Window;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.TaskType;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// Models and scripts made up from a seed: the same step always gets the same answer, some answers are unreadable, some
/// agents fail, some scripts crash. Counts what was paid for.
public final class World implements Performer {
    public static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    static final double COST = 0.01;
    /// What its retriever finds.
    private static final int MODELS = 3;

    public final Map<StepPath, Integer> paid = new ConcurrentHashMap<>();
    public String prompts = "digest";
    /// What an answer costs; null is unknown.
    public Double cost = COST;
    /// What an answer is thought to cost.
    public double estimate;
    /// For all runs of a store in a day; null is unlimited.
    public Double budgetPerDay;
    /// Whether every script fails for want of a library.
    volatile boolean lacksLibrary;
    private final long seed;
    /// Of a hundred answers, how many go wrong.
    private final int faults;

    public World(long seed, int faults) {
        this.seed = seed;
        this.faults = faults;
    }

    public static RunHeader header(String run, String config) {
        TaskDescription task = new TaskDescription("made-up", TaskType.TABULAR, DataModality.TABULAR, "AUC", MetricDirection.MAXIMIZE,
                "Predict y.", "/data", null);
        ObjectNode settings = Json.object().put("data_card", false);
        PipelineConfig resolved = PipelineConfig.resolve(settings.setAll((ObjectNode) Json.parse(config)), Map.of("MLE_STAR_MODEL", "made:up"));
        return new RunHeader(run, task, resolved, "no GPU", "test", "digest", NOW, NOW.plusSeconds(resolved.timeLimitSeconds()), null);
    }

    /// The same where the program runs the scripts itself.
    static RunHeader here(RunHeader run) {
        return new RunHeader(run.runId(), run.task(), run.config(), run.hardware(), run.version(), run.promptsDigest(), run.startedAt(), run.deadline(), null,
                new RunHeader.Environment("3.12", "none", "off"));
    }

    @Override
    public String promptsDigest() {
        return prompts;
    }

    @Override
    public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout, RetryApproval second) {
        paid.merge(step, 1, Integer::sum);
        Random random = random(step.inside());
        int fate = random.nextInt(100);
        if (fate < faults / 2) {
            throw new StepFailed("made to fail");
        }
        String text = fate < faults ? "Sorry, I cannot." : CannedAnswers.answer(agent, step.inside(), MODELS);
        String told = brief.notes().stream().map(Note::item).collect(Collectors.joining("\n"));
        return new Answer(text, new Answer.Usage("made:up", 1, 1, 0, cost, 0), "", told);
    }

    @Override
    public OptionalDouble estimate(Agent<?> agent, Brief brief) {
        return OptionalDouble.of(estimate);
    }

    @Override
    public OptionalDouble budgetPerDay() {
        return budgetPerDay == null ? OptionalDouble.empty() : OptionalDouble.of(budgetPerDay);
    }

    @Override
    public Execution run(StepPath step, RunScript script, Brief brief, Window window, Begin begin) {
        begin.attempt();
        paid.merge(step, 1, Integer::sum);
        Random random = random(script.content());
        boolean crash = random.nextInt(100) < faults || lacksLibrary;
        String trace = "Traceback (most recent call last):\n"
                + (lacksLibrary ? "ModuleNotFoundError: No module named 'lightgbm'" : "ValueError: made to crash");
        String printed = crash ? CannedAnswers.OUTPUT : CannedAnswers.printed(script.kind());
        Double score = crash || script.kind() != RunScript.Kind.SOLUTION ? null : random.nextInt(1000) / 1000.0;
        EvaluationResult result = new EvaluationResult(score, printed, crash ? trace : "", crash ? 1 : 0, 0.1, crash, crash ? trace : null);
        boolean submits = script.kind() == RunScript.Kind.SUBMISSION && !crash;
        return Execution.of(result, false, submits ? new Execution.Submission("kept", 10, 1) : null, crash ? trace : null);
    }

    private Random random(String what) {
        return new Random(seed * 1_000_003 + what.hashCode());
    }

    /// Steps that were paid for more than once.
    public long paidTwice() {
        return paid.values().stream().mapToInt(times -> times - 1).sum();
    }
}
