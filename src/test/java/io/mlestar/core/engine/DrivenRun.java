package io.mlestar.core.engine;

import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.Store;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.TaskDescription;
import module java.base;

/// A run of the made-up world that goes on as far as a test says, by today's clock, in a store that
/// others look at.
public final class DrivenRun {
    private static final int LONGEST_NAME = 200;
    private static final String MADE_UP = "made-up";

    private final OneEngine one;
    private final RunHeader header;

    private DrivenRun(Store store, RunHeader header, World world, OneEngine.MovingClock clock) {
        this.one = new OneEngine(store, world, clock, new Watcher() {});
        this.header = header;
        one.engine.start(header);
    }

    private DrivenRun(Store store, RunHeader header, World world) {
        this(store, header, world, OneEngine.MovingClock.system());
    }

    /// Asks for the run; nothing is done yet.
    ///
    /// @param config JSON
    /// @param faults of a hundred answers and scripts, how many go wrong
    public static DrivenRun start(Store store, String run, String config, int faults) {
        return new DrivenRun(store, header(run, config, MADE_UP, Instant.now()), new World(7, faults));
    }

    /// Asks for a run that began some hours ago, by a clock that a step moves on.
    public static DrivenRun longAgo(Store store, String run, String config, Duration ago) {
        Instant then = Instant.now().minus(ago);
        return new DrivenRun(store, header(run, config, MADE_UP, then), new World(7, 5),
                OneEngine.MovingClock.ticking(then, 150));
    }

    /// Asks for a run whose task, answers, outputs and errors all hold `words`.
    public static DrivenRun saying(Store store, String run, String config, String words) {
        String quoted = words.replace("\\", "\\\\").replace("\"", "\\\"");
        return new DrivenRun(store, header(run, config, words, Instant.now()), new World(7, 20).asking(question -> {
            String text = question.answer().text();
            boolean prose = question.agent().name().contains("planner") || question.agent().name().equals("summarize");
            String said = prose ? words + text : text.replace("Improve it.", "Improve it. " + quoted);
            return new Answer(said, new Answer.Usage(words, 1, 1, 0, World.COST, 0), null, words, words,
                    List.of(new Answer.DataLook(words, words)));
        }).running(job -> saying(job.execution(), words)));
    }

    /// The same outcome with `words` in all texts.
    static Execution saying(Execution ran, String words) {
        EvaluationResult made = ran.evaluation();
        String bug = ran instanceof Execution.Failed failed ? failed.bug() + words : null;
        return Execution.of(new EvaluationResult(made.score(), words, words, made.exitCode(), 0.1, made.isError(), bug),
                false, ran instanceof Execution.Ended ended ? ended.submission() : null, bug);
    }

    /// Asks for a run whose ablation studies print a score that no solution reaches.
    ///
    /// @param price of an answer; null is unknown
    public static DrivenRun withScoredStudies(Store store, String run, String config, Double price) {
        World world = new World(7, 0).running(job -> {
            Execution ran = job.execution();
            return !job.script().kind().isStudy() ? ran
                    : World.execution(99.0, "Final Validation Performance: 99", null, null);
        });
        world.cost = price;
        return new DrivenRun(store, header(run, config, MADE_UP, Instant.now()), world);
    }

    /// Asks for a run that shares what another one has found.
    public static DrivenRun sharing(Store store, String run, String other, String config) {
        RunHeader header = header(run, config, MADE_UP, Instant.now())
                .from(new RunHeader.Origin(other, null, Instant.now(), null));
        return new DrivenRun(store, header, new World(7, 10));
    }

    private static RunHeader header(String run, String config, String words, Instant start) {
        RunHeader made = World.header(run, config);
        TaskDescription task = made.task();
        String name = words.substring(0, Math.min(words.length(), LONGEST_NAME));
        TaskDescription said = new TaskDescription(name, task.taskType(), task.dataModality(),
                words.equals(MADE_UP) ? "AUC" : name, task.metricDirection(), words, "/data", null);
        return new RunHeader(run, said, made.config(), words, "test", "digest", start,
                start.plusSeconds(made.config().limits().timeLimitSeconds()), null, null);
    }

    /// Works on so many events.
    ///
    /// @return whether something is left to do
    public boolean goOn(int events) {
        for (int i = 0; i < events && !one.events.isEmpty(); i++) {
            one.deliver(one.engine);
        }
        return !one.events.isEmpty();
    }

    /// Goes on until a step has ended.
    public DrivenRun until(String inside) {
        StepPath step = new StepPath(header.runId(), inside);
        while (records().result(step).isEmpty()) {
            if (!goOn(1) && records().result(step).isEmpty()) {
                throw new AssertionError("the run ended without " + step);
            }
        }
        return this;
    }

    public DrivenRun untilTheEnd() {
        return until("");
    }

    public Records records() {
        return one.records;
    }

    /// All events so far.
    public List<Event> published() {
        return one.published;
    }
}
