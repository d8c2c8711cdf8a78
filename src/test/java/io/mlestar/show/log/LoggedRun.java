package io.mlestar.show.log;

import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import module java.base;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/// A run of the made-up world by a real engine, in which some steps answer what the test wants, and
/// the log is listened to.
public final class LoggedRun {
    /// The outcome that the test gives one script.
    ///
    /// @param score null prints none
    /// @param crash null ends well
    /// @param rows null leaves no submission
    /// @param wrong with the form of the submission; null for nothing
    public record Ran(Double score, String crash, boolean timedOut, Long rows, String wrong) {
        public Ran(Double score, String crash, boolean timedOut, Long rows) {
            this(score, crash, timedOut, rows, null);
        }
    }

    public final Records records = new Records(new MemoryStore());
    public final List<String> lines = new ArrayList<>();
    private final String config;
    private final Map<String, Function<Agent<?>, String>> answers = new HashMap<>();
    private final Map<String, Ran> scripts = new HashMap<>();

    public LoggedRun(String config) {
        this.config = config;
        records.store().create("kept", "id,y\n".getBytes(StandardCharsets.UTF_8));
    }

    /// @param step path within the run
    public LoggedRun answer(String step, String text) {
        return answer(step, agent -> text);
    }

    public LoggedRun answer(String step, Function<Agent<?>, String> text) {
        answers.put(step, text);
        return this;
    }

    /// The model is out of reach.
    public LoggedRun fail(String step) {
        return answer(step, agent -> {
            throw new StepFailed("made to fail");
        });
    }

    public LoggedRun scores(String step, double score) {
        return ran(step, new Ran(score, null, false, null));
    }

    public LoggedRun crashes(String step) {
        return ran(step, new Ran(null, "ValueError: made to crash", false, null));
    }

    public LoggedRun ran(String step, Ran ran) {
        scripts.put(step, ran);
        return this;
    }

    public LoggedRun played() {
        Logger.getLogger("mle_star").setLevel(Level.FINE);
        World world = new World(1, 0);
        world.asking(question -> {
            Function<Agent<?>, String> told = answers.getOrDefault(question.step().inside(), agent -> null);
            return question.answer(made -> Objects.requireNonNullElse(told.apply(question.agent()), made));
        }).running(job -> {
            Execution made = job.execution();
            Ran told = scripts.get(job.step().inside());
            return told != null ? execution(told)
                    : job.script().kind() == Kind.SOLUTION ? execution(new Ran(0.1, null, false, null)) : made;
        });
        try (Ear ear = new Ear("mle_star", this::hear)) {
            new OneEngine(records.store(), world, new OneEngine.MovingClock(), new StepLog(() -> 2))
                    .runToTheEnd(config);
        }
        return this;
    }

    private void hear(LogRecord line) {
        String level = switch (line.getLevel().getName()) {
            case "SEVERE" -> "ERROR";
            case "WARNING" -> "WARN";
            case "FINE" -> "DEBUG";
            case String name -> name;
        };
        lines.add(level + " " + new SimpleFormatter().formatMessage(line));
    }

    private static Execution execution(Ran ran) {
        boolean error = ran.crash() != null || ran.timedOut();
        String bug = ran.timedOut() ? "TimeoutError: the script was stopped after 9 seconds" : ran.crash();
        EvaluationResult result = new EvaluationResult(Score.printed(ran.score()), "output", error ? bug : "",
                error ? 1 : 0, 0.1, error, error ? bug : null);
        return Execution.of(result, ran.timedOut(),
                ran.rows() == null ? null : new Execution.Submission("kept", 10, ran.rows(), ran.wrong()),
                error ? bug : null);
    }
}
