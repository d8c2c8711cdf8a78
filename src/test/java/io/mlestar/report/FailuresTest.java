package io.mlestar.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.engine.MadeRun;
import io.mlestar.engine.Records.Known;
import io.mlestar.engine.StepRequest;
import io.mlestar.engine.StepResult.Status;
import io.mlestar.engine.StepResult;
import io.mlestar.report.Failures.Failure;
import io.mlestar.step.StepPath;
import io.mlestar.store.MemoryStore;
import io.mlestar.task.Json;
import io.mlestar.task.PipelineConfig;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailuresTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private final Failures.Collector collector = new Failures.Collector(
            PipelineConfig.resolve(Json.parse("{\"script_timeout_seconds\": 15, \"max_budget_usd\": 3}"), Map.of()));

    private static Known script(String path, String bug, boolean timedOut) {
        return new Known(new StepPath("r", path), new StepRequest("io.mlestar.script.run", Json.object(), null, NOW, NOW), Optional.of(new StepResult(Status.DONE,
                Json.tree(Map.of("evaluation", Map.of("is_error", true), "timed_out", timedOut, "bug", bug)), null, NOW, NOW, 0.0, null)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ModuleNotFoundError: No module named 'lightgbm'             | false | Install lightgbm
            TimeoutError: the script was stopped after 15 seconds       | true  | raise script_timeout_seconds
            MemoryError                                                 | false | larger machine
            FileNotFoundError: [Errno 2] No such file: 'input/x.csv'    | false | data_dir
            """)
    void whatAUserCanDoIsSaid(String bug, boolean timedOut, String advice) {
        assertThat(collector.add(script("phase1/candidate0/evaluation/script", "Traceback\n" + bug, timedOut))).isTrue();
        assertThat(collector.failures().list()).singleElement().satisfies(failure -> {
            assertThat(failure.message()).isEqualTo(bug);
            assertThat(failure.advice()).contains(advice);
        });
    }

    @Test
    void failuresThatDifferInNumbersOnlyAreOneAndKindsAreBounded() {
        for (int i = 0; i < 1_000; i++) {
            collector.add(script("phase1/candidate0/evaluation/script-" + (i + 2), "ValueError: row " + i, false));
        }
        for (int i = 0; i < 100; i++) {
            collector.add(script("phase1/candidate0/evaluation/script", "ValueError: " + (char) ('A' + i / 26) + (char) ('A' + i % 26) + "x".repeat(10_000), false));
        }
        assertThat(collector.failures().list()).hasSize(40).first().extracting(Failure::count).isEqualTo(1_000);
        assertThat(collector.failures().list()).allSatisfy(failure -> assertThat(failure.message()).hasSizeLessThan(400));
        assertThat(collector.failures().more()).isEqualTo(61);
    }

    @Test
    void aRunsFailuresSayWhatBecameOfThem() {
        MadeRun run = MadeRun.ended(new MemoryStore(), "r", "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 3, \"ensemble_rounds\": 2}", 3, 20);
        Walk.steps(run.records(), run.root(), collector::add);
        List<Failure> found = collector.failures().list();
        assertThat(found).extracting(Failure::kind).contains("script crashed", "agent did not answer", "answer not readable");
        assertThat(found).filteredOn(failure -> failure.kind().equals("script crashed")).isNotEmpty()
                .allMatch(failure -> failure.after().isEmpty() == failure.advice().isEmpty());
        assertThat(found).filteredOn(failure -> failure.kind().equals("answer not readable")).allMatch(failure -> failure.advice().contains("model"));
    }
}
