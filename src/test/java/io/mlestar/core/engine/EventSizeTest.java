package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Brief;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Window;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.TaskDescription;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An event names a step and carries nothing: a Kafka broker takes a megabyte and answers 503 to more, however often it is asked.
class EventSizeTest {
    private static final int MOST = 64 << 10;
    private static final int LONG = 4 * MOST;
    private static final int LONGEST_DESCRIPTION = 256 << 10;
    private static final String SMALL = "{\"num_retrieved_models\":2,\"outer_loop_steps\":1,\"inner_loop_steps\":1,\"ensemble_rounds\":1}";

    /// Everything that anybody says or writes is longer than an event may be.
    private record Talkative(World world) implements Performer {
        @Override
        public String promptsDigest() {
            return world.promptsDigest();
        }

        @Override
        public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout, RetryApproval second) {
            try {
                Answer answer = world.ask(step, agent, brief, timeout, second);
                return new Answer(answer.text().replace("\nBLOCK", "\n# " + "x".repeat(LONG) + "\nBLOCK"), answer.usage(), "", "");
            } catch (StepFailed e) {
                throw new StepFailed("x".repeat(LONG));
            }
        }

        @Override
        public Execution run(StepPath step, RunScript script, Brief brief, Window window, Begin begin) {
            Execution ran = world.run(step, script, brief, window, begin);
            EvaluationResult made = ran.evaluation();
            String said = "x".repeat(LONG);
            String bug = ran instanceof Execution.Failed ? said : null;
            return Execution.of(new EvaluationResult(made.score(), said, said, made.exitCode(), 0.1, made.isError(), bug), false,
                    ran instanceof Execution.Ended ended ? ended.submission() : null, bug);
        }
    }

    private static List<Event> events(World world) {
        RunHeader made = World.header("run", SMALL);
        TaskDescription task = made.task();
        RunHeader header = new RunHeader("run", new TaskDescription(task.competitionId(), task.taskType(), task.dataModality(), task.evaluationMetric(),
                task.metricDirection(), "x".repeat(LONGEST_DESCRIPTION), "/data", null), made.config(), "no GPU", "test", "digest", World.NOW, made.deadline(),
                null);
        Records records = new Records(new MemoryStore());
        List<Event> all = new ArrayList<>();
        Deque<Event> open = new ArrayDeque<>();
        Engine engine = new Engine(records, event -> {
            all.add(event);
            if (!event.endsRun()) {
                open.add(event);
            }
        }, new Talkative(world), InstantSource.fixed(World.NOW), new Watcher() {});
        records.create(header);
        engine.start(header);
        while (!open.isEmpty()) {
            engine.work(Event.stepOf(open.poll().data()));
        }
        assertThat(all).last().satisfies(end -> assertThat(end.endsRun()).isTrue());
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 30})
    void noEventOfARunHoldsWhatItsStepsHold(int faults) {
        assertAllSmall(events(new World(7, faults)));
    }

    @Test
    void norDoesTheLastOneOfARunThatFails() {
        List<Event> all = events(new World(7, 200));
        assertThat(all).extracting(Event::type).contains(Event.RUN_FAILED);
        assertAllSmall(all);
    }

    private static void assertAllSmall(List<Event> events) {
        assertThat(events).filteredOn(event -> Json.bytes(event.data()).length + event.headers().toString().length() >= MOST).extracting(Event::id).isEmpty();
    }
}
