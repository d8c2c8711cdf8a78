package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.ProjectFiles;
import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The example that `make run` runs: real data, real scripts, recorded answers, hidden labels.
class BirdStrikesIT {
    private static final int SCRIPT_SECONDS = 120;

    @TempDir
    private Path folder;

    /// The limits of real scripts that really train stretch with the machine's pace.
    private static String[] stretched(String runId, int pace) {
        return Program.example(runId, "--json", "--set", "script_timeout_seconds=" + SCRIPT_SECONDS * pace);
    }

    @Test
    @Requirement("REQ-OR-043")
    void theWholePipelineClimbsAndItsSubmissionHoldsOnHiddenLabels() throws Exception {
        Program program = new Program(folder);
        Program.Ended ended = program.run(stretched("birds", program.pace()));
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.err()).contains("no language model is asked");
        JsonNode result = Json.parse(ended.out());
        assertThat(result.path("phases_completed")).extracting(JsonNode::asText)
                .containsExactly("phase1", "phase2", "phase3", "finalization");
        double initial = result.path("phase1").path("initial_score").asDouble();
        assertThat(initial).isBetween(0.78, 0.80);
        assertThat(result.path("phase3").path("best_ensemble_score").asDouble()).isGreaterThan(initial + 0.005);
        assertThat(result.path("phase3").path("ensemble_scores").path(1).isNull()).as("one round fails for good")
                .isTrue();

        String tree = program.run("show", "birds").out();
        assertThat(tree).contains("leakage-correction", "debugger", "extractor-2", "ValueError");
        double graded = grade("birds");
        assertThat(graded).isGreaterThan(0.80);
        assertThat(ProjectFiles.text(Path.of("README.md"))).as("what the README says that this run printed")
                .contains("score      " + shortened(result.path("best_score").asDouble()),
                        "baseline   " + shortened(initial), "ROC-AUC: " + shortened(graded));
    }

    /// The digits that no other processor's arithmetic changes.
    private static String shortened(double score) {
        return Double.toString(score).substring(0, "0.8078".length());
    }

    @Test
    @Requirement({"REQ-OR-028", "REQ-OR-029"})
    @Tag("long")
    void aSmallBudgetStillEndsInASubmission() throws Exception {
        Program.Ended ended =
                new Program(folder).run(Program.smallExample(folder, "poor", "--json", "--set", "max_budget_usd=0.3"));
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        JsonNode result = Json.parse(ended.out());
        assertThat(result.path("stop_reason").asText()).contains("budget");
        assertThat(Path.of(result.path("submission_path").asText())).isNotEmptyFile();
    }

    private double grade(String run) throws Exception {
        Program.Ended graded = new Program(folder).run("grade", "--run", run, "--labels",
                Program.EXAMPLE + "/hidden/labels.csv", "--json");
        assertThat(graded.exitCode()).as(graded.err()).isZero();
        assertThat(graded.err()).as("the score is earned").isEmpty();
        return Json.parse(graded.out()).path("score").asDouble();
    }
}
