package io.mlestar.app.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.cli.Program;
import io.mlestar.app.web.RawHttp;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Events that are broken, too large or not meant: each is refused for good, in one line, and no
/// run has begun.
@QuarkusTest
@Tag("quarkus")
class HostileEventsTest {
    private static final List<Integer> FOR_GOOD = List.of(400, 406, 413, 415, 422);
    private static final String LONG = "x".repeat(1_001);
    private static final String HUGE = "x".repeat(300_000);

    @Inject
    Records records;

    private static ObjectNode task() {
        return ((ObjectNode) Json.parse(Program.TASK)).put("competition_id", "hostile");
    }

    private static ObjectNode asking(String field, JsonNode value) {
        ObjectNode data = Json.object();
        data.set("task", task());
        data.set(field, value);
        return data;
    }

    private static ObjectNode structured() {
        ObjectNode event = Json.object().put("specversion", "1.0").put("id", "1").put("source", "test").put("type",
                Event.RUN_REQUESTED);
        event.set("data", asking("run_id", Json.tree("hostile")));
        return event;
    }

    /// Attributes of an event in structured mode.
    static Stream<List<String>> attributes() {
        Stream<List<String>> wrong = Stream.of("id", "source", "type", "specversion")
                .flatMap(name -> Stream.of("null", "7", "true", "{}", "[]", "\"\"", "\" \"", "[\"1.0\"]")
                        .map(value -> List.of(name, value)));
        Stream<List<String>> unfit = Stream.of("id", "source", "subject").flatMap(name -> Stream
                .of(Json.line(LONG), "\"a\\nb\"", "\"\\u001b]0;owned\\u0007\"", "\"\\u009b31m\"", "\"a\\u0000\"")
                .map(value -> List.of(name, value)));
        Stream<List<String>> versions =
                Stream.of("0.1", "0.3", "1", "1.0.2", "1.1", "2.0", " 1.0", "1.0 ", "v1.0", "one")
                        .map(version -> List.of("specversion", Json.line(version)));
        Stream<List<String>> kinds = Stream
                .of("text/plain", "application/xml", "application/octet-stream", "application/jsonx", "image/png", "x",
                        "json")
                .map(kind -> List.of("datacontenttype", Json.line(kind)));
        Stream<List<String>> others = Stream.of(List.of("type", "\"io.mlestar.app.start.REQUESTED\""),
                List.of("type", "\"io.mlestar.run.requested \""),
                List.of("type", "\"io.mlestar.agent.planner/../../x\""), List.of("type", "\"" + LONG + "\""),
                List.of("data_base64", "\"e30=\""));
        return Stream.of(wrong, unfit, versions, kinds, others).flatMap(rows -> rows);
    }

    @ParameterizedTest
    @MethodSource("attributes")
    void anAttributeThatIsWrongIsRefused(List<String> row) {
        ObjectNode event = structured();
        event.set(row.getFirst(), Json.parse(row.getLast()));
        refused(send("Content-Type: application/cloudevents+json", Json.line(event)), row.getFirst());
    }

    static Stream<List<String>> headers() {
        Stream<List<String>> versions = Stream.of("0.1", "0.3", "1", "1.1", "2.0", "v1.0", "one")
                .map(version -> List.of("ce-specversion", version));
        Stream<List<String>> unfit = Stream.of("ce-id", "ce-source", "ce-subject")
                .flatMap(name -> Stream.of(LONG, "a%0Ab", "%1B]0;owned%07", "a%00").map(value -> List.of(name, value)));
        Stream<List<String>> kinds = Stream.of("text/plain", "application/xml", "application/x-www-form-urlencoded",
                "application/cloudevents-batch+json", "application/avro", "application/protobuf", "text/html",
                "application/octet-stream")
                .map(kind -> List.of("Content-Type", kind));
        return Stream.of(versions, unfit, kinds).flatMap(rows -> rows);
    }

    @ParameterizedTest
    @MethodSource("headers")
    void aHeaderThatIsWrongIsRefused(List<String> row) {
        String others = Stream
                .of("ce-specversion: 1.0", "ce-id: 1", "ce-source: test", "ce-type: " + Event.RUN_REQUESTED,
                        "Content-Type: application/json")
                .filter(other -> !other.startsWith(row.getFirst() + ":")).collect(Collectors.joining("\n"));
        refused(send(others + "\n" + row.getFirst() + ": " + row.getLast(),
                Json.line(asking("run_id", Json.tree("hostile")))), "");
    }

