package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.core.agent.Summarize;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Unavailable;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SweepTest extends OneEngine {
    private final RunHeader run = World.header("r", "{\"time_limit_seconds\": 600}");
    private final CurrentLimits limits = CurrentLimits.of(run);
    private final SweepTimer alarm = new SweepTimer(clock);

    /// Work that this process began and no longer does died with an earlier process of this
    /// machine, or with its thread. By default a script may take as long as the run.
    @ParameterizedTest
    @CsvSource({"false, 7200, 10, 144", "true, 86400, 0, 14"})
    @Requirement("REQ-EX-009")
    void patienceWithAScriptIsCountedFromItsBeginningAndShortIfThisProcessNoLongerRunsIt(boolean here, int timeout,
            int begun, int patient) {
        StepPath script = asked("r/script", "script", Json.object().put("timeout_seconds", timeout).put("fold", 0));
        clock.now = World.NOW.plus(Duration.ofMinutes(begun));
        records.invocations().begin(script, clock.now, here ? world.worker() : "some pod", 0.0);
        clock.now = World.NOW.plus(Duration.ofMinutes(patient));
        assertThat(sweep(engine).run("r", Duration.ofMinutes(15))).isZero();
        clock.now = World.NOW.plus(Duration.ofMinutes(patient + 1));
        assertThat(sweep(engine).run("r", Duration.ofMinutes(15))).isEqualTo(1);
    }

    @Test
    void aScriptThatWaitsForLongIsSeenAndSoIsARunThatDoesNotGetOn() {
        StepPath script = asked("r/script", "script", Json.object().put("timeout_seconds", 7200).put("fold", 0));
        Sweep sweep = sweep(engine);
        clock.now = World.NOW.plus(Duration.ofMinutes(60));
        sweep.run("r", Duration.ofMinutes(15));
        assertThat(sweep.troubles().values()).containsOnly(0);
        clock.now = World.NOW.plus(Duration.ofMinutes(61));
        sweep.run("r", Duration.ofMinutes(15));
        assertThat(sweep.troubles()).containsEntry(RunTrouble.TroubleKind.WAITING_SCRIPT, 1)
                .containsEntry(RunTrouble.TroubleKind.STANDING, 1)
                .containsEntry(RunTrouble.TroubleKind.FAILED, 0).containsEntry(RunTrouble.TroubleKind.HALTED, 0);
        records.invocations().begin(script, clock.now, "some pod", 0.0);
        clock.now = World.NOW.plus(Duration.ofMinutes(180));
        sweep.run("r", Duration.ofMinutes(15));
        assertThat(sweep.troubles().values()).as("a script that runs may take its time").containsOnly(0);
    }

    @Test
    void aRunThatFailedIsSeenForAnHour() {
        engine.start(World.header("r", "{}"));
        engine.fail(StepPath.root("r"), "it could not be done");
        Sweep sweep = sweep(engine);
        sweep.all(Duration.ofMinutes(15));
        assertThat(sweep.troubles()).containsEntry(RunTrouble.TroubleKind.FAILED, 1);
        clock.now = clock.now.plus(Duration.ofMinutes(61));
        assertThat(sweep.troubles()).containsEntry(RunTrouble.TroubleKind.FAILED, 0);
    }

    @Test
    void aStepThatNeverBeganIsSentAgainUnderNewIdsAndEndsOnlyByItsDeadline() {
        StepPath script = asked("r/script", "script", Json.object().put("timeout_seconds", 7200).put("fold", 0));
        Sweep sweep = sweep(engine);
        List<String> sent = new ArrayList<>();
        for (int minute = 0; minute < 120; minute++) {
            clock.now = World.NOW.plus(Duration.ofMinutes(minute));
            events.clear();
            sweep.run("r", Duration.ofMinutes(30));
            events.forEach(event -> sent.add(minute(clock) + " " + event.id()));
        }
        assertThat(sent).containsExactly("30 r/script#attempt1", "60 r/script#attempt2", "90 r/script#attempt3");
        assertThat(records.result(script)).isEmpty();
        clock.now = World.finalizeAt(World.header("r", "{}")).plusSeconds(11);
        assertThat(sweep.run("r", Duration.ofMinutes(30))).isOne();
        StepResult end = records.result(script).orElseThrow();
        assertThat(end.status()).isEqualTo(StepResult.Status.STOPPED);
        assertThat(end.reason()).isEqualTo("the phase has used up its share of the time");
        assertThat(events).as("its phase is woken").extracting(Event::subject).contains("r");
    }

    @Test
    void aNoteOfAClockThatWasSetBackDoesNotHoldUpARun() {
        asked("r/script", "script", Json.object().put("timeout_seconds", 60).put("fold", 0));
        clock.now = World.NOW.minus(Duration.ofDays(30));
        assertThat(sweep(engine).run("r", Duration.ofMinutes(15))).isEqualTo(1);
    }

    /// A step that the pipeline itself seems to have asked for.
    private StepPath asked(String path, String type, JsonNode input) {
        RunHeader run = World.header("r", "{}");
        StepRequest root = World.begun(records, run);
        records.create(StepPath.parse(path),
                new StepRequest(type, input, root.work(), World.NOW, World.finalizeAt(run), false));
        return StepPath.parse(path);
    }

    @Test
    void theEndOfARunIsToldThoughTheProcessDiedJustBefore() {
        keepSubmission();
        Engine dying = new Engine(records, event -> {
            if (event.type().equals(Event.RUN_COMPLETED)) {
                throw new Unavailable("gone", null);
            }
            take(event);
        }, world, clock, new Watcher() {});
        dying.start(World.header("r", "{\"outer_loop_steps\": 1}"));
        while (!events.isEmpty()) {
            try {
                deliver(dying);
            } catch (Unavailable e) {
                assertThat(events).isEmpty();
            }
        }
        assertThat(records.result(StepPath.root("r"))).isPresent();
        assertThat(ends).isEmpty();
        Sweep sweep = sweep(engine);
        sweep.all(Duration.ofMinutes(15));
        assertThat(ends).extracting(Event::type).containsExactly(Event.RUN_COMPLETED);
        sweep.all(Duration.ofMinutes(15));
        sweep(engine).all(Duration.ofMinutes(15));
        engine.work(StepPath.root("r"));
        assertThat(ends).extracting(Event::type).containsExactly(Event.RUN_COMPLETED);
    }

    @Test
    void aStepThatIsBegunAgainAndAgainAndNeverEndsIsGivenUp() {
        StepPath summarize = asked("r/summarize", "agent/summarize", Json.tree(new Summarize("x = 1", "0.5")));
        Sweep sweep = sweep(engine);
        for (int death = 1; death <= 4; death++) {
            assertThat(records.result(summarize)).isEmpty();
            records.invocations().begin(summarize, clock.now, "pod " + death, 0.1);
            clock.now = clock.now.plus(Duration.ofMinutes(16));
            sweep.run("r", Duration.ofMinutes(15));
        }
        assertThat(records.result(summarize).orElseThrow().reason()).contains("begun 4 times");
    }

    private static long minute(MovingClock clock) {
        return Duration.between(World.NOW, clock.now).toMinutes();
    }

    @Test
    @Requirement("REQ-OR-024")
    void somebodyLooksNowAndThenAndWhenTheTimeOfAStepIsOver() {
        assertThat(alarm.pause(limits)).isEqualTo(Duration.ofSeconds(30));
        alarm.asked(run, StepPath.parse("r/phase2-path0"),
                new StepRequest("type", Json.object(), "p", World.NOW, World.NOW.plusSeconds(10), false));
        assertThat(alarm.pause(limits)).as("with some slack").isEqualTo(Duration.ofSeconds(20));
        clock.now = World.NOW.plusSeconds(20);
        assertThat(alarm.pause(limits)).isEqualTo(Duration.ofSeconds(30));
        clock.now = limits.finalizeAt();
        assertThat(alarm.pause(limits)).isEqualTo(Duration.ofSeconds(10));
        clock.now = run.deadline();
        assertThat(alarm.pause(limits)).as("what was lost now would make the run end late")
                .isEqualTo(Duration.ofSeconds(2));
        clock.now = run.deadline().plusSeconds(24);
        assertThat(alarm.pause(limits)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aDateThatIsSetForwardOrBackChangesNothing() {
        OneEngine.MovingClock wall = new OneEngine.MovingClock();
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
        SteadyClock steady = new SteadyClock(wall, nanos::get);
        wall.now = World.NOW.plus(Duration.ofDays(30));
        nanos.addAndGet(Duration.ofSeconds(90).toNanos());
        assertThat(steady.instant()).as("though the nanoseconds have gone round").isEqualTo(World.NOW.plusSeconds(90));
        wall.now = World.NOW.minus(Duration.ofDays(30));
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(steady.instant()).isEqualTo(World.NOW.plusSeconds(100));
    }
}
