package io.mlestar.show.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.engine.World;
import io.mlestar.core.phase.Attempt;
import io.mlestar.core.phase.Finalization;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.phase.Survey;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepLogTest {
    private final Logger logger = Logger.getLogger("mle_star");
    private final List<String> lines = new ArrayList<>();
    private final RunHeader run = World.header("r", "{}");
    private final StepLog log = new StepLog(() -> 2);
    private Ear ear;

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        ear = new Ear("mle_star", line -> lines.add(line.getLevel() + " " + new SimpleFormatter().formatMessage(line)));
    }

    @AfterEach
    void stopListening() {
        ear.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    2   | {}                                                        |
                    1   | {}                                                        | 2 refinement paths share 1 slot for scripts
                    3   | {"num_parallel_solutions": 4}                             | 4 refinement paths share 3 slots for scripts
                    """)
    @Requirement("REQ-OR-056")
    void aRunWithMorePathsThanSlotsBeginsWithAWarning(int slots, String config, String warning) {
        StepLog log = new StepLog(() -> slots);
        StepPath root = StepPath.root("r");
        log.asked(World.header("r", config), root, StepRequest.of(new Pipeline(), World.NOW, World.NOW));
        log.asked(World.header("r", config), root.child("survey"),
                StepRequest.of(new Survey(), World.NOW, World.NOW));
        assertThat(lines.stream().filter(line -> line.startsWith("WARN")))
                .containsExactlyElementsOf(warning == null ? List.of() : List.of("WARN run r: " + warning));
    }

    @Test
    @Requirement("REQ-P2I-033")
    void blockThatCannotBeReplacedIsAWarningWithItsReason() {
        Attempt attempt = new Attempt(0, SolutionScript.unscored("fit()", SolutionPhase.INIT), "fit()", "Plan.",
                List.of(), List.of(), List.of(),
                new Rival("phase1/candidate0", Score.printed(0.5)));
        StepRequest request = StepRequest.of(attempt, World.NOW, World.NOW);
        log.ended(run, StepPath.parse("r/phase2-path0/block0/attempt0"), request,
                StepResult.of(new Outcome.Done<>(new Attempt.Result(
                        RefinementAttempt.failed("Plan.", "fit_better()"), null,
                        "replacement failed: the block does not occur")),
                        World.NOW, World.NOW, 0.25));
        assertThat(lines).hasSize(3).first().asString().contains("status=done", "cost_usd=0.25");
        assertThat(lines.get(1)).startsWith("WARN").contains("what=replacement-failure k=0",
                "the block does not occur");
        assertThat(lines.get(2)).startsWith("WARN").contains("what=attempt-skipped k=0");
    }

    @Test
    @Requirement({"REQ-OR-030", "REQ-OR-043"})
    void aStoppedStepIsAWarningWithItsReason() {
        StepRequest request = StepRequest.of(
                new Finalization(SolutionScript.unscored("fit()", SolutionPhase.INIT).scored(Score.printed(0.5))),
                World.NOW, World.NOW);
        log.ended(run, StepPath.parse("r/finalization"), request,
                StepResult.of(new Outcome.Stopped<>("the time limit has passed"), World.NOW, World.NOW, 0.0));
        assertThat(lines).hasSize(2)
                .allMatch(line -> line.startsWith("WARN") && line.contains("reason=\"the time limit has passed\""));
        assertThat(lines.get(1)).contains("what=fallback", "phase=init score=0.5");
    }
}
