package io.mlestar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Waiting;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program as the cluster starts it: each process has one role and hides the rest.
class RolesIT {
    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private Process process;
    private URI server;

    private void serve(String variable, String value) throws Exception {
        start(new Program(folder).with(variable, value).with("K_SINK", "http://127.0.0.1:9/"));
        Waiting.until("it is ready", () -> readiness() == 200);
    }

    private void start(Program program) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        server = URI.create("http://127.0.0.1:" + port + "/");
        process = program.with("K_SERVICE", "a-role").with("MLE_STAR_MODEL", "recorded:" + Program.MINI + "/answers")
                .start("serve", "--port", String.valueOf(port));
    }

    /// What the kubelet's probe is answered; 0 before it listens.
    private int readiness() throws IOException, InterruptedException {
        try {
            return get("q/health/ready");
        } catch (ConnectException e) {
            assertThat(process.isAlive()).as(Files.readString(folder.resolve("err"))).isTrue();
            return 0;
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        process.destroy();
        process.waitFor();
    }

    private int get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(server.resolve(path)).build(), BodyHandlers.discarding()).statusCode();
    }

    private int post(String path, String body, Map<String, String> headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path)).header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::setHeader);
        return client.send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    private static Map<String, String> event(String type) {
        return Map.of("ce-specversion", "1.0", "ce-id", "1", "ce-source", "test", "ce-type", type);
    }

    private static String structured(String type) {
        return "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"test\",\"type\":\"" + type + "\",\"data\":{\"run_id\":\"a\",\"step\":\"a/b\"}}";
    }

    @Test
    void aFunctionThatKnowsNoBrokerIsNotReady() throws Exception {
        start(new Program(folder).with("QUARKUS_FUNQY_EXPORT", "planner"));
        Waiting.until("it listens", () -> readiness() != 0);
        assertThat(readiness()).isEqualTo(503);
        assertThat(client.send(HttpRequest.newBuilder(server.resolve("q/health/ready")).build(), BodyHandlers.ofString()).body())
                .contains("K_SINK is not set", "planner");
        assertThat(get("q/health/live")).as("it lives, and waits for the SinkBinding").isEqualTo(200);
    }

    @Test
    void aFunctionsProcessServesThatFunctionOnly() throws Exception {
        serve("QUARKUS_FUNQY_EXPORT", "planner");
        String input = "{\"code_block\":\"a\",\"plans\":[\"p\"],\"scores\":[0.5]}";
        assertThat(post("", input, Map.of())).isEqualTo(200);
        assertThat(post("planner", input, Map.of())).isEqualTo(200);
        assertThat(post("", "{\"run_id\":\"a\",\"step\":\"a/b\"}", event("io.mlestar.agent.planner"))).isEqualTo(422);
        assertThat(post("", structured("io.mlestar.agent.planner"), Map.of("Content-Type", "application/cloudevents+json"))).isEqualTo(422);

        assertThat(post("coder", "{\"code_block\":\"a\",\"plan\":\"b\"}", Map.of())).isEqualTo(404);
        assertThat(post("", "{\"run_id\":\"a\",\"step\":\"a/b\"}", event("io.mlestar.agent.coder"))).isEqualTo(404);
        assertThat(post("", structured("io.mlestar.agent.coder"), Map.of("Content-Type", "application/cloudevents+json"))).isEqualTo(404);
        assertThat(post("dead-letter", "{}", event("io.mlestar.agent.coder"))).isEqualTo(404);
        assertThat(get("runs")).isEqualTo(404);
        assertThat(get("q/metrics")).isEqualTo(200);
    }

    @Test
    void theStatusProcessRunsNothing() throws Exception {
        serve("MLE_STAR_ROLE", "status");
        assertThat(get("runs")).isEqualTo(200);
        assertThat(post("planner", "{\"code_block\":\"a\",\"plans\":[\"p\"],\"scores\":[0.5]}", Map.of())).isEqualTo(404);
        assertThat(post("", "{}", event("io.mlestar.run.cancelled"))).isEqualTo(404);
        assertThat(get("planner")).isEqualTo(404);
    }
}
