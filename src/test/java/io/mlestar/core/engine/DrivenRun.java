package io.mlestar.core.engine;

import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Brief;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Window;
import io.mlestar.core.store.Store;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.TaskDescription;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/// A run of the made-up world that goes on as far as a test says, by today's clock, in a store that others look at.
public final class DrivenRun {
    private static final int LONGEST_NAME = 200;

    private final Records records;
    private final RunHeader header;
    private final Engine engine;
    private final Deque<Event> open = new ArrayDeque<>();

    private DrivenRun(Store store, RunHeader header, Performer world, InstantSource clock) {
        this(store, header, world, clock, event -> {});
    }

    private DrivenRun(Store store, RunHeader header, Performer world, InstantSource clock, Consumer<Event> told) {
        this.records = new Records(store);
        this.header = header;
        this.engine = new Engine(records, event -> {
            told.accept(event);
            if (!event.type().startsWith("io.mlestar.run.")) {
                open.add(event);
            }
        }, world, clock, new Watcher() {});
        records.create(header);
        engine.start(header);
    }

    /// Asks for the run; nothing is done yet.
    ///
    /// @param config JSON
    /// @param faults of a hundred answers and scripts, how many go wrong
    public static DrivenRun start(Store store, String run, String config, int faults) {
        return new DrivenRun(store, header(run, config, "made-up", Duration.ZERO), new World(7, faults), InstantSource.system());
    }

    /// The same, and whoever wants to know hears each event.
    public static DrivenRun telling(Store store, String run, String config, int faults, Consumer<Event> told) {
        return new DrivenRun(store, header(run, config, "made-up", Duration.ZERO), new World(7, faults), InstantSource.system(), told);
    }

    /// Asks for a run that began some hours ago, by a clock that a step moves on.
    public static DrivenRun longAgo(Store store, String run, String config, Duration ago) {
        return new DrivenRun(store, header(run, config, "made-up", ago), new World(7, 5), new InstantSource() {
            private Instant now = Instant.now().minus(ago);

            @Override
            public Instant instant() {
                now = now.plusMillis(150);
                return now;
            }
        });
    }

    /// Asks for a run in which everything that anybody says holds `words`.
    public static DrivenRun saying(Store store, String run, String config, String words) {
        World world = new World(7, 20);
        return new DrivenRun(store, header(run, config, words, Duration.ZERO), new Performer() {
            @Override
            public String promptsDigest() {
                return world.promptsDigest();
            }

            @Override
            public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout, RetryApproval second) {
                String text = world.ask(step, agent, brief, timeout, second).text();
                boolean prose = agent.name().contains("planner") || agent.name().equals("summarize");
                String quoted = words.replace("\\", "\\\\").replace("\"", "\\\"");
                String said = prose ? words + text : text.replace("Improve it.", "Improve it. " + quoted);
                return new Answer(said, new Answer.Usage(words, 1, 1, 0, World.COST, 0), words, words);
            }

            @Override
            public Execution run(StepPath step, RunScript script, Brief brief, Window window, Begin begin) {
                Execution ran = world.run(step, script, brief, window, begin);
                EvaluationResult made = ran.evaluation();
                String bug = ran instanceof Execution.Failed failed ? failed.bug() + words : null;
                return Execution.of(new EvaluationResult(made.score(), words, words, made.exitCode(), 0.1, made.isError(), bug), false,
                        ran instanceof Execution.Ended ended ? ended.submission() : null, bug);
            }
        }, InstantSource.system());
    }

    /// Asks for a run whose ablation studies print a score that no solution reaches.
    ///
    /// @param price of an answer; null if nobody knows it
    public static DrivenRun withScoredStudies(Store store, String run, String config, Double price) {
        World world = new World(7, 0);
        return new DrivenRun(store, header(run, config, "made-up", Duration.ZERO), new Performer() {
            @Override
            public String promptsDigest() {
                return world.promptsDigest();
            }

            @Override
            public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout, RetryApproval second) {
                Answer answer = world.ask(step, agent, brief, timeout, second);
                return new Answer(answer.text(), new Answer.Usage("made:up", 1, 1, 0, price, 0), "", "");
            }

            @Override
            public Execution run(StepPath step, RunScript script, Brief brief, Window window, Begin begin) {
                Execution ran = world.run(step, script, brief, window, begin);
                return script.kind() != RunScript.Kind.ABLATION ? ran
                        : Execution.of(new EvaluationResult(99.0, "Final Validation Performance: 99", "", 0, 0.1, false, null), false, null, null);
            }
        }, InstantSource.system());
    }

    /// Asks for a run that shares what another one has found.
    public static DrivenRun sharing(Store store, String run, String other, String config) {
        RunHeader header = header(run, config, "made-up", Duration.ZERO).from(new RunHeader.Origin(other, null, Instant.now(), null));
        return new DrivenRun(store, header, new World(7, 10), InstantSource.system());
    }

    private static RunHeader header(String run, String config, String words, Duration ago) {
        RunHeader made = World.header(run, config);
        TaskDescription task = made.task();
        Instant start = Instant.now().minus(ago);
        String name = words.substring(0, Math.min(words.length(), LONGEST_NAME));
        TaskDescription said = new TaskDescription(name, task.taskType(), task.dataModality(), words.equals("made-up") ? "AUC" : name,
                task.metricDirection(), words, "/data", null);
        return new RunHeader(run, said, made.config(), words, "test", "digest", start, start.plusSeconds(made.config().timeLimitSeconds()), null);
    }

    /// Works on so many events.
    ///
    /// @return whether something is left to do
    public boolean goOn(int events) {
        for (int i = 0; i < events && !open.isEmpty(); i++) {
            engine.work(Event.stepOf(open.poll().data()));
        }
        return !open.isEmpty();
    }

    /// Goes on until a step has ended.
    public DrivenRun until(String inside) {
        StepPath step = new StepPath(header.runId(), inside);
        while (records.result(step).isEmpty()) {
            if (!goOn(1) && records.result(step).isEmpty()) {
                throw new AssertionError("the run ended without " + step);
            }
        }
        return this;
    }

    public DrivenRun untilTheEnd() {
        return until("");
    }

    public Records records() {
        return records;
    }
}
