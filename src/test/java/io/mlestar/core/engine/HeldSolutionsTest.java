package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Brief;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.WatchedStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What a process holds of the solutions of a run.
class HeldSolutionsTest {
    private static final int HELD = 8 << 20;
    private static final String COMMENT = "# " + "x".repeat(30_000);

    private final WatchedStore store = new WatchedStore(new MemoryStore());
    private final Records records = new Records(store);

    /// Each script is long, and Phase 2 has 64 solutions.
    private void run() {
        Deque<Event> events = new ArrayDeque<>();
        Engine engine = new Engine(records, events::add, new ForwardingPerformer(new World(1, 0)) {
            @Override
            public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout, RetryApproval second) {
                Answer answer = super.ask(step, agent, brief, timeout, second);
                return new Answer(answer.text().replace("print(", COMMENT + "\nprint("), answer.usage(), "", "");
            }
        }, new OneEngine.MovingClock(), new Watcher() {});
        engine.start(World.header("r", "{\"num_parallel_solutions\": 4}"));
        while (!events.isEmpty()) {
            Event event = events.poll();
            if (!event.endsRun()) {
                engine.work(Event.stepOf(event.data()));
            }
        }
    }

    private long bytes(Stream<String> keys) {
        return keys.mapToLong(key -> store.read(key).orElseThrow().length).sum();
    }

    @Test
    @Requirement("REQ-OR-049")
    void aProcessHoldsAFewAndAPathHandsOnItsBestAlone() {
        run();
        store.forget();
        List<String> keys = records.all(StepPath.root("r")).map(KnownStep::path).map(Records::stepKey)
                .flatMap(key -> Stream.of(key + ".request.json", key + ".result.json")).toList();
        List<String> read = List.copyOf(store.read());

        assertThat(bytes(keys.stream())).isGreaterThan(2L * HELD);
        assertThat(bytes(keys.stream().filter(key -> !read.contains(key)))).as("what was not read again").isLessThanOrEqualTo(HELD);
        String path = new String(store.read("runs/r/steps/phase2-path3.result.json").orElseThrow(), StandardCharsets.UTF_8);
        assertThat(path).contains("block3/attempt3").containsOnlyOnce(COMMENT);
    }
}
