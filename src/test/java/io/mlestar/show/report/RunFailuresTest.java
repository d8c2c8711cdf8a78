package io.mlestar.show.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.mlestar.core.base.Json;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Score;
import io.mlestar.show.report.RunFailures.Failure;
import io.mlestar.show.view.StepView;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunFailuresTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private final RunFailures collector = new RunFailures(
            PipelineConfig.resolve(Json.parse("{\"script_timeout_seconds\": 15, \"max_budget_usd\": 3}"), Map.of())
                    .limits());

    private static StepView script(String path, String bug, boolean timedOut) {
        Execution ran = Execution.of(new EvaluationResult(Score.NONE, "", "", 1, 1, true, null), timedOut, null, bug);
        return StepView.of(new KnownStep(new StepPath("r", path),
                StepRequest.of(new RunScript("", Kind.SOLUTION, 15), NOW, NOW),
                Optional.of(StepResult.of(new Outcome.Done<>(ran), NOW, NOW, 0.0))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ModuleNotFoundError: No module named 'lightgbm'             | false | Install lightgbm
            TimeoutError: the script was stopped after 15 seconds       | true  | raise script_timeout_seconds
            MemoryError                                                 | false | larger machine
            FileNotFoundError: [Errno 2] No such file: 'input/x.csv'    | false | data_dir
            """)
    void whatAUserCanDoIsSaid(String bug, boolean timedOut, String advice) {
        assertThat(collector.add(script("phase1/candidate0/evaluation/script", "Traceback\n" + bug, timedOut)))
                .isTrue();
        assertThat(collector.list()).singleElement().satisfies(failure -> {
            assertThat(failure.message()).isEqualTo(timedOut ? "timed out after 1.0 s" : bug);
            assertThat(failure.advice()).contains(advice);
        });
    }

    @Test
    void aScriptThatRanIsNoCrashWhateverItsResultLacks() {
        for (String bug : Arrays.asList(null, "SubmissionError: ./final/submission.csv is not as sample.csv")) {
            Execution ran = Execution.of(new EvaluationResult(Score.NONE, "done", "", 0, 1, bug != null, null), false,
                    null, bug);
            collector.add(StepView.of(new KnownStep(new StepPath("r", "phase1/candidate0/evaluation/script"),
                    StepRequest.of(new RunScript("", Kind.SOLUTION, 15), NOW, NOW),
                    Optional.of(StepResult.of(new Outcome.Done<>(ran), NOW, NOW, 0.0)))));
        }
        assertThat(collector.list()).extracting(Failure::kind, Failure::message).containsExactly(
                tuple("script rejected",
                        "ran, but printed no score (the last line must be `Final Validation Performance: <number>`)"),
                tuple("script rejected",
                        "ran, but its submission is not in the right form: ./final/submission.csv is not as sample.csv"));
    }

    @Test
    void failuresThatDifferInNumbersOnlyAreOneAndKindsAreBounded() {
        for (int i = 0; i < 1_000; i++) {
            collector.add(script("phase1/candidate0/evaluation/script-" + (i + 2), "ValueError: row " + i, false));
        }
        for (int i = 0; i < 100; i++) {
            collector.add(
                    script("phase1/candidate0/evaluation/script",
                            "ValueError: " + (char) ('A' + i / 26) + (char) ('A' + i % 26) + "x".repeat(10_000),
                            false));
        }
        assertThat(collector.list()).hasSize(40).first().extracting(Failure::count).isEqualTo(1_000);
        assertThat(collector.list()).allSatisfy(failure -> assertThat(failure.message()).hasSizeLessThan(400));
        assertThat(collector.more()).isEqualTo(61);
    }
}
