package io.mlestar.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.app.cli.Program;
import io.mlestar.core.engine.DrivenRun;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Bodies that are too large, too slow or none, and what is no request: one server takes it all,
/// and answers after each.
class MalformedRequestsIT {
    private static final String SMALL = "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"ensemble_rounds\": 1}";
    private static final String SECRET_RUN = "kept";
    private static final String JSON = "Content-Type: application/json\n";
    private static final String TOKEN = "Authorization: Bearer " + Program.TOKEN + "\n";

    @TempDir
    private static Path folder;

    private static Served served;

    @BeforeAll
    static void start() throws Exception {
        served = Served.start(folder);
        DrivenRun.start(served.store(), SECRET_RUN, SMALL, 0).until("phase1");
    }

    @AfterAll
    static void stop() throws Exception {
        if (served != null) {
            served.close();
        }
    }

    private static String filled(String text) {
        return text.replace("HERE", served.uri("").getAuthority());
    }

    private static RawHttp send(String line, String headers) throws IOException {
        return RawHttp.send(served.uri(""), RawHttp.request(line, filled(headers), ""));
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
    void aBodyOrAHeadThatCannotBeIsRefusedBeforeItIsRead(String header, int status) throws IOException {
        String head = filled("POST /planner HTTP/1.1\nHost: HERE\n" + TOKEN + JSON
                + header.replace(";", "\n").replace("LARGE", "x".repeat(100_000)) + "\n\n");
        try (Socket socket = RawHttp.open(served.uri(""), head.replace("\n", "\r\n"))) {
            String line = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            assertThat(line).isIn("HTTP/1.1 " + status, "HTTP/1.1 400");
        }
        answers();
    }

    @Test
    void moreThanWasPromisedInPiecesIsRefused() throws IOException {
        String piece = Integer.toHexString(1 << 16) + "\r\n" + "x".repeat(1 << 16) + "\r\n";
        try (Socket socket = RawHttp.open(served.uri(""),
                filled("POST /planner HTTP/1.1\nHost: HERE\n" + TOKEN + JSON + "Transfer-Encoding: chunked\n\n")
                        .replace("\n", "\r\n"))) {
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
            List<Future<RawHttp>> answers = new ArrayList<>();
            for (String rest : List.of("Content-Length: 100\n\n{\"code", "Transfer-Encoding: chunked\n\n5\n{\"cod",
                    "Content-Length: 4000000\n\n")) {
                answers.add(side.submit(() -> RawHttp.send(served.uri(""),
                        filled("POST /planner HTTP/1.1\nHost: HERE\n" + TOKEN + JSON + rest)
                                .replace("\n", "\r\n"))));
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
    void whatIsNoRequestOfOursTellsNothing(String bytes) throws IOException {
        try (Socket socket = RawHttp.open(served.uri(""), bytes)) {
            socket.shutdownOutput();
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .doesNotContain(SECRET_RUN, "\tat ");
        }
        answers();
    }

    private static void answers() throws IOException {
        RawHttp answer = send("GET /runs/kept", "Host: HERE\n");
        assertThat(answer.status()).isEqualTo(200);
    }
}
