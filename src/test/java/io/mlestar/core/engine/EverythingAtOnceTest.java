package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.adapter.model.RecordedPlans;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.phase.Attempt;
import io.mlestar.core.phase.Merge;
import io.mlestar.core.phase.Round;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The four examples with their recorded answers, in sequence and with everything at once. A script's score is made up from its text, so that the
/// same scripts score the same in whatever order they run: by its length, such that the winners are those to whose blocks the recorded answers belong.
class EverythingAtOnceTest {
    private static final List<String> PARTS = List.of("best_score", "baseline_score", "final_solution", "phase1", "phase2_results", "phase3",
            "phases_completed", "submission_path", "lineage", "stop_reason");
    private static final String TRACE = "Traceback (most recent call last):\nValueError: made to crash";

    @TempDir
    private Path folder;

    /// The events come in any order, some of them twice, and while scripts run. The same seed gives the same order.
    private static final class Recorded extends OneEngine {
        private static final int REPEATED_OF = 10;
        private static final int MEANWHILE = 8;

        private final RecordedPlans answers;
        private final double gainPerCharacter;
        private final Random order;

        Recorded(RecordedPlans answers, double gainPerCharacter, long seed) {
            this.answers = answers;
            this.gainPerCharacter = gainPerCharacter;
            this.order = new Random(seed);
            world.asking(question -> new Answer(recorded(question), new Answer.Usage("made:up", 1, 1, 0, World.COST, 0), "", "")).running(this::run);
        }

        private String recorded(World.Question question) {
            return answers.of(question.step()).or(() -> answers.of(new StepPath("r", "defaults/" + question.agent().name())))
                    .orElseThrow(() -> new StepFailed("nothing is recorded"));
        }

        /// What the recorded debugger repaired crashes until then.
        private Execution run(World.Job job) {
            job.begin().attempt();
            while (order.nextInt(MEANWHILE) > 0 && records.result(job.step()).isEmpty()) {
                deliverAny();
            }
            RunScript script = job.script();
            if (answers.of(job.step().parent().orElseThrow().child("debugger")).filter(repaired -> !repaired.contains(script.content().strip())).isPresent()) {
                return World.execution(null, CannedAnswers.printed(script.kind()), TRACE, null);
            }
            Double score = script.kind() == RunScript.Kind.SOLUTION ? Double.valueOf(gainPerCharacter * script.content().length()) : null;
            return World.execution(score, CannedAnswers.printed(script.kind()), null,
                    script.kind() == RunScript.Kind.SUBMISSION ? new Execution.Submission("kept", 10, 1) : null);
        }

        /// An event for a step in flight waits until that has ended.
        private void deliverAny() {
            List<Event> waiting = events.stream().filter(event -> !engine.isInFlight(Event.stepOf(event.data()))).toList();
            if (!waiting.isEmpty()) {
                Event next = waiting.get(order.nextInt(waiting.size()));
                if (order.nextInt(REPEATED_OF) > 0) {
                    events.remove(next);
                }
                engine.work(Event.stepOf(next.data()));
            }
        }

        JsonNode runs(ObjectNode config) {
            engine.start(World.header("r", config.toString()));
            while (!events.isEmpty()) {
                deliverAny();
            }
            return store.read("runs/r/result.json").map(Json::parse).orElseThrow();
        }

        List<KnownStep> steps() {
            return Walk.READABLE.steps(records, "r").toList();
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(useHeadersInDisplayName = true, textBlock = """
            EXAMPLE,      GAIN,    ATTEMPTS, ROUNDS
            bird-strikes, 0.0001,  12,       3
            co2,          -0.0001, 2,        0
            rents,        0.0001,  4,        2
            digits,       0.0001,  4,        2
            """)
    void anExampleEndsAsInSequence(String example, double gainPerCharacter, int attempts, int rounds) throws Exception {
        Path task = Path.of("src/examples", example);
        RecordedPlans answers = RecordedPlans.of(task.resolve("answers"), folder);
        ObjectNode given = (ObjectNode) new YAMLMapper().readTree(task.resolve("config.yaml").toFile());
        Recorded inSequence = new Recorded(answers, gainPerCharacter, 1);
        JsonNode wanted = inSequence.runs(given);
        ObjectNode atOnce = given.deepCopy().put("attempts_at_once", 4).put("rounds_at_once", 5);
        for (long seed = 2; seed < 5; seed++) {
            Recorded together = new Recorded(answers, gainPerCharacter, seed);
            JsonNode got = together.runs(atOnce);
            PARTS.forEach(part -> assertThat(got.path(part)).as(part).isEqualTo(wanted.path(part)));
            assertThat(together.steps()).map(step -> step.result().isPresent()).containsOnly(true);
        }
        assertThat(count(inSequence, Merge.class)).isPositive();
        assertThat(count(inSequence, Attempt.class)).isEqualTo(attempts);
        assertThat(count(inSequence, Round.class)).isEqualTo(rounds);
    }

    private static long count(Recorded run, Class<?> phase) {
        return run.steps().stream().filter(step -> phase.isInstance(step.step())).count();
    }
}
