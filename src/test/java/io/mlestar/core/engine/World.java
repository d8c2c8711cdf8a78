package io.mlestar.core.engine;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution.Submission;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Note;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Window;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.TaskType;
import module java.base;
import org.jspecify.annotations.Nullable;

/// Models and scripts made up from a seed: the same step always gets the same answer, some answers
/// are unreadable, some agents fail, some scripts crash. Counts what was paid for. A test changes
/// single answers and outcomes by [#asking] and [#running].
public final class World implements Performer {
    public static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    static final double COST = 0.01;
    /// The number of models that its retriever finds.
    private static final int MODELS = 3;

    public final Map<StepPath, Integer> paid = new ConcurrentHashMap<>();
    public String prompts = "digest";
    /// The cost of an answer; null is unknown.
    public Double cost = COST;
    /// The cost that an answer is thought to have.
    public double estimate;
    /// For all runs of a store in a day; null is unlimited.
    public Double budgetPerDay;
    /// True if every script fails for want of a library.
    volatile boolean lacksLibrary;
    private final long seed;
    /// The number of a hundred answers that go wrong.
    private final int faults;
    private Function<Question, Answer> asking = Question::answer;
    private Function<Job, Execution> running = Job::execution;
    private BiFunction<StepPath, RunContext, Harness> scoring = (_, _) -> {
        throw new StepFailed("no rows are hidden");
    };

    /// A question that the engine asks of a model.
    public record Question(World world, StepPath step, Agent<?> agent, RunContext context, Duration timeout,
            RetryApproval second) {
        /// The answer that the world makes up.
        public Answer answer() {
            return world.answer(step, agent, context);
        }

        /// The same with another text.
        public Answer answer(UnaryOperator<String> text) {
            Answer made = answer();
            return new Answer(text.apply(made.text()), made.usage(), null, "", "");
        }
    }

    /// A script that the engine wants run.
    public record Job(World world, StepPath step, RunScript script, RunContext context, Window window, Begin begin) {
        /// The outcome that the world makes up.
        public Execution execution() {
            begin.attempt();
            return world.execution(step, script);
        }
    }

    public World(long seed, int faults) {
        this.seed = seed;
        this.faults = faults;
    }

    /// Answers are what this makes of the world's own.
    public World asking(Function<Question, Answer> how) {
        asking = how;
        return this;
    }

    /// Scripts end as this makes them.
    public World running(Function<Job, Execution> how) {
        running = how;
        return this;
    }

    /// Sets what computes with the predictions of scripts.
    public World scoring(BiFunction<StepPath, RunContext, Harness> how) {
        scoring = how;
        return this;
    }

    @Override
    public Harness harness(StepPath step, RunContext context) {
        return scoring.apply(step, context);
    }

    public static RunHeader header(String run, String config) {
        TaskDescription task =
                new TaskDescription("made-up", TaskType.TABULAR, DataModality.TABULAR, "AUC", MetricDirection.MAXIMIZE,
                        "Predict y.", "/data", null);
        ObjectNode settings = Json.object().put("data_card", false);
        PipelineConfig resolved = PipelineConfig.resolve(settings.setAll((ObjectNode) Json.parse(config)),
                Map.of("MLE_STAR_MODEL", "made:up"));
        return new RunHeader(run, task, resolved, "no GPU", "test", "digest", NOW,
                NOW.plusSeconds(resolved.limits().timeLimitSeconds()), null, null);
    }

    /// The same, which began at that moment.
    public static RunHeader header(String run, String config, Instant start) {
        RunHeader made = header(run, config);
        return new RunHeader(run, made.task(), made.config(), made.hardware(), made.version(), made.promptsDigest(),
                start, start.plusSeconds(made.config().limits().timeLimitSeconds()), null, null);
    }

    /// Stores a run and the first step that it asks for.
    public static StepRequest begun(Records records, RunHeader run) {
        StepRequest root = new StepRequest("phase/pipeline", Json.object(), null, NOW, run.deadline(), false);
        records.create(run);
        records.create(StepPath.root(run.runId()), root);
        return root;
    }

    /// From when on the time of a run is kept for finalization.
    static Instant finalizeAt(RunHeader run) {
        return CurrentLimits.of(run).finalizeAt();
    }

    /// The same where the program runs the scripts itself.
    static RunHeader here(RunHeader run) {
        return new RunHeader(run.runId(), run.task(), run.config(), run.hardware(), run.version(), run.promptsDigest(),
                run.startedAt(), run.deadline(), null, new RunHeader.Environment("3.12", "none", "off"));
    }

    @Override
    public String promptDigest(AgentType agent) {
        return prompts;
    }

    @Override
    public Answer ask(StepPath step, Agent<?> agent, RunContext context, Duration timeout, RetryApproval second) {
        return asking.apply(new Question(this, step, agent, context, timeout, second));
    }

    private Answer answer(StepPath step, Agent<?> agent, RunContext context) {
        paid.merge(step, 1, Integer::sum);
        int fate = random(step.inside()).nextInt(100);
        if (fate < faults / 2) {
            throw new StepFailed("made to fail");
        }
        String text = fate < faults ? "Sorry, I cannot." : CannedAnswers.answer(agent, step.inside(), MODELS);
        String told = context.notes().stream().map(Note::item).collect(Collectors.joining("\n"));
        return new Answer(text, new Answer.Usage("made:up", 1, 1, 0, cost, 0), null, "", told);
    }

    @Override
    public OptionalDouble estimate(Agent<?> agent, RunContext context) {
        return OptionalDouble.of(estimate);
    }

    @Override
    public OptionalDouble budgetPerDay() {
        return budgetPerDay == null ? OptionalDouble.empty() : OptionalDouble.of(budgetPerDay);
    }

    @Override
    public Execution run(StepPath step, RunScript script, RunContext context, Window window, Begin begin) {
        return running.apply(new Job(this, step, script, context, window, begin));
    }

    private Execution execution(StepPath step, RunScript script) {
        paid.merge(step, 1, Integer::sum);
        Random random = random(script.content());
        boolean crash = random.nextInt(100) < faults || lacksLibrary;
        String trace = "Traceback (most recent call last):\n"
                + (lacksLibrary ? "ModuleNotFoundError: No module named 'lightgbm'" : "ValueError: made to crash");
        if (crash) {
            return execution(null, CannedAnswers.OUTPUT, trace, null);
        }
        Double score = script.kind() == RunScript.Kind.SOLUTION ? Double.valueOf(random.nextInt(1000) / 1000.0) : null;
        return execution(score, CannedAnswers.printed(script.kind()), null,
                script.kind() == RunScript.Kind.SUBMISSION ? new Execution.Submission("kept", 10, 1) : null);
    }

    /// @param bug null if the script ended well; with a score it wrote a traceback and ended well
    ///   all the same
    public static Execution execution(@Nullable Double score, String output, @Nullable String bug,
            Execution.@Nullable Submission submission) {
        EvaluationResult result = new EvaluationResult(Score.printed(score), output, bug == null ? "" : bug,
                bug == null || score != null ? 0 : 1, 0.1, bug != null, bug);
        return Execution.of(result, false, submission, bug);
    }

    private Random random(String what) {
        return new Random(seed * 1_000_003 + what.hashCode());
    }

    /// Steps that were paid for more than once.
    public long paidTwice() {
        return paid.values().stream().mapToInt(times -> times - 1).sum();
    }
}
