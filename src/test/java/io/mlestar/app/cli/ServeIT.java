package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.FreePort;
import io.mlestar.Waiting;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.FolderStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program as a server: killed, started again, told to stop, and with a store that something
/// has damaged.
class ServeIT {
    private static final String DATA = """
            {"run_id": "%s", "task": {"competition_id": "mini", "task_type": "tabular", "data_modality": "tabular",
             "evaluation_metric": "AUC", "metric_direction": "maximize", "description": "Predict y.", "data_dir": "%s"},
             "config": {"outer_loop_steps": 1, "inner_loop_steps": 1, "ensemble_rounds": 1}}""";

    @TempDir
    private Path folder;

    private Process server;
    private String address;

    @AfterEach
    void kill() throws InterruptedException {
        if (server != null) {
            server.descendants().forEach(ProcessHandle::destroyForcibly);
            server.destroyForcibly().waitFor();
        }
    }

    private Program program() {
        return new Program(folder);
    }

    private Records records() {
        return new Records(new FolderStore(program().store()));
    }

    private void start() throws Exception {
        int port = FreePort.any();
        address = "http://127.0.0.1:" + port;
        server = program().start("serve", "--port", Integer.toString(port), "--model",
                "recorded:" + Program.MINI + "/answers");
        Waiting.until("the server answers", () -> {
            try {
                return get("/q/health").statusCode() == 200;
            } catch (IOException e) {
                return false;
            }
        });
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(address + path)));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private HttpResponse<String> request(String run) throws IOException, InterruptedException {
        return event("io.mlestar.run.requested", DATA.formatted(run, Program.MINI.resolve("input")));
    }

    private HttpResponse<String> event(String type, String data) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(address + "/")).header("Content-Type", "application/json")
                .header("ce-specversion", "1.0")
                .header("Authorization", "Bearer " + Program.TOKEN)
                .header("ce-type", type).header("ce-source", "test").header("ce-id", "1")
                .POST(HttpRequest.BodyPublishers.ofString(data)));
    }

    private boolean hasEnded(String run) {
        return records().result(StepPath.root(run)).isPresent();
    }

    @Test
    void aRunThatWasOpenWhenTheServerWasKilledIsTakenUpByTheNextOne() throws Exception {
        start();
        HttpResponse<String> answer = request("open");
        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.headers().firstValue("x-mlestar-run")).contains("open");
        Waiting.until("the run has begun", () -> records().result(StepPath.parse("open/phase1/retriever")).isPresent());
        kill();
        assertThat(hasEnded("open")).isFalse();

        start();
        Waiting.until("the run ends by itself", () -> hasEnded("open"));
        assertThat(Files.readString(folder.resolve("err"))).contains("run open is taken up where it stood")
                .doesNotContain("\tat ");
    }

    @Test
    void aServerStopsWithoutAComplaint() throws Exception {
        start();
        request("cut-off");
        Waiting.until("the run has begun",
                () -> records().request(StepPath.parse("cut-off/phase1/candidate0")).isPresent());
        server.destroy();
        assertThat(server.waitFor(Waiting.MOST)).isTrue();
        assertThat(Files.readString(folder.resolve("err"))).doesNotContain("\tat ", "After Shutdown", "Exception");
    }
}
