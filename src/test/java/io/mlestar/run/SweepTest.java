package io.mlestar.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.event.Event;
import io.mlestar.event.Publisher;
import io.mlestar.step.StepPath;
import io.mlestar.task.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SweepTest extends OneEngine {
    @Test
    void theSweepSendsWhatWasAskedForAndNeverArrived() {
        engine.start(World.header("r", "{}"));
        engine.work(StepPath.root("r"));
        engine.work(StepPath.parse("r/phase1"));
        events.clear();
        Sweep sweep = new Sweep(records, this::take, engine, clock);
        assertThat(sweep.all(Duration.ofMinutes(15))).as("still young").isZero();
        clock.now = World.NOW.plus(Duration.ofMinutes(16));
        assertThat(sweep.all(Duration.ofMinutes(15))).isEqualTo(1);
        assertThat(events).extracting(Event::subject).containsExactly("r/phase1/retriever");
    }

    @Test
    void theSweepWakesAPhaseWhoseStepsAreAllDone() {
        engine.start(World.header("r", "{}"));
        engine.work(StepPath.root("r"));
        engine.work(StepPath.parse("r/phase1"));
        engine.work(StepPath.parse("r/phase1/retriever"));
        events.clear();
        assertThat(new Sweep(records, this::take, engine, clock).run("r", Duration.ofMinutes(15))).isEqualTo(1);
        assertThat(events).extracting(Event::subject).containsExactly("r/phase1");
    }

    @Test
    void theSweepLeavesALongScriptAlone() {
        records.create(World.header("r", "{}"));
        StepRequest root = new StepRequest("io.mlestar.phase.pipeline", Json.object(), null, World.NOW, World.NOW);
        records.create(StepPath.root("r"), root);
        StepRequest script = new StepRequest(Event.SCRIPT, Json.object().put("timeout_seconds", 7200), root.type(), World.NOW, World.NOW);
        records.create(StepPath.parse("r/script"), script);
        clock.now = World.NOW.plus(Duration.ofHours(2));
        Sweep sweep = new Sweep(records, this::take, engine, clock);
        assertThat(sweep.run("r", Duration.ofMinutes(15))).isZero();
        clock.now = World.NOW.plus(Duration.ofMinutes(136));
        assertThat(sweep.run("r", Duration.ofMinutes(15))).isEqualTo(1);
    }

    @Test
    void theEndOfARunIsToldThoughTheProcessDiedJustBefore() {
        store.create("kept", "id,y\n1,0\n".getBytes());
        Engine dying = new Engine(records, event -> {
            if (event.type().equals(Event.RUN_COMPLETED)) {
                throw new Publisher.BrokerUnavailable("gone", null);
            }
            take(event);
        }, world, clock, new Watcher() {});
        dying.start(World.header("r", "{\"outer_loop_steps\": 1}"));
        while (!events.isEmpty()) {
            try {
                dying.work(Event.stepOf(events.poll().data()));
            } catch (Publisher.BrokerUnavailable e) {
                assertThat(events).isEmpty();
            }
        }
        assertThat(records.result(StepPath.root("r"))).isPresent();
        assertThat(ends).isEmpty();
        Sweep sweep = new Sweep(records, this::take, engine, clock);
        sweep.all(Duration.ofMinutes(15));
        sweep.all(Duration.ofMinutes(15));
        new Sweep(records, this::take, engine, clock).all(Duration.ofMinutes(15));
        engine.work(StepPath.root("r"));
        assertThat(ends).extracting(Event::type).containsExactly(Event.RUN_COMPLETED);
    }

    @Test
    void theSweepSendsAStepAFewTimesUnderNewIdsAndThenGivesItUp() {
        engine.start(World.header("r", "{}"));
        engine.work(StepPath.root("r"));
        engine.work(StepPath.parse("r/phase1"));
        Sweep sweep = new Sweep(records, this::take, engine, clock);
        List<String> sent = new ArrayList<>();
        for (int minute = 0; minute < 59; minute++) {
            events.clear();
            clock.now = World.NOW.plus(Duration.ofMinutes(minute));
            sweep.run("r", Duration.ofMinutes(15));
            events.forEach(event -> sent.add(minute(clock) + " " + event.id()));
        }
        assertThat(sent).containsExactly("15 r/phase1/retriever#attempt1", "30 r/phase1/retriever#attempt2", "45 r/phase1/retriever#attempt3");
        clock.now = World.NOW.plus(Duration.ofMinutes(60));
        sweep.run("r", Duration.ofMinutes(15));
        assertThat(records.result(StepPath.parse("r/phase1/retriever")).orElseThrow().reason()).contains("4 times", "900 s");
    }

    private static long minute(MovingClock clock) {
        return Duration.between(World.NOW, clock.now).toMinutes();
    }
}
