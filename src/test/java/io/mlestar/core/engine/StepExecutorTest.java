package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.bucket.SharedFolders;
import io.mlestar.adapter.script.DataViews;
import io.mlestar.adapter.script.MemoryPressure;
import io.mlestar.app.start.JobPerformer;
import io.mlestar.app.start.ScriptJob;
import io.mlestar.core.agent.Summarize;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.steering.Extensions;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.StepStopped;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Attempts at single steps, and what becomes of them.
class StepExecutorTest extends OneEngine {
    private static final StepPath SCRIPT = StepPath.parse("r/script");
    private static final StepPath SUMMARY = StepPath.parse("r/summarize");
    private static final Answer ANSWER =
            new Answer("An answer.", new Answer.Usage("made:up", 1, 1, 0, World.COST, 0), null, "", "");

    private RunHeader run = World.header("r", "{}");
    @TempDir
    private Path folder;
    private final RunningOutputs outputs = new RunningOutputs();

    /// An engine whose model answers like this.
    private Engine asking(Function<World.Question, Answer> answer) {
        return process(new World(1, 0).asking(answer));
    }

    /// An engine whose scripts end like this.
    private Engine running(RuntimeException end) {
        return process(new World(1, 0).running(job -> {
            job.begin().attempt();
            throw end;
        }));
    }

    /// Begins the script in a Job's pod.
    private int begun() {
        return records.invocations().begin(SCRIPT, clock.now, "r/script#asked", 0.0);
    }

    private void asked(StepPath path) {
        StepRequest root = World.begun(records, run);
        records.create(path, path.equals(SCRIPT)
                ? new StepRequest("script", Json.tree(new RunScript("x", RunScript.Kind.SOLUTION, 600)),
                        root.work(), World.NOW, CurrentLimits.of(run).finalizeAt(), false)
                : new StepRequest("agent/summarize", Json.tree(new Summarize("x", "y")), root.work(), World.NOW,
                        path.top().name().equals("finalization") ? run.deadline() : CurrentLimits.of(run).finalizeAt(),
                        path.top().name().equals("finalization")));
    }

    private StepResult ended(StepPath step) {
        return records.result(step).orElseThrow();
    }

    @Test
    @Requirement("REQ-OR-024")
    void aProvidersFaultIsWorthAnotherTryOnlyWhileThereIsTime() {
        run = World.header("r", "{\"time_limit_seconds\": 600}");
        asked(SUMMARY);
        Engine engine = asking(question -> {
            throw new ModelUnavailable("connection refused");
        });
        assertThatThrownBy(() -> engine.work(SUMMARY)).isInstanceOf(ModelUnavailable.class);
        assertThat(records.result(SUMMARY)).isEmpty();
        clock.now = World.finalizeAt(run).minusSeconds(6);
        assertThatThrownBy(() -> engine.work(SUMMARY)).isInstanceOf(ModelUnavailable.class);
        clock.now = World.finalizeAt(run).minusSeconds(4);
        engine.work(SUMMARY);
        assertThat(ended(SUMMARY).status()).isEqualTo(StepResult.Status.STOPPED);
        assertThat(records.invocations().of(SUMMARY)).as("what was too late was not begun").hasSize(2)
                .allSatisfy(attempt -> assertThat(attempt.aborted().orElseThrow().reason())
                        .isEqualTo("connection refused"));
    }

    /// An event that came twice: the other process goes on, and its answer comes too late to be the
    /// step's result.
    @Test
    void whatAnotherProcessMaySpendOnAStepThatIsRefusedHereIsCounted() {
        run = World.header("r", "{\"max_budget_usd\": 0.01}");
        asked(SUMMARY);
        records.invocations().begin(SUMMARY, World.NOW, "another pod", 0.02);
        asking(question -> ANSWER).work(SUMMARY);
        assertThat(ended(SUMMARY).status()).isEqualTo(StepResult.Status.STOPPED);
        assertThat(ended(SUMMARY).costUsd()).isEqualTo(0.02);
    }

