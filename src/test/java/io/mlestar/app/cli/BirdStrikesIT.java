package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.ProjectFiles;
import io.mlestar.Requirement;
import io.mlestar.Subprocess;
import io.mlestar.core.base.Json;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The example that `make run` runs: real data, real scripts, recorded answers, hidden labels; and
/// what a user holds then: a solution for new rows, and a package that runs without the program.
class BirdStrikesIT {
    private static final int SCRIPT_SECONDS = 120;

    @TempDir
    private Path folder;

    private Program program;

    @Test
    @Requirement("REQ-OR-043")
    void theWholePipelineClimbsAndItsSolutionHoldsOnHiddenLabelsAndPredictsNewRows() throws Exception {
        program = new Program(folder);
        // The limits of real scripts that really train stretch with the machine's pace.
        Program.Ended ended = program.run(Program.example("birds", "--json", "--set",
                "script_timeout_seconds=" + SCRIPT_SECONDS * program.pace()));
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

        assertThat(Typed.in(program.store(), "show", "birds").out()).contains("leakage-correction", "debugger",
                "extractor-2", "ValueError");
        Typed grade = Typed.in(program.store(), "grade", "--run", "birds", "--labels",
                Program.EXAMPLE + "/hidden/labels.csv", "--json");
        assertThat(grade.err()).as("the score is earned").isEmpty();
        double graded = Json.parse(grade.wellEnded()).path("score").asDouble();
        assertThat(graded).isGreaterThan(0.80);
        assertThat(ProjectFiles.text(Path.of("README.md"))).as("what the README says that this run printed")
                .contains("score      " + shortened(result.path("best_score").asDouble()),
                        "baseline   " + shortened(initial), "ROC-AUC: " + shortened(graded));
        predictsNewRows();
        runsOutsideTheProgram();
    }

    /// The digits that no other processor's arithmetic changes.
    private static String shortened(double score) {
        return Double.toString(score).substring(0, "0.8078".length());
    }

    private Path submission() {
        return program.store().resolve("runs/birds/submission.csv");
    }

    /// The header of a table and some of its rows.
    private static List<String> some(Path table) throws IOException {
        List<String> lines = Files.readAllLines(table);
        List<String> some = new ArrayList<>(lines.subList(0, 1));
        some.addAll(lines.subList(100, 120));
        return some;
    }

    private void predictsNewRows() throws Exception {
        Files.write(folder.resolve("new.csv"), some(Program.EXAMPLE.resolve("input/test.csv")));
        Program.Ended predicted = program.run("predict", "birds", "--rows", "new.csv");
        assertThat(predicted.exitCode()).as(predicted.err()).isZero();
        assertThat(predicted.out().lines()).containsExactlyElementsOf(some(submission()));

        Program.Ended again = program.run("predict", "birds", "--rows", "new.csv", "--out", "again.csv", "--json");
        assertThat(Json.parse(again.out()).path("reused").asBoolean()).isTrue();
        assertThat(again.err()).as("nothing is trained").isEmpty();
        assertThat(folder.resolve("again.csv")).hasContent(predicted.out());
    }

    /// Does what the steps of the package's Dockerfile and README do.
    private void runsOutsideTheProgram() throws Exception {
        Path exported = folder.resolve("exported");
        assertThat(Typed.in(program.store(), "export", "birds", exported.toString()).out()).isEqualTo(exported + "\n");
        Files.createSymbolicLink(exported.resolve("input"), Program.EXAMPLE.resolve("input"));
        Files.createDirectories(exported.resolve("final"));
        Subprocess.run(exported, Map.of(), "python3", "solution.py").wellEnded();
        assertThat(exported.resolve("final/submission.csv")).hasSameBinaryContentAs(submission());
    }
}
