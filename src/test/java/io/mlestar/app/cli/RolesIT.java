package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.FreePort;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The program as the cluster starts it: each process has one role and hides the rest.
@Tag("deployed")
class RolesIT {
    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private Process process;
    private URI server;

    private void serve(List<String> program, String variable, String value) throws Exception {
        start(program, Map.of(variable, value, "K_SINK", "http://127.0.0.1:9/"));
        Waiting.until("it is ready", () -> readiness() == 200);
    }

    /// The programs that can be the one function of a pod.
    static Stream<List<String>> programs() throws IOException {
        return Stream.of(Program.COMMAND, FunctionsProgram.command());
    }

    private void start(List<String> program, Map<String, String> environment, String... arguments) throws IOException {
        int port = FreePort.any();
        server = URI.create("http://127.0.0.1:" + port + "/");
        ProcessBuilder builder = new ProcessBuilder(Stream.concat(program.stream(), Stream.of(arguments)).toList())
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out").toFile()).redirectError(folder.resolve("err").toFile());
        builder.environment()
                .putAll(Map.of("K_SERVICE", "a-role", "QUARKUS_HTTP_HOST", "127.0.0.1", "QUARKUS_HTTP_PORT",
                        String.valueOf(port),
                        "MLE_STAR_STORE", "memory:", "MLE_STAR_MODEL", "recorded:" + Program.MINI + "/answers"));
        builder.environment().putAll(environment);
        process = builder.start();
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
        return client.send(HttpRequest.newBuilder(server.resolve(path)).build(), BodyHandlers.discarding())
                .statusCode();
    }

    private int post(String path, String body, Map<String, String> headers) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.resolve(path)).header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::setHeader);
        return client.send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    private static Map<String, String> event(String type) {
        return Map.of("ce-specversion", "1.0", "ce-id", "1", "ce-source", "test", "ce-type", type);
    }

    private static String structured(String type) {
        return "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"test\",\"type\":\"" + type
                + "\",\"data\":{\"run_id\":\"a\",\"step\":\"a/b\"}}";
    }

    @ParameterizedTest
    @MethodSource("programs")
    @Requirement("REQ-OR-010")
    void aFunctionThatKnowsNoBrokerIsNotReadyAndOffersNoTools(List<String> program) throws Exception {
        start(program, Map.of("QUARKUS_FUNQY_EXPORT", "planner"));
        Waiting.until("it listens", () -> readiness() != 0);
        assertThat(readiness()).isEqualTo(503);
        assertThat(client
                .send(HttpRequest.newBuilder(server.resolve("q/health/ready")).build(), BodyHandlers.ofString()).body())
                .contains("K_SINK is not set", "planner");
        assertThat(get("q/health/live")).as("it lives, and waits for the SinkBinding").isEqualTo(200);
        for (String path : List.of("mcp", "mcp/", "mcp/sse", "mcp/messages/1")) {
            assertThat(get(path)).as(path).isEqualTo(404);
            assertThat(post(path, "{}", Map.of())).as(path).isEqualTo(403);
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void aFunctionsProcessServesThatFunctionOnly(List<String> program) throws Exception {
        serve(program, "QUARKUS_FUNQY_EXPORT", "planner");
        String input = "{\"code_block\":\"a\",\"plans\":[\"p\"],\"scores\":[0.5]}";
        assertThat(post("planner", input, Map.of())).as("it has no token").isEqualTo(403);
        assertThat(post("", "{\"run_id\":\"a\",\"step\":\"a/b\"}", event("io.mlestar.agent.planner"))).isEqualTo(422);
        assertThat(post("", structured("io.mlestar.agent.planner"),
                Map.of("Content-Type", "application/cloudevents+json"))).isEqualTo(422);

        assertThat(post("", "{\"run_id\":\"a\",\"step\":\"a/b\"}", event("io.mlestar.agent.coder"))).isEqualTo(404);
        assertThat(
                post("", structured("io.mlestar.agent.coder"), Map.of("Content-Type", "application/cloudevents+json")))
                .isEqualTo(404);
        assertThat(post("dead-letter", "{}", event("io.mlestar.agent.coder"))).isEqualTo(404);
        assertThat(get("runs")).isEqualTo(404);
        assertThat(get("q/metrics")).isEqualTo(200);
        stop();

        start(program, Map.of("QUARKUS_FUNQY_EXPORT", "planner", "K_SINK", "http://127.0.0.1:9/", "MLE_STAR_TOKEN",
                Program.TOKEN));
        Waiting.until("it is ready", () -> readiness() == 200);
        Map<String, String> shown = Map.of("Authorization", "Bearer " + Program.TOKEN);
        assertThat(post("planner", input, Map.of())).isEqualTo(401);
        assertThat(post("", input, shown)).isEqualTo(200);
        assertThat(post("planner", input, shown)).isEqualTo(200);
        assertThat(post("coder", "{\"code_block\":\"a\",\"plan\":\"b\"}", shown)).isEqualTo(404);
    }

    /// One that is asked by a browser too: it has no page to answer with.
    @Test
    void theFunctionsProgramHasNeitherPagesNorCommands() throws Exception {
        serve(FunctionsProgram.command(), "MLE_STAR_STORE", "memory:");
        HttpResponse<String> page =
                client.send(HttpRequest.newBuilder(server.resolve("runs")).header("Accept", "text/html").build(),
                        BodyHandlers.ofString());
        assertThat(page.statusCode()).isEqualTo(404);
        assertThat(page.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        stop();

        start(FunctionsProgram.command(), Map.of(), "run");
        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(Files.readString(folder.resolve("err"))).isEqualTo(
                "mlestar: this program serves functions, and takes no arguments; commands are those of the whole program\n");
    }
}
