package io.mlestar.app.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.records.Records;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.Search;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunSummaryTest {
    private static final MemoryStore STORE = new MemoryStore();

    static {
        DrivenRun.start(STORE, "r", Program.SHORT,
                0).untilTheEnd();
    }

    private static ObjectNode result() {
        return (ObjectNode) Json.parse(STORE.read("runs/r/result.json").orElseThrow());
    }

    private static List<String> lines(String score, String baseline, String more) {
        ObjectNode result = result();
        result.set("best_score", Json.parse(score));
        ((ObjectNode) result.path("chosen")).set("score", Json.parse(score));
        result.set("baseline_score", Json.parse(baseline));
        ((ObjectNode) result.path("phase1").path("initial_solution")).set("score", Json.parse(baseline));
        result.putNull("better_script");
        result.setAll((ObjectNode) Json.parse(more));
        return RunSummary.lines(Json.read(result, FinalResult.class));
    }

    @Test
    void theEndNamesScoreBaselineGainSubmissionTimeAndCost() {
        assertThat(lines("0.75", "0.71",
                """
                        {"submission_path": "/s.csv", "submission_source": "finalization", "total_cost_usd": 0.5, "total_duration_seconds": 12}"""))
                .containsExactly("score      0.75 (AUC on the validation split)",
                        "baseline   0.71 (initial solution), gain +0.04000",
                        "submission /s.csv", "took       12.0 s, cost $0.5000");
    }

    @Test
    void aGainIsPositiveWhereLowerIsBetterToo() {
        ObjectNode task = (ObjectNode) result().path("task");
        String lower = "{\"task\": " + task.put("metric_direction", "minimize") + "}";
        assertThat(lines("0.70", "0.72", lower)).contains("baseline   0.72 (initial solution), gain +0.02000");
        assertThat(lines("0.72", "0.70", lower))
                .contains("baseline   0.7 (initial solution), gain −0.02000");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    0.70 | {"better_script": {"step": "phase2-path0", "score": 0.74}} | better     0.74 by a single script: that of phase2-path0 (final_solution=best, the default, would have taken it)
                    0.70 | {"lineage": ["phase1: a", "not chosen: phase2-path0: score 1.0"]} | not chosen phase2-path0: score 1.0
                    0.75 | {"submission_path": "/s.csv", "submission_source": "phase3/round1/evaluation/script", "submission_replaced": "it differs"} | `           written by phase3/round1/evaluation/script when it was scored; finalization: it differs`
                    null | {}                                             | score      none
                    null | {"submission_path": "", "submission_failure": "no script wrote one", "submission_source": null} | submission none: no script wrote one
                    null | {"stop_reason": "no time"}                     | cut short  no time
                    """)
    void whatIsUnusualOrMissingIsSaid(String score, String more, String said) {
        assertThat(lines(score, "0.71", more)).contains(said);
    }

    @Test
    void anUnknownCostIsSaidToBeOne() {
        assertThat(lines("0.75", "0.71", "{\"total_cost_usd\": null}")).anyMatch(line -> line.endsWith("cost unknown"));
    }

    @Test
    void aRunWithoutAValidSubmissionIsNoSuccessAndTheLastLineSaysWhy() {
        assertThat(failure("{\"submission_path\": \"/s.csv\"}")).isEmpty();
        assertThat(failure("{\"submission_path\": \"/s.csv\", \"submission_failure\": \"3 ids are missing\"}"))
                .contains("run r ended with a submission that is not valid: 3 ids are missing");
        assertThat(failure("{\"submission_path\": \"\", \"submission_failure\": \"no script wrote one\"}"))
                .contains("run r ended without a submission: no script wrote one");
    }

    private static Optional<String> failure(String more) {
        ObjectNode result = result();
        result.putNull("submission_failure");
        result.setAll((ObjectNode) Json.parse(more));
        return RunSummary.failure(Json.read(result, FinalResult.class));
    }

    @Test
    void theSubmissionIsComparedWithTheSampleSubmission(@TempDir Path data) throws IOException {
        RunSummary summary = new RunSummary(new Records(STORE), "r", "");
        assertThat(formOf(summary, data)).isEmpty();
        STORE.create("runs/r/submission.csv", "id,y\n1,0.25\n2,0.75\n".getBytes(StandardCharsets.UTF_8));
        Files.writeString(data.resolve("gender_submission.csv"), "id,y\n1,0\n2,0\n");
        assertThat(formOf(summary, data)).contains("as gender_submission.csv: 2 rows");
        Files.writeString(data.resolve("sample_submission.csv"), "other,columns\n1,2\n");
        assertThat(formOf(summary, data).orElseThrow()).startsWith("not as sample_submission.csv: the header is ");
    }

    private static Optional<String> formOf(RunSummary summary, Path data) {
        ObjectNode result = result();
        result.withObject("task").put("data_dir", data.toString());
        return summary.form(Json.read(result, FinalResult.class));
    }

    @Test
    void theNextCommandsFitTheRun() {
        assertThat(new RunSummary(new Records(STORE), "r", " --store s").next(search("paper", 2)))
                .contains("           mlestar fork r --at phase3 --set ensemble_rounds=8 --store s");
        assertThat(new RunSummary(new Records(STORE), "r", "").next(search("paper", 1)))
                .contains("           mlestar fork r --at phase2-path0 --set outer_loop_steps=4");
        assertThat(new RunSummary(new Records(STORE), "r", "").next(search("strong", 2)))
                .contains("           mlestar fork r --at phase3");
    }

    private static Search search(String name, int paths) {
        return PipelineConfig.resolve(Json.object().put("search", name).put("num_parallel_solutions", paths), Map.of())
                .search();
    }
}