    /// Data of an event that asks for a run.
    static Stream<List<String>> requests() {
        Stream<List<String>> ids = Stream.of("7", "1e3", "true", "{}", "[\"a\"]", "\"\"", "\"a/b\"", "\"..\"",
                "\"../x\"", "\"a b\"", "\"a\\u0000\"", "\"ä\"",
                "\"" + LONG + "\"", "\"-\\u202e\"").map(id -> List.of("run_id", id));
        Stream<List<String>> counts = Stream
                .of("num_retrieved_models", "outer_loop_steps", "inner_loop_steps", "num_parallel_solutions",
                        "ensemble_rounds", "time_limit_seconds", "subsample_limit", "max_debug_attempts",
                        "script_timeout_seconds")
                .flatMap(setting -> Stream.of("2147483648", "-1", "\"many\"").map(value -> List.of(setting, value)));
        Stream<List<String>> others = Stream.of(List.of("max_budget_usd", "1e308"), List.of("max_budget_usd", "-0.0"),
                List.of("model", Json.line(HUGE)),
                List.of("reference_discussions", "[" + "\"x\",".repeat(100_000) + "\"x\"]"),
                List.of("agents", "{\"nobody\": {}}"),
                List.of("blocked_commands", "[" + "\"x\",".repeat(100_000) + "\"x\"]"),
                List.of("outer_loop_steps", "1" + "0".repeat(500)),
                List.of("log_level", "\"LOUD\""),
                List.of("phase_time_budget", "{\"phase1\": 1e300, \"phase2\": 1, \"phase3\": 1, \"finalization\": 1}"));
        return Stream.of(ids, counts, others).flatMap(rows -> rows);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void aRunThatNobodyCouldMeanIsNotBegun(List<String> row) {
        String field = row.getFirst();
        ObjectNode data = field.equals("run_id") ? asking(field, Json.parse(row.getLast()))
                : asking("config", Json.object().set(field, Json.parse(row.getLast())));
        refused(event(Event.RUN_REQUESTED, Json.line(data)), field);
    }

    static Stream<List<String>> tasks() {
        return Stream.of("competition_id", "evaluation_metric", "description", "data_dir")
                .flatMap(field -> Stream.of(Json.line(HUGE), "null", "\"\"", "{}", "[]")
                        .map(value -> List.of(field, value)))
                .filter(row -> !row.equals(List.of("data_dir", "null")));
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void aTaskThatNobodyCouldMeanIsNotBegun(List<String> row) {
        refused(event(Event.RUN_REQUESTED,
                Json.line(asking("task", task().set(row.getFirst(), Json.parse(row.getLast()))))), row.getFirst());
    }

    static Stream<List<String>> bodies() {
        List<String> types = List.of(Event.RUN_REQUESTED, Event.RUN_CANCELLED, Event.SCRIPT, "io.mlestar.agent.init",
                "io.mlestar.phase.pipeline");
        return Stream
                .of("", "{", "null", "[]", "7", "\"text\"", "true", "NaN", "{} {}", "[".repeat(100_000),
                        "{\"a\":".repeat(50_000), "\u0000",
                        "{\"run_id\": 7}", "{\"run_id\": {}, \"step\": \"a/b\"}", "{\"run_id\": \"a\", \"step\": 7}",
                        "{\"step\": \"../../etc\"}",
                        "{\"run_id\": 1" + "0".repeat(2_000) + "}", "{\"run_id\": \"" + HUGE + "\"}")
                .flatMap(body -> types.stream().map(type -> List.of(type, body)));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void dataThatIsNoneIsRefused(List<String> row) {
        refused(event(row.getFirst(), row.getLast()), "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Content-Type: application/cloudevents+json",
                "Content-Type: application/json\nce-specversion: 1.0\nce-id: 1\nce-source: t\nce-type: "
                        + Event.RUN_REQUESTED})
    void whatIsNoUtf8IsNoEvent(String headers) throws IOException {
        byte[] body = Json.line(structured().put("id", "\u009b")).getBytes(StandardCharsets.ISO_8859_1);
        refused(RawHttp.send(server(),
                ("POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: " + body.length + "\r\n"
                        + headers.replace("\n", "\r\n") + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII),
                body), "not UTF-8");
    }

    private static URI server() {
        return URI.create("http://127.0.0.1:" + RestAssured.port);
    }

    private static RawHttp send(String headers, String body) {
        try {
            return RawHttp.send(server(), RawHttp.request("POST /", "Host: localhost\n" + headers, body));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RawHttp event(String type, String body) {
        return send("Content-Type: application/json\nce-specversion: 1.0\nce-source: test\nce-id: 1\nce-type: " + type,
                body);
    }

    private void refused(RawHttp answer, String named) {
        String body = answer.body();
        assertThat(answer.status()).as(body.substring(0, Math.min(body.length(), 500))).isIn(FOR_GOOD);
        assertThat(Json.parse(body).path("detail").asText()).contains(named).isNotBlank().hasLineCount(1)
                .hasSizeLessThan(1_100).doesNotContain("Exception", "com.fasterxml", "\u001b");
        assertThat(records.runs()).doesNotContain("hostile").noneMatch(run -> run.startsWith("hostile-"));
    }
}
