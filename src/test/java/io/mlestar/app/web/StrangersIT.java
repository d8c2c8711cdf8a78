package io.mlestar.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Waiting;
import io.mlestar.app.cli.Program;
import io.mlestar.core.engine.DrivenRun;
import module java.base;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The requests that strangers send to a server of one's own: by names that are not its, from pages
/// that are not its, and without its token. One server takes them all; after each row nothing has
/// begun, ended or been told.
class StrangersIT {
    private static final String SECRET_RUN = "kept";
    private static final String EVENT =
            "ce-specversion: 1.0\nce-type: io.mlestar.run.%s\nce-source: stranger\nce-id: 1\n";
    private static final String CANCELS = "{\"run_id\": \"kept\"}";
    private static final String ASKS = "{\"run_id\": \"begun\", \"task\": " + Program.TASK + "}";
    private static final String PLANS = """
            {"code_block":"a","plans":["p"],"scores":[0.5]}""";
    private static final String MCP = """
            {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}""";
    private static final String JSON = "Content-Type: application/json\n";
    private static final String TOKEN = "Authorization: Bearer " + Program.TOKEN + "\n";

    private static final List<String> LOOKS = List.of("GET /", "GET /runs", "GET /runs/kept", "GET /runs/kept/live",
            "GET /q/metrics", "GET /q/health", "GET /web/run.js", "HEAD /runs");

    @TempDir
    private static Path folder;

    @AutoClose
    private static Served served;
    private static DrivenRun kept;

    @BeforeAll
    static void start() throws Exception {
        served = Served.start(folder);
        kept = DrivenRun.start(served.store(), SECRET_RUN, Program.SHORT, 0).until("phase1");
    }

    /// A request that changes something, or costs something.
    private enum Deed {
        CANCEL("POST /runs/kept/cancel", "", ""),
        TELL("POST /runs/kept/notes", JSON, "{\"text\": \"do evil\"}"),
        CANCEL_BY_EVENT("POST /", JSON + EVENT.formatted("cancelled"), CANCELS),
        BEGIN("POST /", JSON + EVENT.formatted("requested"), ASKS),
        BEGIN_BY_NAME("POST /run-requested", JSON, ASKS),
        BEGIN_BY_FORM("POST /runs", JSON, "{\"task\": \"task.yaml\", \"preset\": \"quick\"}"),
        ASK("POST /planner", JSON, PLANS),
        LETTER("POST /dead-letter", JSON + EVENT.formatted("requested"), ASKS),
        SWEEP("POST /sweep", JSON, "{}"),
        TOOLS("POST /mcp", JSON + "Accept: application/json, text/event-stream\n", MCP);

        private final String line;
        private final String headers;
        private final String body;

        Deed(String line, String headers, String body) {
            this.line = line;
            this.headers = headers;
            this.body = body;
        }
    }

    private static String filled(String text) {
        URI here = served.uri("");
        return text.replace("HERE", here.getAuthority()).replace("PORT", Integer.toString(here.getPort()))
                .replace("TOKEN", Program.TOKEN);
    }

    private static RawHttp send(String line, String headers, String body) throws IOException {
        return RawHttp.send(served.uri(""), RawHttp.request(line, filled(headers), body));
    }

    /// @param query of the address; empty for none
    private static RawHttp send(Deed deed, String query, String headers) throws IOException {
        return send(deed.line + query, headers + deed.headers, deed.body);
    }

    private static void nothingHappened() {
        assertThat(kept.records().isCancelled(SECRET_RUN)).isFalse();
        assertThat(kept.records().runs()).containsExactly(SECRET_RUN);
    }