    @Test
    void aScriptThatWaitedInVainForASlotMayBeginLaterIfItsRunWasExtendedMeanwhile() {
        run = World.header("r", "{\"time_limit_seconds\": 600}");
        asked(SCRIPT);
        process(new World(1, 0).running(job -> {
            clock.now = job.window().latestStart().plusSeconds(1);
            new Extensions(records.store()).add(run, new Extension(clock.now, "ann", 60, 0));
            throw new StepStopped("there was no slot in time");
        })).work(SCRIPT);
        assertThat(records.result(SCRIPT)).isEmpty();
        clock.now = new Extensions(records.store()).onto(run).deadline();
        engine.work(SCRIPT);
        assertThat(ended(SCRIPT).status()).isEqualTo(StepResult.Status.STOPPED);
    }

    @Test
    void anAgentOfFinalizationThatDoesNotAnswerInItsTimeHasFailedAndFinalizationGoesOn() {
        run = World.header("r", "{\"time_limit_seconds\": 60}");
        StepPath last = StepPath.parse("r/finalization/summarize");
        asked(last);
        clock.now = CurrentLimits.of(run).finalizeAt();
        asking(question -> {
            assertThat(question.timeout()).isEqualTo(Duration.ofMillis(22_500));
            clock.now = clock.now.plus(question.timeout());
            throw new ModelUnavailable("it did not answer in time");
        }).work(last);
        assertThat(ended(last).status()).isEqualTo(StepResult.Status.FAILED);
    }

    @Test
    void aJobThatCannotBeDoneAtAllFailsItsStepAtOnceAndSaysWhy() {
        asked(SCRIPT);
        running(new UncheckedIOException("cannot run a script in /full", new NoSuchFileException("/full/script-1")))
                .work(SCRIPT);
        assertThat(ended(SCRIPT).status()).isEqualTo(StepResult.Status.FAILED);
        assertThat(ended(SCRIPT).reason()).contains("cannot run a script in /full", "script-1");
        assertThat(events).extracting(Event::subject).containsExactly("r");
    }

