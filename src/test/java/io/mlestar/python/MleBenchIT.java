package io.mlestar.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Waiting;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The built program as an agent of MLE-bench, in folders laid out as in the benchmark's
/// containers, and the Python package's table of competitions as the benchmark prepares them. The
/// benchmark's own code is asked where `MLE_BENCH` names a checkout of it.
@Tag("long")
class MleBenchIT {
    private static final String DESCRIPTION =
            "# Flats\n\nPredict y from x.\n\n## Evaluation\n\nSubmissions are evaluated on the mean absolute error.\n";
    private static final Path ASK = Path.of("src/test/resources/mle-bench/ask.py").toAbsolutePath();

    @TempDir
    private Path folder;

    private Path write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    /// A competition as `mlebench prepare` leaves it; the recorded answers submit 0 for its one
    /// row.
    private Path prepared(String competitions, String id, double truth) throws IOException {
        String home = competitions + "/" + id + "/prepared/";
        write(home + "public/train.csv",
                "id,x,y\n" + IntStream.rangeClosed(2, 60).mapToObj(i -> i + "," + i % 7 + "," + i * 0.37)
                        .collect(Collectors.joining("\n", "", "\n")));
        write(home + "public/test.csv", "id,x\n1,1\n");
        write(home + "public/sample_submission.csv", "id,y\n1,0.5\n");
        write(home + "public/description.md", DESCRIPTION);
        write(home + "private/test.csv", "id,x,y\n1,1," + truth + "\n");
        return folder.resolve(competitions).resolve(id).resolve("prepared");
    }

    private ProcessBuilder agent(Path data) throws IOException {
        Path home = folder.resolve("home");
        if (!Files.exists(home)) {
            write("home/instructions.txt",
                    "The data are in /home/data/. Leave the result at /home/submission/submission.csv. Cheating is forbidden.\n");
            write("home/validate_submission.sh", "echo checked $(wc -l < \"$1\") lines\n");
            Files.createSymbolicLink(home.resolve("data"), data);
        }
        ProcessBuilder builder =
                new ProcessBuilder("bash", Path.of("src/mle-bench/start.sh").toAbsolutePath().toString(), "--model",
                        "recorded:" + Program.MINI + "/answers").redirectErrorStream(true)
                        .redirectOutput(folder.resolve("start.log").toFile());
        builder.environment().putAll(Map.of("MLE_BENCH_HOME", home.toString(), "COMPETITION_ID", "flats",
                "TIME_LIMIT_SECS", "3600", "LOOK_SECS", "1",
                "MLESTAR", Path.of("mlestar").toAbsolutePath().toString(), "AGENT_DIR",
                Files.createDirectories(home.resolve("agent")).toString(),
                "SUBMISSION_DIR", home + "/submission", "LOGS_DIR", home + "/logs", "CODE_DIR", home + "/code"));
        return builder;
    }

    @Test
    void theStartScriptLeavesASubmissionWhereTheBenchmarkCollectsItEvenIfItIsStoppedAndStartedAgain() throws Exception {
        Path prepared = prepared("data", "flats", 0.25);
        Path home = folder.resolve("home");
        Path submission = home.resolve("submission/submission.csv");
        Process first = agent(prepared.resolve("public")).start();
        Waiting.until("there is a submission, or it has ended", () -> Files.exists(submission) || !first.isAlive());
        assertThat(submission).content().isEqualTo("id,y\n1,0\n");
        first.destroy();
        first.waitFor();

        Process second = agent(prepared.resolve("public")).start();
        assertThat(second.waitFor()).as(Files.readString(folder.resolve("start.log"))).isZero();
        assertThat(submission).content().isEqualTo("id,y\n1,0\n");
        assertThat(home.resolve("code/train.py")).content().contains("final/submission.csv");
        // Another process writes the log.
        Waiting.until("the log is whole",
                () -> Files.readString(home.resolve("logs/agent.log")).contains("checked 2 lines"));
        assertThat(home.resolve("logs/agent.log")).content().contains("mlestar ended with 0");
        JsonNode result = Json.parse(Files.readString(home.resolve("logs/result.json")));
        assertThat(result.path("task").path("evaluation_metric").asText()).isEqualTo("MAE");
        assertThat(result.path("task").path("metric_direction").asText()).isEqualTo("minimize");
        assertThat(result.path("task").path("description").asText()).startsWith("# Flats")
                .contains("The data are in ./input/", "Look for no solution");
        assertThat(result.path("config").path("time_limit_seconds").asInt()).isBetween(1, 3_420);
        assertThat(result.path("config").path("provider_search").asBoolean()).isFalse();
        assertThat(result.path("config").path("agents").path("retriever").path("tools")).isEmpty();
        assertThat(home.resolve("logs/steps.txt")).content().contains("phase1");
        assertThat(home.resolve("logs/report.html")).content().contains("flats");
    }

