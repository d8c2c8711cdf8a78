package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.ProjectFiles;
import io.mlestar.Subprocess;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.core.base.Json;
import module java.base;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The examples beside bird strikes: text, images and a time series, with the libraries that `make
/// python` installs. The numbers are those of one machine; the bounds leave room for another
/// processor's last digits.
class ExamplesIT {
    private static final double LAST_DIGITS = 0.01;
    private static final int MOST_HOURS = 3;
    private static final String LIBRARIES = "pandas, sklearn, lightgbm, PIL";

    private static Path interpreter;

    @TempDir
    private Path folder;

    /// The interpreter that `./mlestar` would take.
    @BeforeAll
    static void libraries() throws Exception {
        Path made = Path.of(".venv/bin/python3").toAbsolutePath();
        Map<String, String> environment = new HashMap<>(System.getenv());
        if (Files.isExecutable(made)) {
            environment.putIfAbsent("MLE_STAR_PYTHON", made.toString());
        }
        interpreter = Python.of(environment).executable();
        int missing = Subprocess
                .run(Path.of("").toAbsolutePath(), Map.of(), interpreter.toString(), "-c", "import " + LIBRARIES)
                .exitCode();
        assumeTrue(missing == 0, "the examples with libraries are skipped: not all of " + LIBRARIES
                + " are there; `make python` installs them");
    }

    @Tag("long")
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        // example, score on the hold-out and how near, grade and how near
        "co2,    0.7511, 0.02, 0.5358, 0.02, phase1 phase2 finalization",
        "rents,  49.81,  1.00, 54.42,  1.50, phase1 phase2 phase3 finalization",
        "digits, 0.0632, 0.02, 0.0901, 0.02, phase1 phase2 phase3 finalization"})
    void aTimeSeriesTextAndImagesEndInSubmissionsThatHoldOnHiddenLabels(String example, double validation,
            double aboutValidation, double grade, double aboutGrade, String phases) throws Exception {
        Path task = Path.of("src/examples", example).toAbsolutePath();
        Program program = new Program(folder);
        Program.Ended ended = program.run("run", "--task", task + "/task.yaml", "--config", task + "/config.yaml",
                "--model", "recorded:" + task + "/answers", "--run-id", example, "--json", "--set",
                "script_timeout_seconds=900");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        JsonNode result = Json.parse(ended.out());
        assertThat(result.path("phases_completed")).extracting(JsonNode::asText).containsExactly(phases.split(" "));
        assertThat(ended.err()).contains("crashed", "no language model is asked");
        assertThat(result.path("best_score").asDouble()).isCloseTo(validation, within(aboutValidation));
        assertThat(Typed.in(program.store(), "show", example).wellEnded()).contains("debugger", "leakage-correction");
        Typed graded =
                Typed.in(program.store(), "grade", "--run", example, "--labels", task + "/hidden/labels.csv", "--json");
        assertThat(Json.parse(graded.wellEnded()).path("score").asDouble()).isCloseTo(grade, within(aboutGrade));
    }

    /// A run that `docs/results.md` tells of. Its submission is kept with four digits, and its
    /// script, a blend, holds the seconds of its members.
    @Tag("long")
    @Test
    void aRunThatAModelAnsweredEndsAgainInItsScriptItsScoreAndItsSubmission() throws Exception {
        Path task = Path.of("src/proof/visits").toAbsolutePath();
        JsonNode known = Json.parse(ProjectFiles.text(task.resolve("results/strong.json")));
        Process run = new Program(folder).start("run", "--task", task + "/task.yaml", "--config",
                task.resolve("config.yaml").toString(), "--model",
                "recorded:" + task + "/answers", "--run-id", "again", "--json");
        assertThat(run.waitFor(MOST_HOURS, TimeUnit.HOURS)).isTrue();
        JsonNode result = Json.parse(Files.readString(folder.resolve("out")));
        String seconds = "[\\d.]+(?=, .phase)";
        assertThat(result.path("final_solution").path("content").asText().replaceAll(seconds, ""))
                .isEqualTo(ProjectFiles.text(task.resolve("results/strong.py")).replaceAll(seconds, ""));
        assertThat(result.path("best_score").asDouble()).isCloseTo(known.path("search_score").asDouble(),
                within(LAST_DIGITS));
        assertThat(predictions(Path.of(result.path("submission_path").asText())))
                .zipSatisfy(predictions(task.resolve("results/strong.csv")),
                        (again, kept) -> assertThat(again).isCloseTo(kept, within(LAST_DIGITS)));
    }

    @Test
    void theTablesOfTheResultsAreThoseOfTheKeptSubmissions() throws Exception {
        String printed = Subprocess.said(Map.of(), interpreter.toString(), "src/proof/results.py");
        assertThat(ProjectFiles.text(Path.of("docs/results.md")).lines().toList())
                .containsAll(printed.lines().filter(line -> !line.isEmpty()).toList());
    }

    private static List<Double> predictions(Path submission) throws IOException {
        return Files.readAllLines(submission).stream().skip(1)
                .map(row -> Double.valueOf(row.substring(row.indexOf(',') + 1))).toList();
    }
}
