package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.steering.Extensions;
import io.mlestar.core.steering.Pauses;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Window;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A paused run begins nothing, and goes on as if no time had passed.
class PauseTest extends OneEngine {
    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final String SHORT = "{\"time_limit_seconds\": 600, \"outer_loop_steps\": 1, \"inner_loop_steps\": 1}";
    private final Pauses pauses = new Pauses(store);
    private final Sweep sweep = sweep(engine);

    private void pause() {
        assertThat(pauses.begin("r", clock.now, "ann")).isTrue();
    }

    private void lift() {
        assertThat(pauses.lift("r", clock.now, "ben")).isTrue();
    }

    private void later(Duration time) {
        clock.now = clock.now.plus(time);
    }

    private Map<StepPath, Integer> paid() {
        return Map.copyOf(world.paid);
    }

    /// Up to the first scripts of the run.
    private void begin() {
        keepSubmission();
        engine.start(World.header("r", SHORT));
        until(() -> !scripts().isEmpty());
    }

    /// What of the paper's first phase waits to be run.
    private List<StepPath> scripts() {
        return events.stream().filter(event -> event.type().equals(Event.SCRIPT)).map(event -> Event.stepOf(event.data()))
                .filter(step -> step.inside().startsWith("phase1")).toList();
    }

    @Test
    void itLetsEventsGoAndFindsThemAgain() {
        begin();
        pause();
        Map<StepPath, Integer> before = paid();
        long asked = Walk.READABLE.steps(records, "r").count();
        deliverAll();
        assertThat(paid()).as("nothing is begun").isEqualTo(before);
        assertThat(Walk.READABLE.steps(records, "r").count()).as("nothing is asked for").isEqualTo(asked);
        assertThat(engine.waitingRuns()).containsExactly("r");
        later(Duration.ofHours(10));
        assertThat(sweep.run("r", PATIENCE)).as("no time passes for it").isZero();
        assertThat(Walk.READABLE.steps(records, "r").filter(step -> step.result().filter(StepResult::isStopped).isPresent())).isEmpty();

        lift();
        assertThat(sweep.run("r", PATIENCE)).as("at once").isPositive();
        assertThat(engine.waitingRuns()).isEmpty();
        sweep.run("r", PATIENCE);
        assertThat(scripts()).as("each once").isNotEmpty().doesNotHaveDuplicates();
        deliverAll();
        assertThat(records.hasEnded("r")).isTrue();
        assertThat(world.paidTwice()).isZero();
        assertThat(new Extensions(records.store()).onto(records.header("r").orElseThrow()).extension()).isEqualTo(Duration.ofHours(10));
    }

    @Test
    void itEndsAsItWouldHaveEnded() {
        OneEngine without = new OneEngine();
        without.keepSubmission();
        String expected = without.runToTheEnd(SHORT).path("final_solution").toString();
        begin();
        for (int times = 0; !records.hasEnded("r"); times++) {
            pause();
            deliverAll();
            later(Duration.ofMinutes(times % 3 == 0 ? 30 : 0));
            lift();
            sweep.run("r", PATIENCE);
            for (int i = 0; i < 5 && !events.isEmpty(); i++) {
                deliver(engine);
            }
        }
        assertThat(Json.parse(store.read("runs/r/result.json").orElseThrow()).path("final_solution").toString()).isEqualTo(expected);
        assertThat(world.paidTwice()).isZero();
    }

    @Test
    void whatIsUnderWayEndsAndCounts() {
        begin();
        StepPath step = scripts().getFirst();
        Engine busy = during((window, begin) -> {
            begin.attempt();
            pause();
        });
        busy.work(step);
        assertThat(records.result(step)).isPresent();
    }

    @Test
    void aScriptThatWaitedForItsSlotGivesItsTurnBack() {
        begin();
        StepPath step = scripts().getFirst();
        Engine busy = during((window, begin) -> {
            later(Duration.ofMinutes(1));
            pause();
            begin.attempt();
        });
        busy.work(step);
        assertThat(records.result(step)).isEmpty();
        assertThat(records.invocations().of(step)).isEmpty();
        assertThat(busy.waitingRuns()).containsExactly("r");
    }