    @Test
    void anEventForAStepUnderWayIsAnsweredWhenTheStepIsDone() throws Exception {
        asked(SUMMARY);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        Engine engine = asking(question -> {
            asked.countDown();
            try {
                answer.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return ANSWER;
        });
        Thread first = Thread.ofVirtual().start(() -> engine.work(SUMMARY));
        asked.await();
        Thread second = Thread.ofPlatform().start(() -> engine.work(SUMMARY));
        Waiting.until("the second waits", () -> second.getState() == Thread.State.WAITING);
        assertThat(engine.isInFlight(SUMMARY)).isTrue();
        answer.countDown();
        second.join();
        assertThat(records.result(SUMMARY)).isPresent();
        first.join();
        assertThat(records.invocations().of(SUMMARY)).as("it was asked once").hasSize(1);
        assertThat(engine.isInFlight(SUMMARY)).isFalse();
    }

    @Test
    @Requirement("REQ-OR-030")
    void aCallUnderWayIsNotWaitedForOnceTheRunIsCancelled() {
        asked(SUMMARY);
        asking(question -> {
            records.cancel("r");
            try {
                new CountDownLatch(1).await();
                throw new AssertionError("the latch is never counted down");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ModelUnavailable("it was interrupted", 0.25);
            }
        }).work(SUMMARY);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(ended(SUMMARY).status()).isEqualTo(StepResult.Status.STOPPED);
        assertThat(ended(SUMMARY).reason()).isEqualTo("the run was cancelled");
        assertThat(ended(SUMMARY).costUsd()).isEqualTo(0.25);
    }

    @ParameterizedTest
    @CsvSource({"0.25, 0.76", ","})
    void whatEarlierAttemptsCostIsPartOfTheCost(Double cut, Double all) {
        asked(SUMMARY);
        records.invocations().abort(SUMMARY, records.invocations().begin(SUMMARY, World.NOW, "a pod", 0.5), World.NOW,
                "cut", cut);
        records.invocations().begin(SUMMARY, World.NOW, "a pod that died", 0.5);
        asking(question -> ANSWER).work(SUMMARY);
        assertThat(ended(SUMMARY).costUsd()).isEqualTo(all);
    }

    @Test
    void aScriptWhoseProcessIsStoppedBeginsAgainElsewhereAtOnce() {
        asked(SCRIPT);
        Engine[] here = new Engine[1];
        here[0] = process(new World(1, 0).running(job -> {
            job.begin().attempt();
            here[0].leave();
            throw new UncheckedIOException(new ClosedByInterruptException());
        }));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> here[0].work(SCRIPT)).isInstanceOf(UncheckedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(records.invocations().of(SCRIPT)).singleElement()
                .satisfies(attempt -> assertThat(attempt.aborted().orElseThrow().reason())
                        .isEqualTo("the pod was stopped"));
        assertThatThrownBy(() -> process(job("r/script#asked")).work(SCRIPT)).hasMessage("the script must not run");
    }

    private JobPerformer job(String event) {
        return new JobPerformer(new ScriptJob(records, new DataSets(Map.of()), () -> {
            throw new AssertionError("the script must not run");
        }, new DataViews(), new MemoryPressure(folder), new RunningOutputs()), clock, event,
                SharedFolders.of(Map.of("MLE_STAR_DATA", "/data")));
    }

    @Test
    @Requirement("REQ-EX-009")
    void aPodOfAJobTellsWhatHappenedToItsPredecessorIfTheMemoryWasShort() {
        asked(SCRIPT);
        int first = begun();
        records.invocations().memory(SCRIPT, first, "15.2 of 16.0 GiB of memory were in use");
        clock.now = clock.now.plusSeconds(812);
        process(job("r/script#asked")).work(SCRIPT);
        Execution.Killed told = killed();
        assertThat(told.evaluation().isError()).isTrue();
        assertThat(told.evaluation().durationSeconds()).isEqualTo(812);
        assertThat(told.bug()).contains("MemoryError", "15.2 of 16.0 GiB");
    }

    private Execution.Killed killed() {
        return (Execution.Killed) records.result(SCRIPT).flatMap(StepResult::done).orElseThrow().execution();
    }

    @Test
    void podsThatDieAgainAndAgainAreTheScriptsFaultToo() {
        asked(SCRIPT);
        for (int death = 0; death < 3; death++) {
            begun();
        }
        int stopped = begun();
        records.invocations().abort(SCRIPT, stopped, clock.now, "the pod received SIGTERM", 0.0);
        process(job("r/script#asked")).work(SCRIPT);
        assertThat(killed().bug()).contains("3 times", "probably for memory");
    }

    @Test
    void aScriptThatAnotherJobIsAtIsLeftToItAsLongAsThatCanBeAlive() {
        asked(SCRIPT);
        begun();
        clock.now = clock.now.plusSeconds(719);
        process(job("r/script#attempt1")).work(SCRIPT);
        assertThat(records.result(SCRIPT)).isEmpty();
        assertThat(records.invocations().of(SCRIPT)).hasSize(1);
        clock.now = clock.now.plusSeconds(1);
        assertThatThrownBy(() -> process(job("r/script#attempt1")).work(SCRIPT)).hasMessage("the script must not run");
    }

    @Test
    void nothingIsKnownOfWhatRunsElsewhereOrHasEnded() {
        assertThat(outputs.tail(SCRIPT, 10)).isEmpty();
        outputs.begun(SCRIPT, most -> "");
        assertThat(outputs.tail(SCRIPT, 10)).contains("");
        outputs.ended(SCRIPT);
        assertThat(outputs.tail(SCRIPT, 10)).isEmpty();
    }

    @Test
    void theLastLinesOfARunningScriptAreShownWithoutTheirControlsAndProgressBarsByTheirLastStates() {
        outputs.begun(SCRIPT, most -> "one\ntwo\n\u001b[2Jthree\n");
        assertThat(outputs.tail(SCRIPT, 2)).contains("two\n\\u001b[2Jthree");
        outputs.begun(SCRIPT, most -> "10%\r20%\r30%");
        assertThat(outputs.tail(SCRIPT, 1)).contains("30%");
        outputs.begun(SCRIPT, most -> "x".repeat(most));
        assertThat(outputs.tail(SCRIPT, 100).orElseThrow()).hasSizeLessThanOrEqualTo(16 << 10);
    }
}
