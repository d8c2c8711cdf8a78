package io.mlestar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.task.Json;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The example as the README shows it: real data, real scripts, recorded answers, hidden labels.
class BirdStrikesIT {
    @TempDir
    private Path folder;

    @Test
    @Requirement("REQ-OR-043")
    void theWholePipelineClimbsAndItsSubmissionHoldsOnHiddenLabels() throws Exception {
        Program program = new Program(folder);
        Program.Ended ended = program.run(Program.example("birds", "--json"));
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.err()).contains("no language model is asked");
        JsonNode result = Json.parse(ended.out());
        assertThat(result.path("phases_completed")).extracting(JsonNode::asText)
                .containsExactly("phase1", "phase2", "phase3", "finalization");
        double initial = result.path("phase1").path("initial_score").asDouble();
        assertThat(initial).isBetween(0.78, 0.80);
        assertThat(result.path("phase3").path("best_ensemble_score").asDouble()).isGreaterThan(initial + 0.005);
        assertThat(result.path("phase3").path("ensemble_scores").path(1).isNull()).as("one round fails for good").isTrue();

        String tree = program.run("show", "birds").out();
        assertThat(tree).contains("leakage-correction", "debugger", "extractor-2", "TimeoutError");
        assertThat(grade("birds")).isGreaterThan(0.80);
    }

    @Test
    @Requirement({"REQ-OR-024", "REQ-OR-030"})
    void aShortTimeLimitStillEndsInASubmission() throws Exception {
        Program.Ended ended = new Program(folder).run(Program.example("short", "--set", "time_limit_seconds=60", "--json"));
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        JsonNode result = Json.parse(ended.out());
        assertThat(result.path("total_duration_seconds").asDouble()).isLessThan(90);
        assertThat(grade("short")).isGreaterThan(0.75);
    }

    @Test
    @Requirement({"REQ-OR-028", "REQ-OR-029"})
    void aSmallBudgetStillEndsInASubmission() throws Exception {
        Program.Ended ended = new Program(folder).run(Program.example("poor", "--set", "max_budget_usd=0.3", "--json"));
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        JsonNode result = Json.parse(ended.out());
        assertThat(result.path("stop_reason").asText()).contains("budget");
        assertThat(grade("poor")).isGreaterThan(0.75);
    }

    private double grade(String run) throws Exception {
        Program.Ended graded = new Program(folder).run("grade", "--run", run, "--labels", Program.EXAMPLE + "/hidden/labels.csv", "--json");
        assertThat(graded.exitCode()).as(graded.err()).isZero();
        return Json.parse(graded.out()).path("score").asDouble();
    }
}