    private JsonNode ask(Path python, String what, JsonNode given) throws Exception {
        Path in = write("asked.json", Json.text(given));
        ProcessBuilder builder =
                new ProcessBuilder(python.toString(), ASK.toString(), System.getenv("MLE_BENCH"), what, in.toString())
                        .redirectOutput(folder.resolve("answer.json").toFile())
                        .redirectError(folder.resolve("ask.log").toFile()).directory(folder.toFile());
        builder.environment().put("PYTHONPATH", PackageTests.SOURCES.toString());
        assertThat(builder.start().waitFor()).as(Files.readString(folder.resolve("ask.log"))).isZero();
        return Json.parse(Files.readString(folder.resolve("answer.json")));
    }

    /// A Python with what the benchmark's grading imports.
    private Path installed() throws Exception {
        assumeTrue(System.getenv("MLE_BENCH") != null,
                "MLE-bench's own code is not asked: MLE_BENCH names no checkout of it");
        return Path.of(PackageTests.environment(folder.resolve("python"), "pandas", "scikit-learn", "scipy", "pyyaml",
                "py7zr", "appdirs", "diskcache",
                "tenacity", "tqdm"));
    }

    @Test
    void theBenchmarksOwnCodeGradesAndAveragesTheSame() throws Exception {
        Path python = installed();
        Path script = write("zero.py",
                "import os\nos.makedirs('final', exist_ok=True)\nopen('final/submission.csv', 'w').write('id,y\\n1,0\\n')\n");
        ObjectNode made = Json.object().put("data", folder.resolve("data").toString());
        String[] ids = {"flats", "rooms", "yards"};
        double[] truths = {0.25, 0.0999951, 3};
        for (int i = 0; i < ids.length; i++) {
            prepared("data", ids[i], truths[i]);
            write("data/" + ids[i] + "/leaderboard.csv", "teamId,score\n1,0.1\n2,0.2\n3,0.3\n4,0.9\n5,2\n");
            made.withArray("competitions").addObject().put("id", ids[i]).put("submission",
                    write(ids[i] + ".csv", "id,y\n1,0\n").toString());
        }
        PackageTests.said(
                Map.of("PYTHONPATH", PackageTests.SOURCES.toString(), "MLESTAR",
                        Path.of("mlestar").toAbsolutePath().toString()),
                "python3", "-m",
                "mlestar.bench", folder.resolve("data").toString(), "--out", folder.resolve("table").toString(),
                "--seeds", "1", "--script", script.toString());
        JsonNode graded = ask(python, "grade", made);
        for (int i = 0; i < ids.length; i++) {
            JsonNode cell =
                    Json.parse(Files.readString(folder.resolve("table/cells/script-zero-" + ids[i] + "-seed1.json")));
            JsonNode theirs = graded.path("reports").get(i);
            assertThat(theirs.path("valid_submission").asBoolean()).isTrue();
            assertThat(Math.round(cell.path("score").asDouble() * 1e5) / 1e5)
                    .isEqualTo(theirs.path("score").asDouble());
            JsonNode asInstalled = graded.path("installed").get(i);
            assertThat(asInstalled.path("score").asDouble()).isEqualTo(theirs.path("score").asDouble());
            assertThat(asInstalled.path("medal").isTextual()).isEqualTo(theirs.path("any_medal").asBoolean());
            assertThat(asInstalled.path("valid")).as(ids[i]).isEqualTo(cell.path("valid"));
        }
        JsonNode share = graded.path("share");
        assertThat(graded.path("words").asText())
                .isEqualTo(String.format(Locale.ROOT, "%.2f ± %.2f", share.path("mean").asDouble(),
                        share.path("standard_error").asDouble()));
        JsonNode agents = ask(python, "agents",
                Json.object().put("folder", Path.of("src/mle-bench").toAbsolutePath().toString()));
        assertThat(agents.path("mlestar").path("kwargs_type").asText()).isEqualTo("argparse");
        assertThat(agents.path("mlestar/dev").path("env_vars").path("TIME_LIMIT_SECS").asInt()).isEqualTo(3_600);
    }
}
