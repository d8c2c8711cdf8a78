package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.event.Event;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Watchers hear each thing once, from the process that did it, however often events come.
class NewsTest {
    private static final String CONFIG =
            """
                    {"outer_loop_steps": 1, "inner_loop_steps": 2, "ensemble_rounds": 1, "max_debug_attempts": 1, "num_parallel_solutions": 1}""";

    private final WatchersTest.Ear ear = new WatchersTest.Ear();
    private OneEngine one;

    /// Each event reaches one process and then the other.
    private void play(World world) {
        one = new OneEngine(new MemoryStore(), world, new OneEngine.MovingClock(), ear);
        one.keepSubmission();
        List<Engine> processes = List.of(one.engine, one.process(world));
        processes.forEach(process -> process.start(World.header("r", CONFIG)));
        while (!one.events.isEmpty()) {
            StepPath step = Event.stepOf(one.events.poll().data());
            processes.forEach(process -> process.work(step));
        }
    }

    private Set<String> steps() {
        Set<String> steps = new TreeSet<>(Set.of("r"));
        all().forEach(step -> steps.add(step.path().toString()));
        return steps;
    }

    private Stream<KnownStep> all() {
        return Walk.READABLE.steps(one.records, "r");
    }

    private Set<String> begun() {
        Set<String> begun = new TreeSet<>();
        all().filter(step -> !step.request().isPhase() && !one.records.invocations().of(step.path()).isEmpty())
                .forEach(step -> begun.add(step.path().toString()));
        return begun;
    }

    @Test
    void eachStepIsAskedForAndEndsOnceAndWhatIsDoneIsBegunOnce() {
        play(new World(1, 0));
        assertThat(ear.of("asked")).containsExactlyInAnyOrderElementsOf(steps());
        assertThat(ear.of("ended")).containsExactlyInAnyOrderElementsOf(steps());
        assertThat(ear.of("started")).isNotEmpty().containsExactlyInAnyOrderElementsOf(begun());
        assertThat(ear.of("unreadable")).isEmpty();
        assertThat(ear.of("published")).containsExactly("r");
        assertThat(ear.of("failed")).isEmpty();
    }

    @Test
    void onlyUnreadableAnswersAreReportedAsUnreadable() {
        play(new World(8, 30));
        List<String> without = all().filter(step -> step.request().isAgent() && step.done().isPresent())
                .filter(step -> step.outcome().orElseThrow() instanceof Outcome.Failed<?>)
                .map(step -> step.path().toString()).toList();
        assertThat(without).isNotEmpty();
        assertThat(ear.of("unreadable")).containsExactlyInAnyOrderElementsOf(without);
    }

    @Test
    void aFailedRunIsReportedAsFailed() {
        play(new World(1, 200));
        assertThat(ear.of("failed")).containsExactly("r");
        assertThat(ear.of("published")).isEmpty();
    }
}
