package io.mlestar.core.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
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
import io.mlestar.core.task.EvaluationResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A run of the made-up world in which the test says what scripts give. Every other solution scores 0.1 and writes nothing.
public final class ScoredRun extends OneEngine implements Performer {
    private static final double OTHERS = 0.1;

    public final RunHeader header;
    private final Map<String, Execution> scripts = new HashMap<>();
    private final Map<String, String> answers = new HashMap<>();
    private Watcher watcher = new Watcher() {};
    private @Nullable Engine own;

    public ScoredRun(String config) {
        this.header = World.header("r", config);
        clock.tick = Duration.ofMillis(10);
        records.create(header);
    }

    /// Lets a script score, and leave a submission that holds its own path.
    ///
    /// @param step path within the run
    public ScoredRun submits(String step, double score) {
        return gives(step, score, null, true);
    }

    public ScoredRun scores(String step, double score) {
        return gives(step, score, null, false);
    }

    /// The same, but it writes a traceback though it ends well.
    public ScoredRun submitsDoubtfully(String step, double score) {
        return gives(step, score, "Traceback\nValueError: in a thread", true);
    }

    public ScoredRun crashes(String step) {
        EvaluationResult crashed = new EvaluationResult(null, "", "ValueError", 1, 1, true, "ValueError: made to crash");
        scripts.put(step, Execution.of(crashed, false, null, "ValueError: made to crash"));
        return this;
    }

    private ScoredRun gives(String step, double score, @Nullable String bug, boolean submits) {
        if (submits) {
            store.create("kept-" + step, step.getBytes(StandardCharsets.UTF_8));
        }
        EvaluationResult result = new EvaluationResult(score, "", bug == null ? "" : bug, 0, 1, bug != null, bug);
        scripts.put(step, Execution.of(result, false, submits ? new Execution.Submission("kept-" + step, step.length(), 3) : null, bug));
        return this;
    }

    public ScoredRun answers(String step, String text) {
        answers.put(step, text);
        return this;
    }

    public ScoredRun watched(Watcher by) {
        watcher = by;
        return this;
    }

    @Override
    public String promptsDigest() {
        return world.promptsDigest();
    }

    @Override
    public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout, RetryApproval second) {
        Answer made = world.ask(step, agent, brief, timeout, second);
        return new Answer(answers.getOrDefault(step.inside(), made.text()), made.usage(), "", "");
    }

    @Override
    public Execution run(StepPath step, RunScript script, Brief brief, Window window, Begin begin) {
        Execution made = world.run(step, script, brief, window, begin);
        Execution other = script.kind() != RunScript.Kind.SOLUTION ? made
                : Execution.of(new EvaluationResult(OTHERS, "", "", 0, 1, false, null), false, null, null);
        return scripts.getOrDefault(step.inside(), other);
    }

    private Engine own() {
        if (own == null) {
            own = new Engine(records, this::take, this, clock, watcher);
            own.start(header);
        }
        return own;
    }

    /// Goes on until a step has ended; the empty path is the run itself.
    public ScoredRun until(String step) {
        Engine engine = own();
        while (records.result(new StepPath("r", step)).isEmpty()) {
            engine.work(Event.stepOf(events.remove().data()));
        }
        return this;
    }

    /// Ends a step from outside, as when no event of it can be delivered.
    public ScoredRun fail(String step) {
        own().fail(new StepPath("r", step), "made to fail");
        return this;
    }

    public JsonNode untilTheEnd() {
        until("");
        return store.read("runs/r/result.json").map(Json::parse).orElseThrow();
    }
}