    @Test
    void aScriptThatWaitedInVainHasMoreTimeAfterThePause() {
        begin();
        StepPath step = scripts().getFirst();
        Engine busy = during((window, begin) -> {
            pause();
            clock.now = window.latestStart().plusSeconds(1);
            lift();
            throw new StepStopped("there was no slot in time");
        });
        busy.work(step);
        assertThat(records.result(step)).as("it had half the time only").isEmpty();
        clock.now = new Extensions(records.store()).onto(records.header("r").orElseThrow()).deadline();
        Engine late = during((window, begin) -> {
            throw new StepStopped("there was no slot in time");
        });
        late.work(step);
        assertThat(records.result(step).orElseThrow().status()).isEqualTo(StepResult.Status.STOPPED);
    }

    private interface Fate {
        void befall(Window window, Performer.Begin begin);
    }

    /// A process in which something happens before a script runs.
    private Engine during(Fate fate) {
        return process(new World(1, 0).running(job -> {
            fate.befall(job.window(), job.begin());
            return new World.Job(world, job.step(), job.script(), job.context(), job.window(), () -> 0).execution();
        }));
    }

    @Test
    void aProcessThatWasKilledMeanwhileIsFollowedByAnotherOne() {
        begin();
        StepPath lost = scripts().getFirst();
        records.invocations().begin(lost, clock.now, world.worker(), 0.0);
        pause();
        events.clear();
        Engine next = process(world);
        Sweep taking = sweep(next);
        assertThat(taking.run("r", Duration.ZERO)).as("nothing is in flight, and the run is paused").isZero();
        later(Duration.ofMinutes(1));
        lift();
        assertThat(taking.run("r", PATIENCE)).isPositive();
        assertThat(events).as("what died before the pause is not waited for").extracting(Event::subject).contains(lost.toString());
        deliverAll(next);
        assertThat(records.hasEnded("r")).isTrue();
    }

    @Test
    void whatIsUnderWayElsewhereIsNotSentAgain() {
        begin();
        StepPath far = scripts().getFirst();
        records.invocations().begin(far, clock.now, "some pod", 0.0);
        pause();
        events.clear();
        later(Duration.ofMinutes(1));
        lift();
        sweep.run("r", PATIENCE);
        assertThat(events).isNotEmpty().extracting(Event::subject).doesNotContain(far.toString());
    }

    @Test
    void cancelEndsItWithTheTimeThatItHad() {
        begin();
        until(() -> Walk.READABLE.steps(records, "r").anyMatch(PauseTest::hasScored));
        pause();
        deliverAll();
        later(Duration.ofHours(1));
        assertThat(records.cancel("r")).isTrue();
        sweep.run("r", PATIENCE);
        assertThat(pauses.of("r")).singleElement().satisfies(pause -> assertThat(pause.liftedBy()).isEqualTo("cancel"));
        deliverAll();
        assertThat(records.hasEnded("r")).isTrue();
        assertThat(store.read("runs/r/submission.csv")).isPresent();
        assertThat(pauses.lift("r", clock.now, "ann")).isFalse();
    }

    private static boolean hasScored(KnownStep step) {
        return step.request().isScript() && step.done().filter(done -> done.execution() instanceof Execution.Scored).isPresent();
    }

    @Test
    void aForkOfItIsNotPaused() {
        begin();
        pause();
        RunHeader fork = World.header("fork", SHORT).from(new RunHeader.Origin("r", null, World.NOW.plusSeconds(86_400), null));
        engine.start(fork);
        deliverAll();
        assertThat(records.hasEnded("fork")).isTrue();
        assertThat(records.hasEnded("r")).isFalse();
        assertThat(List.copyOf(engine.waitingRuns())).containsExactly("r");
    }
}
