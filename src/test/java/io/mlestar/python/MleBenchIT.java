package io.mlestar.python;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Waiting;
import io.mlestar.app.cli.Program;
import io.mlestar.core.agent.CardFolder;
import io.mlestar.core.base.Json;
import module java.base;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The built program as an agent of MLE-bench, in folders laid out as in the benchmark's
/// containers.
@Tag("long")
class MleBenchIT {
    private static final String DESCRIPTION =
            "# Flats\n\nPredict y from x.\n\n## Evaluation\n\nSubmissions are evaluated on the mean absolute error.\n";

    @TempDir
    private Path folder;

    private Path write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    /// The public data of a competition as `mlebench prepare` leaves them; the recorded answers
    /// submit 0 for its one row.
    private Path prepared() throws IOException {
        write("public/train.csv", "id,x,y\n" + CardFolder.rows(2, 60, i -> i + "," + i % 7 + "," + i * 0.37));
        write("public/test.csv", "id,x\n1,1\n");
        write("public/sample_submission.csv", "id,y\n1,0.5\n");
        return write("public/description.md", DESCRIPTION).getParent();
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
                        Program.ANSWERS).redirectErrorStream(true)
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
        Path prepared = prepared();
        Path home = folder.resolve("home");
        Path submission = home.resolve("submission/submission.csv");
        Process first = agent(prepared).start();
        Waiting.until("there is a submission, or it has ended", () -> Files.exists(submission) || !first.isAlive());
        assertThat(submission).content().isEqualTo("id,y\n1,0\n");
        first.destroy();
        first.waitFor();

        Process second = agent(prepared).start();
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
}
