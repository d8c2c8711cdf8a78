package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.event.Event;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.Results.FinalResult;
import module java.base;
import org.junit.jupiter.api.Test;

/// Watchers hear each thing once, from the process that did it, however often events come.
class WatchersTest {
    private static final StepPath STEP = StepPath.parse("r/phase1");
    private static final RunHeader RUN = World.header("r", "{}");
    private static final String CONFIG =
            """
                    {"outer_loop_steps": 1, "inner_loop_steps": 2, "ensemble_rounds": 1, "max_debug_attempts": 1, "num_parallel_solutions": 1}""";

    private final Ear ear = new Ear();
    private OneEngine one;

    /// Notes the news.
    static final class Ear implements Watcher {
        final List<String> told = new ArrayList<>();

        /// The steps or runs that the news of one kind are about.
        List<String> of(String kind) {
            return told.stream().filter(news -> news.startsWith(kind + " ")).map(news -> news.split("[ :]")[1])
                    .toList();
        }

        @Override
        public void asked(RunHeader run, StepPath step, StepRequest request) {
            told.add("asked " + step);
        }

        @Override
        public void started(RunHeader run, StepPath step, StepRequest request) {
            told.add("started " + step);
        }

        @Override
        public void unreadable(RunHeader run, StepPath step, String reason) {
            told.add("unreadable " + step + ": " + reason);
        }

        @Override
        public void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {
            told.add("ended " + step);
        }

        @Override
        public void published(RunHeader run, FinalResult result) {
            told.add("published " + run.runId());
        }

        @Override
        public void failed(RunHeader run, String reason) {
            told.add("failed " + run.runId() + ": " + reason);
        }
    }

    @Test
    void allNewsReachAllWhoWantToKnow() {
        assertThat(Watcher.class.getMethods()).as("each kind is passed on").allSatisfy(
                news -> assertThat(
                        Watchers.class.getMethod(news.getName(), news.getParameterTypes()).getDeclaringClass())
                        .isEqualTo(Watchers.class));
        Ear later = new Ear();
        Watchers watchers = new Watchers(ear);
        watchers.add(later);
        watchers.failed(RUN, "no score");
        assertThat(List.of(ear.told, later.told)).containsOnly(List.of("failed r: no score"));
    }

    @Test
    void oneThatFailsDisturbsNeitherTheRunNorTheOthers() {
        Watcher failing = new Watcher() {
            @Override
            public void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {
                throw new IllegalStateException("made to fail");
            }
        };
        Ear ear = new Ear();
        new Watchers(failing, ear, failing).ended(RUN, STEP, null, null);
        assertThat(ear.told).containsExactly("ended r/phase1");
    }

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
                .filter(step -> step.result().orElseThrow().outcome(step.step()) instanceof Outcome.Failed<?>)
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