    private static void refused(Deed deed, RawHttp answer, int status) {
        assertThat(answer.status()).as(deed + ": " + answer.text()).isEqualTo(status);
        assertThat(answer.body()).doesNotContain(SECRET_RUN + "\"", "Exception").hasSizeLessThan(1_000);
        assertThat(answer.header("Set-Cookie")).isEmpty();
        assertThat(answer.header("Access-Control-Allow-Origin")).isEmpty();
        nothingHappened();
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.test", "evil.test:PORT", "localhost.evil.test:PORT", "127.0.0.1.evil.test",
        "0.0.0.0:PORT", "127.1:PORT", "2130706433:PORT", "[::ffff:127.0.0.1]:PORT", "192.168.1.1:PORT",
        "localhost.:PORT", "evil.test@localhost:PORT", "localhost:PORT, evil.test", "localhost%00.evil.test",
        "kubernetes.default.svc"})
    void aNameThatIsNotOursGetsNothingWithTheTokenEither(String name) throws IOException {
        // Vert.x refuses what is no name at all.
        int status = name.contains("@") || name.contains(",") ? 400 : 421;
        String host = "Host: " + name + "\nOrigin: http://" + name + "\nSec-Fetch-Site: same-origin\n" + TOKEN;
        for (String look : LOOKS) {
            RawHttp answer = send(look, host + "Accept: text/html\n", "");
            assertThat(answer.status()).as(look).isEqualTo(status);
            assertThat(answer.body()).as(look).doesNotContain(SECRET_RUN, "mlestar_", "import");
        }
        for (Deed deed : Deed.values()) {
            refused(deed, send(deed, "", host), status);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Host: \n", "Host: HERE\nHost: evil.test\n", "Host: HERE\nHost: HERE\n"})
    void aRequestWithoutOneNameGetsNothing(String hosts) throws IOException {
        RawHttp answer = send("GET /runs", hosts, "");
        assertThat(answer.status()).isIn(400, 421);
        assertThat(answer.body()).doesNotContain(SECRET_RUN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Origin: http://evil.test", "Origin: http://evil.test:PORT", "Origin: null",
        "Origin: http://localhost:1", "Origin: http://localhost", "Origin: https://localhost.evil.test:PORT",
        "Origin: file://", "Origin: http://HERE.evil.test", "Origin: http://HERE/\nSec-Fetch-Site: same-origin",
        "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Sec-Fetch-Site: none",
        "Origin: http://HERE\nSec-Fetch-Site: cross-site", "Origin: http://evil.test\nSec-Fetch-Site: same-origin"})
    void aPageThatIsNotOursDoesNothingWithTheCookieEither(String page) throws IOException {
        for (Deed deed : Deed.values()) {
            refused(deed, send(deed, "", "Host: HERE\nCookie: mlestar-token-PORT=TOKEN\n" + page + "\n"), 403);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Authorization: Bearer ", "Authorization: Bearer TOKENx", "Authorization: Bearer token",
        "Authorization: Basic TOKEN", "Authorization: TOKEN", "Cookie: mlestar-token-PORT=wrong",
        "Cookie: mlestar-token-1=TOKEN", "Cookie: TOKEN", "X-Token: TOKEN"})
    void whoDoesNotKnowTheTokenChangesNothing(String token) throws IOException {
        for (Deed deed : Deed.values()) {
            RawHttp answer = send(deed, "", "Host: HERE\n" + token + "\n");
            refused(deed, answer, 401);
            assertThat(answer.header("WWW-Authenticate")).as("%s", deed).contains("Bearer");
            assertThat(answer.body()).as("%s", deed).contains("token");
            refused(deed, send(deed, "?token=" + Program.TOKEN, "Host: HERE\n"), 401);
        }
    }

    /// The header does not count beside it (RFC 9112, 3.2.2).
    @ParameterizedTest
    @CsvSource({"http://evil.test/runs, 421", "HTTP://evil.test/runs, 421", "http://evil.test:PORT/runs, 421",
        "http://localhost@evil.test/runs, 421",
        "http://evil.test, 421", "http://evil.test?x, 421", "https://evil.test/runs, 421", "ftp://evil.test/runs, 421",
        "http:///runs, 421",
        "http://HERE/runs, 200", "http://localhost:PORT/runs, 200"})
    void aTargetThatNamesAHostIsForThatHost(String target, int status) throws IOException {
        assertThat(send("GET " + filled(target), "Host: HERE\n", "").status()).isEqualTo(status);
        assertThat(send("GET " + filled(target), "Host: evil.test\n", "").status()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"GET, /sweep", "GET, /planner", "GET, /planner?code_block=a", "GET, /run-requested",
        "GET, /dead-letter", "GET, /script", "HEAD, /sweep",
        "GET, /%73weep", "GET, //sweep", "GET, /x/../sweep", "PUT, /sweep", "DELETE, /sweep", "PATCH, /sweep",
        "OPTIONS, /sweep", "TRACE, /sweep",
        "OPTIONS, *", "PUT, /", "PUT, /runs/kept/cancel", "DELETE, /runs/kept", "GET, /runs/kept/cancel", "FOO, /"})
    void nothingIsDoneByLooking(String method, String path) throws IOException {
        RawHttp answer = send(method + " " + path, "Host: HERE\n" + TOKEN, "");
        assertThat(answer.status()).as(answer.text()).isIn(404, 405);
        nothingHappened();
    }

    @ParameterizedTest
    @CsvSource({"GET", "HEAD", "PUT", "DELETE", "OPTIONS"})
    void anEventIsTakenByPostOnly(String method) throws IOException {
        for (String path : List.of("/", "/runs", "/sweep", "/nothing")) {
            RawHttp answer = send(method + " " + path, "Host: HERE\n" + TOKEN + JSON + EVENT.formatted("cancelled"),
                    method.equals("PUT") ? CANCELS : "");
            assertThat(answer.status()).as(answer.text()).isEqualTo(405);
        }
        nothingHappened();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Sec-Fetch-Site: cross-site                           | 403
            Sec-Fetch-Site: same-site                            | 403
            Sec-Fetch-Site: cross-site;Sec-Fetch-Mode: no-cors   | 403
            Sec-Fetch-Site: cross-site;Sec-Fetch-Mode: navigate  | 200
            Sec-Fetch-Site: same-origin                          | 200
            Sec-Fetch-Site: none                                 | 200
            """)
    void aPageOfAnotherSiteMayLinkToOursAndMakeNoOtherUseOfThem(String sent, int status) throws IOException {
        for (String path : List.of("/", "/runs", "/runs/kept")) {
            RawHttp answer = send("GET " + path, "Host: HERE\n" + sent.replace(";", "\n") + "\n", "");
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.header("Cross-Origin-Resource-Policy")).contains("same-origin");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /?token=TOKEN                   | /
            /runs/kept?token=TOKEN          | /runs/kept
            /?from=0&token=TOKEN            | /?from=0
            //evil.test?token=TOKEN         | /evil.test
            /x/..//evil.test/?token=TOKEN   | /evil.test/
            /?%74oken=TOKEN                 | /
            /?%74%6F%6b%65%6e=TOKEN&a=%26b  | /?a=%26b
            /?a=1;token=TOKEN               | /?a=1
            /?token=TOKEN&tok%65n=TOKEN&b=2 | /?b=2
            """)
    void theTokenOfTheAddressBecomesACookieThatNoScriptSees(String path, String clean) throws IOException {
        RawHttp answer = send("GET " + filled(path), "Host: HERE\n", "");
        assertThat(answer.status()).isEqualTo(303);
        assertThat(answer.header("Location")).contains(clean);
        assertThat(answer.text().lines().filter(line -> !line.startsWith("set-cookie")))
                .noneMatch(line -> line.contains(Program.TOKEN));
        assertThat(answer.header("Set-Cookie"))
                .hasValueSatisfying(cookie -> assertThat(cookie).contains(Program.TOKEN, "HTTPOnly", "SameSite=Strict")
                        .doesNotContain("Domain"));
        assertThat(send("GET /?token=wrong", "Host: HERE\n", "").status()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Authorization: Bearer TOKEN", "Cookie: mlestar-token-PORT=TOKEN",
        "Cookie: a=b; mlestar-token-PORT=TOKEN\nOrigin: http://HERE",
        "Cookie: mlestar-token-PORT=TOKEN\nOrigin: http://HERE\nSec-Fetch-Site: same-origin",
        "Authorization: Bearer TOKEN\nHost: localhost:PORT",
        "Authorization: Bearer TOKEN\nHost: [::1]:PORT"})
    void whoKnowsTheTokenIsLetIn(String headers) throws IOException {
        String host = headers.contains("Host:") ? "" : "Host: HERE\n";
        RawHttp answer = send("POST /planner", host + headers + "\n" + JSON, PLANS);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    @Test
    void onAnotherAddressThanLoopbackLookingNeedsTheTokenTooWhichIsSaidAtTheStart() throws Exception {
        Path place = Files.createDirectories(folder.resolve("open"));
        try (Served open = Served.start(new Program(place).with("MLE_STAR_TOKEN", ""), "--host", "0.0.0.0",
                "--host-name", "ml.test")) {
            URI server = open.uri("");
            String greeting = "open http://ml.test:" + server.getPort() + "/?token=";
            Waiting.until("it says how to look", () -> Files.readString(place.resolve("err")).contains(greeting));
            String said = Files.readString(place.resolve("err"));
            String token = "Authorization: Bearer "
                    + said.lines().filter(line -> line.startsWith(greeting)).findFirst().orElseThrow()
                            .substring(greeting.length()).replaceFirst(" .*", "")
                    + "\n";
            for (String path : LOOKS) {
                boolean free = path.contains("/q/health") || path.contains("/web/");
                assertThat(RawHttp.send(server, RawHttp.request(path, "Host: ml.test", "")).status()).as(path)
                        .isEqualTo(free ? 200 : 401);
            }
            assertThat(looked(server, "ml.test", token)).isEqualTo(200);
            assertThat(looked(server, "10.0.0.1", token)).isEqualTo(200);
            assertThat(looked(server, "evil.test", token)).isEqualTo(421);
        }
    }

    private static int looked(URI server, String host, String token) throws IOException {
        return RawHttp.send(server, RawHttp.request("GET /runs", "Host: " + host + "\n" + token, "")).status();
    }

    @ParameterizedTest
    @CsvSource({"http://ml.test, a-token-of-the-tests, --host-name must be a name",
        "ml.test, short, MLE_STAR_TOKEN must be 16 to 200"})
    void aServerThatCannotBeGuardedDoesNotStart(String name, String token, String said) throws Exception {
        Program.Ended ended =
                new Program(Files.createDirectories(folder.resolve("wrong"))).with("MLE_STAR_TOKEN", token)
                        .run("serve", "--port", "0", "--host-name", name);
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err().lines()).singleElement().asString().contains(said);
    }
}
