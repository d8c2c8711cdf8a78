package io.mlestar.core.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import module java.base;
import org.jspecify.annotations.Nullable;

/// A run of the made-up world in which the test says what scripts give. Every other solution scores
/// 0.1 and writes nothing.
public final class ScoredRun extends OneEngine {
    private static final double OTHERS = 0.1;

    public final RunHeader header;
    private final Watchers watchers;
    private final Map<String, Execution> scripts = new HashMap<>();
    private final Map<String, String> answers = new HashMap<>();

    public ScoredRun(String config) {
        this(config, new Watchers());
    }

    private ScoredRun(String config, Watchers watchers) {
        super(new MemoryStore(), new World(1, 0), MovingClock.ticking(World.NOW, 10), watchers);
        this.watchers = watchers;
        this.header = World.header("r", config);
        world.asking(question -> question.answer(text -> answers.getOrDefault(question.step().inside(), text)));
        world.running(job -> {
            Execution made = job.execution();
            return scripts.getOrDefault(job.step().inside(),
                    job.script().kind() == RunScript.Kind.SOLUTION ? World.execution(OTHERS, "", null, null) : made);
        });
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
        return gives(step, null, "ValueError: made to crash", false);
    }

    private ScoredRun gives(String step, @Nullable Double score, @Nullable String bug, boolean submits) {
        if (submits) {
            store.create("kept-" + step, step.getBytes(StandardCharsets.UTF_8));
        }
        scripts.put(step, World.execution(score, "", bug,
                submits ? new Execution.Submission("kept-" + step, step.length(), 3) : null));
        return this;
    }

    public ScoredRun answers(String step, String text) {
        answers.put(step, text);
        return this;
    }

    public ScoredRun watched(Watcher by) {
        watchers.add(by);
        return this;
    }

    /// Goes on until a step has ended; the empty path is the run itself.
    public ScoredRun until(String step) {
        if (published.isEmpty()) {
            engine.start(header);
        }
        until(() -> records.result(new StepPath("r", step)).isPresent());
        return this;
    }

    /// Ends a step from outside, as when no event of it can be delivered.
    public ScoredRun fail(String step) {
        engine.fail(new StepPath("r", step), "made to fail");
        return this;
    }

    public JsonNode untilTheEnd() {
        until("");
        return store.read("runs/r/result.json").map(Json::parse).orElseThrow();
    }
}
