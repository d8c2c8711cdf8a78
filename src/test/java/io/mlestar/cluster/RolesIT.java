package io.mlestar.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.mlestar.Requirement;
import io.mlestar.Subprocess;
import io.mlestar.Waiting;
import io.mlestar.app.cli.FunctionsProgram;
import io.mlestar.app.cli.Program;
import module java.base;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The program as the cluster starts it: each process has one role and hides the rest.
@Tag("deployed")
class RolesIT {
    private static final Map<String, String> TOKEN = Map.of("Authorization", "Bearer " + Program.TOKEN);
    private static final String PLANS = """
            {"code_block":"a","plans":["p"],"scores":[0.5]}""";

    @TempDir
    private Path folder;

    private Pod pod;

    /// The programs that can be the one function of a pod, and how each says to a browser that
    /// there is no such page.
    static Stream<Arguments> programs() throws IOException {
        return Stream.of(arguments(Program.COMMAND, "text/html"),
                arguments(FunctionsProgram.command(), "application/problem+json"));
    }

    private void start(List<String> program, Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(Map.of("K_SERVICE", "a-role", "QUARKUS_FUNQY_EXPORT", "planner", "MLE_STAR_STORE", "memory:",
                "MLE_STAR_MODEL", Program.ANSWERS));
        pod = new Pod(folder, program, () -> all, Pod.USUAL_RESPONSE_START);
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (pod != null) {
            pod.kill();
        }
    }

    private int status(String path) throws IOException, InterruptedException {
        return pod.get(path).status();
    }

    private int post(String path, String body, Map<String, String> headers) throws IOException, InterruptedException {
        Map<String, String> all = new HashMap<>(Map.of("Content-Type", "application/json"));
        all.putAll(headers);
        return pod.post(path, all, body.getBytes(StandardCharsets.UTF_8)).status();
    }

    /// An event in both modes.
    private List<Integer> sent(String path, String type) throws IOException, InterruptedException {
        String data = "{\"run_id\":\"a\",\"step\":\"a/b\"}";
        String structured =
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"test\",\"type\":\"" + type + "\",\"data\":"
                        + data + "}";
        return List.of(
                post(path, data,
                        Map.of("ce-specversion", "1.0", "ce-id", "1", "ce-source", "test", "ce-type", type)),
                post(path, structured, Map.of("Content-Type", "application/cloudevents+json")));
    }

    @ParameterizedTest
    @MethodSource("programs")
    @Requirement("REQ-OR-010")
    void aFunctionThatKnowsNoBrokerIsNotReadyAndAnyOneHidesTheRest(List<String> program, String noPage)
            throws Exception {
        start(program, Map.of());
        Pod.Answer ready = pod.get("/q/health/ready");
        assertThat(ready.status()).isEqualTo(503);
        assertThat(ready.body()).contains("K_SINK is not set", "planner");
        assertThat(status("/q/health/live")).as("it lives, and waits for the SinkBinding").isEqualTo(200);
        assertThat(status("/q/metrics")).isEqualTo(200);
        for (String path : List.of("/mcp", "/mcp/", "/mcp/sse", "/mcp/messages/1")) {
            assertThat(status(path)).as(path).isEqualTo(404);
            assertThat(post(path, "{}", Map.of())).as(path).isEqualTo(403);
        }
        Pod.Answer page = pod.get("/runs", "Accept", "text/html");
        assertThat(page.status()).isEqualTo(404);
        assertThat(page.type()).startsWith(noPage);
        assertThat(post("/planner", PLANS, Map.of())).as("it has no token").isEqualTo(403);
        assertThat(sent("/", "io.mlestar.agent.planner")).containsOnly(422);
        assertThat(sent("/", "io.mlestar.agent.coder")).containsOnly(404);
        assertThat(sent("/dead-letter", "io.mlestar.agent.coder")).containsOnly(404);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void aFunctionAnswersThoseWhoKnowTheToken(List<String> program) throws Exception {
        start(program, Map.of("K_SINK", "http://127.0.0.1:9/", "MLE_STAR_TOKEN", Program.TOKEN));
        Waiting.until("it is ready", () -> status("/q/health/ready") == 200);
        assertThat(post("/planner", PLANS, Map.of())).isEqualTo(401);
        assertThat(post("/", PLANS, TOKEN)).isEqualTo(200);
        assertThat(post("/planner", PLANS, TOKEN)).isEqualTo(200);
        assertThat(post("/coder", "{\"code_block\":\"a\",\"plan\":\"b\"}", TOKEN)).isEqualTo(404);
    }

    @Test
    void theFunctionsProgramHasNoCommands() throws Exception {
        List<String> command = new ArrayList<>(FunctionsProgram.command());
        command.add("run");
        assertThat(Subprocess.run(folder, Map.of(), command.toArray(String[]::new))).isEqualTo(new Subprocess(2,
                "mlestar: this program serves functions, and takes no arguments; commands are those of the whole program\n"));
    }
}
