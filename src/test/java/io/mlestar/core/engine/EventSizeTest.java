package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.task.TaskDescription;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An event names a step and carries nothing: a Kafka broker takes a megabyte and answers 503 to
/// more, however often it is asked.
class EventSizeTest {
    private static final int MOST = 64 << 10;
    private static final int LONG = 4 * MOST;
    private static final int LONGEST_DESCRIPTION = 256 << 10;
    private static final String SMALL =
            "{\"num_retrieved_models\":2,\"outer_loop_steps\":1,\"inner_loop_steps\":1,\"ensemble_rounds\":1}";

    /// All answers and outputs are longer than an event may be.
    private static World talkative(int faults) {
        return new World(7, faults).asking(question -> {
            try {
                return question.answer(text -> text.replace("\nBLOCK", "\n# " + "x".repeat(LONG) + "\nBLOCK"));
            } catch (StepFailed e) {
                throw new StepFailed("x".repeat(LONG));
            }
        }).running(job -> DrivenRun.saying(job.execution(), "x".repeat(LONG)));
    }

    private static List<Event> events(int faults) {
        RunHeader made = World.header("run", SMALL);
        TaskDescription task = made.task();
        RunHeader header = new RunHeader("run",
                new TaskDescription(task.competitionId(), task.taskType(), task.dataModality(), task.evaluationMetric(),
                        task.metricDirection(), "x".repeat(LONGEST_DESCRIPTION), "/data", null),
                made.config(), "no GPU", "test", "digest", World.NOW, made.deadline(),
                null, null);
        OneEngine one = new OneEngine(talkative(faults));
        one.engine.start(header);
        one.deliverAll();
        assertThat(one.published).last().satisfies(end -> assertThat(end.endsRun()).isTrue());
        return one.published;
    }

    @ParameterizedTest
    @CsvSource({"30, false", "200, true"})
    void noEventOfARunHoldsWhatItsStepsHold(int faults, boolean fails) {
        List<Event> all = events(faults);
        assertThat(all.getLast().type().equals(Event.RUN_FAILED)).isEqualTo(fails);
        assertThat(all)
                .filteredOn(event -> Json.bytes(event.data()).length + event.headers().toString().length() >= MOST)
                .extracting(Event::id).isEmpty();
    }
}
