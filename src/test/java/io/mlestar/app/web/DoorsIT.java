package io.mlestar.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.app.cli.Program;
import io.mlestar.core.engine.DrivenRun;
import module java.base;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The table of doors in docs/security.md, each row played against the built program in each
/// setting, without a token and with one; and what is no request, or has a body that is too large,
/// too slow or none: the server answers after each.
class DoorsIT {
    private static final Pattern PATH = Pattern.compile("`(?:(GET|POST) )?(/[^`]*)`");
    private static final String EVENT =
            "ce-specversion: 1.0\nce-type: io.mlestar.agent.planner\nce-source: stranger\nce-id: 1\n";
    private static final String STEP = "{\"run_id\": \"none\", \"step\": \"none/planner\"}";
    private static final String PLANS = """
            {"code_block": "a", "plans": ["p"], "scores": [0.5]}""";
    private static final String JSON = "Content-Type: application/json\n";
    private static final String TOKEN = "Authorization: Bearer " + Program.TOKEN + "\n";
    private static final String SECRET_RUN = "kept";
    private static final Map<String, Served> SERVED = new HashMap<>();

    @TempDir
    private static Path folder;

    /// The ways in which the program is started; in the order of the table's columns.
    private enum Setting {
        SERVE, SERVE_HOST, PODS, PODS_TOKEN;

        boolean isKnative() {
            return this == PODS || this == PODS_TOKEN;
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
                    .map((MatchResult path) -> new Door(method, path.group(2).replace("{id}", SECRET_RUN),
                            cells.getFirst(),
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
        String name = setting.isKnative() ? setting + "-" + role : setting.name();
        if (!SERVED.containsKey(name)) {
            Program program = new Program(Files.createDirectories(folder.resolve(name)));
            if (setting.isKnative()) {
                program.with("K_SERVICE", role).with("K_SINK", "http://127.0.0.1:9/")
                        .with(role.equals("status") ? "MLE_STAR_ROLE" : "QUARKUS_FUNQY_EXPORT", role);
            }
            if (setting == Setting.PODS) {
                program.with("MLE_STAR_TOKEN", "");
            }
            SERVED.put(name,
                    setting == Setting.SERVE ? Served.start(program) : Served.start(program, "--host", "0.0.0.0"));
            DrivenRun.start(SERVED.get(name).store(), SECRET_RUN, Program.SHORT, 0).until("phase1");
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
            int with = status(server, door, TOKEN);
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

    private static URI here() throws Exception {
        return served(Setting.SERVE, "").uri("");
    }

    /// A request that may be broken, as it stands on the wire.
    private static String posted(String rest) throws Exception {
        return ("POST /planner HTTP/1.1\nHost: " + here().getAuthority() + "\n" + TOKEN + JSON + rest).replace("\n",
                "\r\n");
    }

    private static void answers() throws Exception {
        assertThat(
                RawHttp.send(here(), RawHttp.request("GET /runs/kept", "Host: " + here().getAuthority(), "")).status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Content-Length: 5000000                                | 413
            Content-Length: 999999999999                           | 413
            Content-Length: -1                                     | 400
            Content-Length: 1x                                     | 400
            Content-Length: 5;Content-Length: 6                    | 400
            Content-Length: 5;Transfer-Encoding: chunked           | 400
            Transfer-Encoding: gzip;Content-Length: 5              | 400
            X-Large: LARGE                                         | 431
            """)
    void aBodyOrAHeadThatCannotBeIsRefusedBeforeItIsRead(String header, int status) throws Exception {
        String headers = header.replace(";", "\n").replace("LARGE", "x".repeat(100_000));
        try (Socket socket = RawHttp.open(here(), posted(headers + "\n\n"))) {
            String line = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            assertThat(line).isIn("HTTP/1.1 " + status, "HTTP/1.1 400");
        }
        answers();
    }

    @Test
    void moreThanWasPromisedInPiecesIsRefused() throws Exception {
        String piece = Integer.toHexString(1 << 16) + "\r\n" + "x".repeat(1 << 16) + "\r\n";
        try (Socket socket = RawHttp.open(here(), posted("Transfer-Encoding: chunked\n\n"))) {
            for (int sent = 0; sent < 80 && socket.getInputStream().available() == 0; sent++) {
                socket.getOutputStream().write(piece.getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 413");
        }
        answers();
    }

    /// Side by side: each is waited for as long as the server waits.
    @Test
    void aBodyThatDoesNotComeIsNotWaitedForForEver() throws Exception {
        try (ExecutorService side = Executors.newVirtualThreadPerTaskExecutor()) {
            URI server = here();
            List<Future<RawHttp>> answers = new ArrayList<>();
            for (String rest : List.of("Content-Length: 100\n\n{\"code", "Transfer-Encoding: chunked\n\n5\n{\"cod",
                    "Content-Length: 4000000\n\n")) {
                String request = posted(rest);
                answers.add(side.submit(() -> RawHttp.send(server, request)));
            }
            for (Future<RawHttp> answer : answers) {
                assertThat(answer.get().status()).isEqualTo(408);
            }
        }
        answers();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\r\n\r\n", "GET", "GET / HTTP/9.9\r\n\r\n", "\u0000\u0001\u0002", "GET /\r\nHost: x\r\n\r\n",
                "GET / HTTP/1.1\r\nHost HERE\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET http://evil.test/runs HTTP/1.1\r\nHost: evil.test\r\n\r\n",
                "CONNECT evil.test:80 HTTP/1.1\r\nHost: evil.test:80\r\n\r\n"})
    void whatIsNoRequestOfOursTellsNothing(String bytes) throws Exception {
        try (Socket socket = RawHttp.open(here(), bytes)) {
            socket.shutdownOutput();
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .doesNotContain(SECRET_RUN, "\tat ");
        }
        answers();
    }
}
