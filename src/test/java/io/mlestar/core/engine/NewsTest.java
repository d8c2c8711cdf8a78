package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.event.Event;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.Results.FinalResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What those who look on are told, however often events come: each thing once, by whoever did it.
class NewsTest {
    private static final String CONFIG = """
            {"outer_loop_steps": 1, "inner_loop_steps": 2, "ensemble_rounds": 1, "max_debug_attempts": 1, "num_parallel_solutions": 1}""";

    private final Records records = new Records(new MemoryStore());
    private final Deque<Event> events = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();
    private final List<String> started = new ArrayList<>();
    private final List<String> ended = new ArrayList<>();
    private final List<String> unreadable = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();

    private final Watcher ear = new Watcher() {
        @Override
        public void asked(RunHeader run, StepPath step, StepRequest request) {
            asked.add(step.toString());
        }

        @Override
        public void started(RunHeader run, StepPath step, StepRequest request) {
            started.add(step.toString());
        }

        @Override
        public void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {
            ended.add(step.toString());
        }

        @Override
        public void unreadable(RunHeader run, StepPath step, String reason) {
            unreadable.add(step.toString());
        }

        @Override
        public void published(RunHeader run, FinalResult result) {
            ends.add("completed");
        }

        @Override
        public void failed(RunHeader run, String reason) {
            ends.add("failed");
        }
    };

    private Engine process(World world) {
        return new Engine(records, event -> {
            if (!event.endsRun()) {
                events.add(event);
            }
        }, world, new OneEngine.MovingClock(), ear);
    }

    /// Each event reaches one process and then the other.
    private void play(World world) {
        records.store().create("kept", "id,y\n1,0\n".getBytes(StandardCharsets.UTF_8));
        List<Engine> processes = List.of(process(world), process(world));
        processes.forEach(process -> process.start(World.header("r", CONFIG)));
        while (!events.isEmpty()) {
            StepPath step = Event.stepOf(events.poll().data());
            processes.forEach(process -> process.work(step));
        }
    }

    private Set<String> steps() {
        Set<String> steps = new TreeSet<>(Set.of("r"));
        all().forEach(step -> steps.add(step.path().toString()));
        return steps;
    }

    private Stream<KnownStep> all() {
        return records.all(StepPath.root("r"));
    }

    private Set<String> begun() {
        Set<String> begun = new TreeSet<>();
        all().filter(step -> !step.request().isPhase() && !records.tries().of(step.path()).isEmpty()).forEach(step -> begun.add(step.path().toString()));
        return begun;
    }

    @Test
    void eachStepIsAskedForAndEndsOnceAndWhatIsDoneIsBegunOnce() {
        play(new World(1, 0));
        assertThat(asked).containsExactlyInAnyOrderElementsOf(steps());
        assertThat(ended).containsExactlyInAnyOrderElementsOf(steps());
        assertThat(started).isNotEmpty().containsExactlyInAnyOrderElementsOf(begun());
        assertThat(unreadable).isEmpty();
        assertThat(ends).containsExactly("completed");
    }

    @Test
    void answersThatNobodyCanReadAreToldAsSuchAndNoOthers() {
        play(new World(8, 30));
        List<String> without = all().filter(step -> step.request().isAgent() && step.result().orElseThrow() instanceof StepResult.Done)
                .filter(step -> step.outcome().orElseThrow() instanceof Outcome.Failed<?>).map(step -> step.path().toString()).toList();
        assertThat(without).isNotEmpty();
        assertThat(unreadable).containsExactlyInAnyOrderElementsOf(without);
    }

    @Test
    void aRunThatFailsIsToldAsFailed() {
        play(new World(1, 200));
        assertThat(ends).containsExactly("failed");
    }
}
