package io.mlestar.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.app.cli.Program;
import io.mlestar.core.engine.DrivenRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The table of doors in docs/security.md, each row played against the built program in each
/// setting, without a token and with one.
class DoorsIT {
    private static final String SMALL = "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"ensemble_rounds\": 1}";
    private static final Pattern PATH = Pattern.compile("`(?:(GET|POST) )?(/[^`]*)`");
    private static final String EVENT =
            "ce-specversion: 1.0\nce-type: io.mlestar.agent.planner\nce-source: stranger\nce-id: 1\n";
    private static final String STEP = "{\"run_id\": \"none\", \"step\": \"none/planner\"}";
    private static final String PLANS = "{\"code_block\": \"a\", \"plans\": [\"p\"], \"scores\": [0.5]}";
    private static final Map<String, Served> SERVED = new HashMap<>();

    @TempDir
    private static Path folder;

    /// How the program is started; in the order of the table's columns.
    private enum Setting {
        SERVE(true, false), SERVE_HOST(true, false), PODS(false, true), PODS_TOKEN(true, true);

        private final boolean hasToken;
        private final boolean knative;

        Setting(boolean hasToken, boolean knative) {
            this.hasToken = hasToken;
            this.knative = knative;
        }
    }

    private record Door(String method, String path, String row, List<String> cells) {
        /// The pod that serves it.
        String role() {
            return path.equals("/dead-letter") ? "dead-letter"
                    : path.startsWith("/runs") || method.equals("GET") ? "status" : "planner";
        }

        @Override
        public String toString() {
            return method + " " + path + (row.contains("an event") ? ", an event" : "");
        }
    }

    static Stream<Door> doors() throws IOException {
        List<Door> doors = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("docs/security.md")).stream()
                .filter(line -> line.startsWith("| `GET ") || line.startsWith("| `POST "))
                .toList()) {
            List<String> cells = Stream.of(line.split("\\|")).map(String::strip).skip(1).toList();
            String method = cells.getFirst().substring(1, cells.getFirst().indexOf(' '));
            PATH.matcher(cells.getFirst()).results()
                    .map((MatchResult path) -> new Door(method, path.group(2).replace("{id}", "kept"), cells.getFirst(),
                            cells.subList(1, cells.size())))
                    .forEach(doors::add);
        }
        return doors.stream();
    }

    @AfterAll
    static void stop() throws InterruptedException {
        for (Served served : SERVED.values()) {
            served.close();
        }
    }

    private static Served served(Setting setting, String role) throws Exception {
        boolean pod = setting.name().startsWith("PODS");
        String name = setting + (pod ? "-" + role : "");
        if (!SERVED.containsKey(name)) {
            Program program = new Program(Files.createDirectories(folder.resolve(name)));
            if (setting.knative) {
                program.with("K_SERVICE", role);
            }
            if (!setting.hasToken) {
                program.with("MLE_STAR_TOKEN", "");
            }
            if (pod) {
                program.with(role.equals("status") ? "MLE_STAR_ROLE" : "QUARKUS_FUNQY_EXPORT", role).with("K_SINK",
                        "http://127.0.0.1:9/");
            }
            SERVED.put(name,
                    setting == Setting.SERVE ? Served.start(program) : Served.start(program, "--host", "0.0.0.0"));
            DrivenRun.start(SERVED.get(name).store(), "kept", SMALL, 0).until("phase1");
        }
        return SERVED.get(name);
    }

    /// The first line alone: a stream of events does not end.
    private static int status(Served server, Door door, String headers) throws IOException {
        boolean event = door.row.contains("an event");
        String body = event ? STEP : door.path.equals("/planner") ? PLANS : "{\"text\": \"x\", \"add_minutes\": 1}";
        String request = RawHttp.request(door.method + " " + door.path,
                "Host: localhost:" + server.uri("").getPort() + "\n" + headers
                        + (door.method.equals("POST") ? "Content-Type: application/json\n" + (event ? EVENT : "") : ""),
                body);
        try (Socket socket = RawHttp.open(server.uri(""), request);
                BufferedReader answer =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            return Integer.parseInt(answer.readLine().split(" ")[1]);
        }
    }

    @ParameterizedTest
    @MethodSource("doors")
    void aDoorIsAsTheTableSays(Door door) throws Exception {
        assertThat(door.cells).hasSameSizeAs(Setting.values());
        for (Setting setting : Setting.values()) {
            Served server = served(setting, door.role());
            String cell = door.cells.get(setting.ordinal());
            int without = status(server, door, "");
            int with = status(server, door, "Authorization: Bearer " + Program.TOKEN + "\n");
            switch (cell) {
                case "open" ->
                    assertThat(List.of(without, with)).as("%s: %s", setting, cell).allSatisfy(DoorsIT::isLetIn);
                case "token" -> {
                    assertThat(without).as("%s: %s", setting, cell).isEqualTo(401);
                    assertThat(with).as("%s: %s", setting, cell).satisfies(DoorsIT::isLetIn);
                }
                case "shut" -> assertThat(List.of(without, with)).as("%s: %s", setting, cell).containsOnly(403);
                case "none" -> assertThat(with).as("%s: %s", setting, cell).isEqualTo(404);
                default -> throw new AssertionError("the table has \"" + cell + "\"");
            }
        }
    }

    /// Whatever comes of it then: there may be no such step.
    private static void isLetIn(int status) {
        assertThat(status).isIn(200, 202, 204, 400, 409, 422);
    }

    @Test
    void aShutDoorSaysInOneLineWhatOpensIt() throws Exception {
        RawHttp answer = RawHttp.send(served(Setting.PODS, "planner").uri(""),
                RawHttp.request("POST /planner", "Host: localhost\nContent-Type: application/json\n", PLANS));
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains("MLE_STAR_TOKEN").hasSizeLessThan(400);
    }

    @Test
    void theTokenOfTheAddressOpensThePagesOfAClusterToo() throws Exception {
        Served pages = served(Setting.PODS_TOKEN, "status");
        RawHttp answer = RawHttp.send(pages.uri(""),
                RawHttp.request("GET /?token=" + Program.TOKEN, "Host: status.mlestar.svc.cluster.local\n", ""));
        assertThat(answer.status()).isEqualTo(303);
        assertThat(answer.header("Set-Cookie").orElseThrow()).contains(Program.TOKEN);
    }
}
