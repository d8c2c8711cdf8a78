package io.mlestar.app.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.app.cli.Program;
import io.mlestar.app.web.RawHttp;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.show.log.Ear;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import module java.base;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Each route that takes a body, with bodies and types of content that none of them takes.
@QuarkusTest
@Tag("quarkus")
class HostileBodiesTest {
    private static final String MESSAGES =
            """
                    {"id": 1}
                    {"jsonrpc": "1.0", "id": 1, "method": "ping"}
                    {"jsonrpc": 2, "id": 1, "method": "ping"}
                    {"jsonrpc": "2.0", "id": {}, "method": "ping"}
                    {"jsonrpc": "2.0", "id": [1], "method": "ping"}
                    {"jsonrpc": "2.0", "id": 1, "method": 7}
                    {"jsonrpc": "2.0", "id": 1, "method": {}}
                    {"jsonrpc": "2.0", "id": 1, "result": 7}
                    {"jsonrpc": "2.0", "id": 1, "error": 7}
                    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": 7}
                    {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
                    {"jsonrpc": "2.0", "method": "ping", "params": [1]}
                    {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {}}
                    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"clientInfo": 7, "protocolVersion": 7, "capabilities": 7}}
                    """;
    private static final String PARAMETERS = """
            7
            null
            []
            "x"
            {}
            {"name": 7}
            {"name": "ParseScore", "_meta": 7}
            """;
    private static final String CALLS = """
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": %1$s}
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ParseScore", "arguments": %1$s}}
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": %1$s}
            {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"cursor": %1$s, "_meta": %1$s}}
            """;
    private static final List<String> BODIES = Stream.of(
            Stream.of("", " ", "{", "]", "null", "7", "1e999", "true", "\"x\"", "\u0000", "\ufeff{}", "{} {}", "[]",
                    "[1]", "[null]", "[[]]", "[{}]", "[{}, 1]",
                    "{}",
                    "[".repeat(100_000), "[".repeat(900) + "]".repeat(900), "{\"a\":".repeat(50_000),
                    "\"" + "x".repeat(1_000_000) + "\""),
            MESSAGES.lines(), PARAMETERS.lines().flatMap(value -> CALLS.formatted(value).lines()))
            .flatMap(Function.identity()).toList();
    private static final String EVENT =
            "ce-specversion: 1.0\nce-source: t\nce-id: 1\nce-type: " + Event.RUN_REQUESTED + "\n";
    private static final List<String> HEADS = List.of("", "Content-Type: application/json\n",
            "Content-Type: text/plain\n",
            "Content-Type: application/x-www-form-urlencoded\n", "Content-Type: multipart/form-data\n",
            "Content-Type: application/cloudevents+json\n",
            EVENT, EVENT + "Content-Type: application/json\n", EVENT + "Content-Type: x\n", EVENT + "Content-Type:\n");
    /// Bodies of another type than JSON are refused before they are read.
    private static final List<String> NOT_READ = List.of("", "{", "{}", "[".repeat(100_000));
    /// A broker sends again what is answered so.
    private static final List<Integer> SENT_AGAIN = List.of(404, 408, 409, 429);

    @Inject
    Records records;

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/mcp", "/planner", "/retriever", "/pipeline", "/script", "/sweep", "/run-requested",
                "/run-cancelled", "/dead-letter",
                "/runs/bodies/cancel", "/runs/bodies/notes", "/runs/bodies/extend"})
    void aBodyThatARouteCannotTakeIsNoFailureOfTheServer(String route) throws IOException {
        DrivenRun.start(records.store(), "bodies", Program.SHORT, 0);
        List<LogRecord> logged = Collections.synchronizedList(new ArrayList<>());
        try (Ear _ = new Ear("", logged::add)) {
            for (String head : HEADS) {
                boolean isRead = head.contains("json");
                for (String body : isRead ? BODIES : NOT_READ) {
                    RawHttp answer = RawHttp.send(URI.create("http://127.0.0.1:" + RestAssured.port),
                            RawHttp.request("POST " + route,
                                    "Host: localhost\nAccept: application/json, text/event-stream\n" + head, body));
                    String sent = head + body.substring(0, Math.min(body.length(), 200));
                    assertThat(answer.status()).as("%s%n%s", sent, answer.text()).isBetween(200, 499);
                    if (head.contains("ce-")) {
                        assertThat(answer.status()).as(sent).isNotIn(SENT_AGAIN);
                    }
                    assertThat(logged).as(sent).noneMatch(
                            line -> line.getThrown() != null || line.getLevel().intValue() >= Level.SEVERE.intValue());
                }
            }
        }
    }
}
