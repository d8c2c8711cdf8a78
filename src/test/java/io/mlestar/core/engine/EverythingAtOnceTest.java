package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.adapter.model.RecordedPlans;
import io.mlestar.core.phase.Attempt;
import io.mlestar.core.phase.Merge;
import io.mlestar.core.phase.Round;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Brief;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Window;
import io.mlestar.core.task.EvaluationResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

    private static final class Recorded extends MixedOrder {
        private final RecordedPlans answers;
        private final double gainPerCharacter;
        private final ObjectNode config;

        Recorded(RecordedPlans answers, double gainPerCharacter, ObjectNode config, long seed) {
            super(seed);
            this.answers = answers;
            this.gainPerCharacter = gainPerCharacter;
            this.config = config;
        }

        @Override
        public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout, RetryApproval second) {
            String text = answers.of(step).or(() -> answers.of(new StepPath("r", "defaults/" + agent.name())))
                    .orElseThrow(() -> new StepFailed("nothing is recorded"));
            return new Answer(text, new Answer.Usage("made:up", 1, 1, 0, World.COST, 0), "", "");
        }

        /// What the recorded debugger repaired crashes until then.
        @Override
        public Execution run(StepPath step, RunScript script, Brief brief, Window window, Begin begin) {
            begin.attempt();
            meanwhile(step);
            boolean crash = answers.of(step.parent().orElseThrow().child("debugger"))
                    .filter(repaired -> !repaired.contains(script.content().strip())).isPresent();
            Double score = crash || script.kind() != RunScript.Kind.SOLUTION ? null : Double.valueOf(gainPerCharacter * script.content().length());
            EvaluationResult result = new EvaluationResult(score, CannedAnswers.printed(script.kind()), crash ? TRACE : "", crash ? 1 : 0, 0.1, crash,
                    crash ? TRACE : null);
            return Execution.of(result, false, script.kind() == RunScript.Kind.SUBMISSION && !crash ? new Execution.Submission("kept", 10, 1) : null,
                    crash ? TRACE : null);
        }

        JsonNode runs() {
            return runs(config.toString());
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
        Recorded inSequence = new Recorded(answers, gainPerCharacter, given, 1);
        JsonNode wanted = inSequence.runs();
        ObjectNode atOnce = given.deepCopy().put("attempts_at_once", 4).put("rounds_at_once", 5);
        for (long seed = 2; seed < 5; seed++) {
            Recorded together = new Recorded(answers, gainPerCharacter, atOnce, seed);
            JsonNode got = together.runs();
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
