package io.mlestar.mlflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Waiting;
import io.mlestar.cli.Program;
import io.mlestar.records.Records;
import io.mlestar.step.StepPath;
import io.mlestar.store.FolderStore;
import io.mlestar.task.Json;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A run of the built program, killed in the middle and resumed, as MLflow sees it.
class MlflowIT {
    @TempDir
    private Path folder;

    /// Kills a run once MLflow knows of it, and lets another process end it.
    private void killAndResume(String mlflow) throws Exception {
        Program program = new Program(folder).with("MLFLOW_TRACKING_URI", mlflow);
        Process process = program.start(Program.mini("one", "--set", "outer_loop_steps=1"));
        Records records = new Records(new FolderStore(program.store()));
        Waiting.until("MLflow knows the run", () -> records.store().list("runs/one").stream().anyMatch(name -> name.startsWith("mlflow-"))
                || records.hasEnded("one"));
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        // A fast machine may have ended it.
        if (records.result(StepPath.root("one")).isEmpty()) {
            Program.Ended ended = program.run("resume", "one");
            assertThat(ended.exitCode()).as(ended.err()).isZero();
            assertThat(ended.err()).doesNotContain("MLflow");
        }
    }

    @Test
    void aKilledAndResumedRunIsOneRunThereWithEachPointOnce() throws Exception {
        try (StandIn mlflow = new StandIn()) {
            killAndResume(mlflow.address());
            assertThat(mlflow.runs()).hasSize(1);
            ObjectNode run = mlflow.runs().getFirst();
            assertThat(run.path("info").path("status").asText()).isEqualTo("FINISHED");
            List<Integer> steps = mlflow.steps("made1", "cost_usd");
            assertThat(steps).isNotEmpty().isEqualTo(IntStream.range(0, steps.size()).boxed().toList());
            assertThat(mlflow.artefacts().keySet()).anyMatch(path -> path.endsWith("/submission.csv")).anyMatch(path -> path.endsWith("/report.html"));
        }
    }

    @Test
    @Tag("long")
    void aServerThatIsNotThereIsOneWarningAndNoFailure() throws Exception {
        Program.Ended ended = new Program(folder).with("MLFLOW_TRACKING_URI", "http://127.0.0.1:1")
                .run(Program.mini("one", "--set", "outer_loop_steps=1", "--set", "inner_loop_steps=1", "--set", "ensemble_rounds=1"));
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.err().lines().filter(line -> line.contains("MLflow"))).singleElement().asString().contains("is not told of run one");
    }

    @Test
    @Tag("long")
    void theSameAtARealServer() throws Exception {
        String python = installed();
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        String address = "http://127.0.0.1:" + port;
        ProcessBuilder builder = new ProcessBuilder(python, "-m", "mlflow", "server", "--host", "127.0.0.1", "--port", Integer.toString(port), "--workers", "1",
                "--backend-store-uri", "sqlite:///" + folder.resolve("mlflow.db"), "--artifacts-destination", folder.resolve("artefacts").toString())
                .redirectErrorStream(true).redirectOutput(folder.resolve("mlflow.log").toFile()).directory(folder.toFile());
        builder.environment().putAll(Map.of("MLFLOW_DISABLE_TELEMETRY", "true", "DO_NOT_TRACK", "true"));
        Process server = builder.start();
        try (HttpClient client = HttpClient.newHttpClient()) {
            Waiting.until("MLflow answers", () -> answers(client, address));
            killAndResume(address);
            JsonNode experiment = ask(client, address, "experiments/get-by-name?experiment_name=mlestar", null).path("experiment");
            JsonNode runs = ask(client, address, "runs/search", "{\"experiment_ids\": [\"" + experiment.path("experiment_id").asText() + "\"]}").path("runs");
            assertThat(runs).hasSize(1);
            JsonNode run = runs.get(0);
            assertThat(run.path("info").path("status").asText()).isEqualTo("FINISHED");
            assertThat(run.path("data").path("params")).hasSizeGreaterThan(20);
            String id = run.path("info").path("run_id").asText();
            JsonNode points = ask(client, address, "metrics/get-history?metric_key=cost_usd&run_id=" + id, null).path("metrics");
            assertThat(StreamSupport.stream(points.spliterator(), false).map(point -> point.path("step").asInt())).isNotEmpty().doesNotHaveDuplicates();
            assertThat(StreamSupport.stream(ask(client, address, "artifacts/list?run_id=" + id, null).path("files").spliterator(), false)
                    .map(file -> file.path("path").asText())).contains("final_solution.py", "report.html", "result.json", "submission.csv");
        } finally {
            server.descendants().forEach(ProcessHandle::destroyForcibly);
            server.destroyForcibly().waitFor();
        }
    }

    /// A Python with MLflow's server.
    private String installed() throws Exception {
        Path environment = folder.resolve("python");
        assertThat(new ProcessBuilder("python3", "-m", "venv", environment.toString()).inheritIO().start().waitFor()).isZero();
        String python = environment.resolve("bin/python").toString();
        boolean there = new ProcessBuilder(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", "mlflow")
                .redirectErrorStream(true).redirectOutput(folder.resolve("pip.log").toFile()).start().waitFor() == 0;
        assumeTrue(there, "no real MLflow server is tried: the package index cannot be reached for mlflow");
        return python;
    }

    private static boolean answers(HttpClient client, String address) {
        try {
            return client.send(HttpRequest.newBuilder(URI.create(address + "/health")).build(), HttpResponse.BodyHandlers.ofString()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// @param body null for a question without one
    private static JsonNode ask(HttpClient client, String address, String what, String body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + "/api/2.0/mlflow/" + what));
        HttpResponse<String> answer = client.send((body == null ? request : request.header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.parse(answer.body());
    }
}
