package io.mlestar.app.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.broker.EmbeddedBroker;
import io.mlestar.app.cli.Program;
import io.mlestar.app.web.RawHttp;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.event.Publisher;
import io.mlestar.core.records.Records;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import module java.base;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Events that are broken, too large or not meant: each is refused for good, in both modes of
/// CloudEvents, in one line, and no run has begun. What is unusual and right is taken.
@QuarkusTest
@Tag("quarkus")
class HostileEventsTest {
    private static final List<Integer> FOR_GOOD = List.of(400, 406, 413, 415, 422);
    private static final String LONG = "x".repeat(1_001);
    private static final String HUGE = "x".repeat(300_000);
    private static final String JSON = "Content-Type: application/json\n";
    private static final String STRUCTURED = "Content-Type: application/cloudevents+json\n";
    /// An event that asks for a run, in binary mode.
    private static final String BINARY =
            JSON + "ce-specversion: 1.0\nce-id: 1\nce-source: test\nce-type: " + Event.RUN_REQUESTED + "\n";

    @Inject
    Records records;

    @Inject
    Publisher publisher;

    /// @param named what the refusal says
    private record Hostile(String headers, String body, String named) {
        /// Another event than the one that asks for a run.
        static Hostile of(String type, String data, String named) {
            return new Hostile(with("type", type), data, named);
        }

        static Hostile of(ObjectNode structured, String named) {
            return new Hostile(STRUCTURED, Json.line(structured), named);
        }

        static Hostile asking(String field, JsonNode value, String named) {
            return new Hostile(BINARY, Json.line(HostileEventsTest.asking(field, value)), named);
        }

        @Override
        public String toString() {
            String all = named + "; " + headers.replace("\n", "; ") + body;
            return all.substring(0, Math.min(all.length(), 400));
        }
    }

    private static String without(String attribute) {
        return BINARY.replaceFirst("ce-" + attribute + ": .*\n", "");
    }

    private static String with(String attribute, String value) {
        return without(attribute) + "ce-" + attribute + ": " + value + "\n";
    }

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

    private static Hostile structured(String attribute, String json) {
        return Hostile.of(structured().set(attribute, Json.parse(json)), attribute);
    }

    static List<Hostile> attributes() {
        String asks = Json.line(asking("run_id", Json.tree("hostile")));
        List<Hostile> all = new ArrayList<>();
        for (String name : List.of("id", "source", "type", "specversion")) {
            String said = "the event has no " + name;
            all.add(new Hostile(without(name), "{}", said));
            all.add(Hostile.of(structured().without(name), said));
            all.add(Hostile.of(structured().put(name, 7), said));
            Stream.of("null", "true", "{}", "[]", "\"\"", "\" \"", "[\"1.0\"]")
                    .forEach(value -> all.add(structured(name, value)));
        }
        for (String name : List.of("id", "source", "subject")) {
            Stream.of(Json.line(LONG), "\"a\\nb\"", "\"\\u001b]0;owned\\u0007\"", "\"\\u009b31m\"", "\"a\\u0000\"")
                    .forEach(value -> all.add(structured(name, value)));
            Stream.of(LONG, "a%0Ab", "%1B]0;owned%07", "a%00")
                    .forEach(value -> all.add(new Hostile(with(name, value), asks, "")));
        }
        for (String version : List.of("0.1", "0.3", "1", "1.0.2", "1.1", "2.0", " 1.0", "1.0 ", "v1.0", "one")) {
            all.add(structured("specversion", Json.line(version)));
            if (version.equals(version.strip())) {
                all.add(new Hostile(with("specversion", version), asks, ""));
            }
        }
        Stream.of("text/plain", "application/xml", "application/octet-stream", "application/jsonx", "image/png", "x",
                "json").forEach(type -> all.add(structured("datacontenttype", Json.line(type))));
        Stream.of("io.mlestar.app.start.REQUESTED", "io.mlestar.run.requested ", "io.mlestar.agent.planner/../../x",
                LONG).forEach(type -> all.add(structured("type", Json.line(type))));
        all.add(structured("data_base64", "\"e30=\""));
        return all;
    }

    /// Data of an event that asks for a run.
    static List<Hostile> requests() {
        List<Hostile> all = new ArrayList<>();
        for (String id : List.of("7", "1e3", "true", "{}", "[\"a\"]", "\"\"", "\"a/b\"", "\"..\"", "\"../x\"",
                "\"a b\"",
                "\"a\\u0000\"", "\"ä\"", "\"" + LONG + "\"", "\"-\\u202e\"")) {
            all.add(Hostile.asking("run_id", Json.parse(id), "run_id"));
        }
        Map<String, String> settings = new TreeMap<>(Map.of("model", Json.line(HUGE), "reference_discussions",
                "[" + "\"x\",".repeat(100_000) + "\"x\"]", "agents", "{\"nobody\": {}}", "blocked_commands",
                "[" + "\"x\",".repeat(100_000) + "\"x\"]", "log_level", "\"LOUD\"", "phase_time_budget",
                "{\"phase1\": 1e300, \"phase2\": 1, \"phase3\": 1, \"finalization\": 1}"));
        settings.forEach((name, value) -> all.add(setting(name, value)));
        for (String name : List.of("num_retrieved_models", "outer_loop_steps", "inner_loop_steps",
                "num_parallel_solutions", "ensemble_rounds", "time_limit_seconds", "subsample_limit",
                "max_debug_attempts", "script_timeout_seconds")) {
            Stream.of("2147483648", "-1", "\"many\"").forEach(value -> all.add(setting(name, value)));
        }
        Stream.of("1e308", "-0.0").forEach(value -> all.add(setting("max_budget_usd", value)));
        all.add(setting("outer_loop_steps", "1" + "0".repeat(500)));
        for (String field : List.of("competition_id", "evaluation_metric", "description", "data_dir")) {
            Stream.of(Json.line(HUGE), "null", "\"\"", "{}", "[]")
                    .filter(value -> !(field + value).equals("data_dirnull"))
                    .forEach(value -> all.add(Hostile.asking("task", task().set(field, Json.parse(value)), field)));
        }
        return all;
    }

    private static Hostile setting(String name, String value) {
        return Hostile.asking("config", Json.object().set(name, Json.parse(value)), name);
    }

    static List<Hostile> bodies() {
        List<Hostile> all = new ArrayList<>();
        for (String type : List.of(Event.RUN_REQUESTED, Event.RUN_CANCELLED, Event.SCRIPT, "io.mlestar.agent.init",
                "io.mlestar.phase.pipeline")) {
            all.add(Hostile.of(type, "", "no data"));
            all.add(Hostile.of(structured().put("type", type).without("data"), "no data"));
            Stream.of("{", "null", "[]", "7", "\"text\"", "true", "NaN", "{} {}", "[".repeat(100_000),
                    "{\"a\":".repeat(50_000), "\u0000", "{\"run_id\": 7}", "{\"run_id\": {}, \"step\": \"a/b\"}",
                    "{\"run_id\": \"a\", \"step\": 7}", "{\"step\": \"../../etc\"}",
                    "{\"run_id\": 1" + "0".repeat(2_000) + "}", "{\"run_id\": \"" + HUGE + "\"}")
                    .forEach(body -> all.add(Hostile.of(type, body, "")));
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource({"attributes", "requests", "bodies"})
    void whatNobodyCouldMeanIsRefused(Hostile event) {
        refused(send("/", event.headers(), event.body()), event.named());
    }

    @ParameterizedTest
    @ValueSource(strings = {STRUCTURED, BINARY})
    void whatIsNoUtf8IsNoEvent(String headers) throws IOException {
        byte[] body = Json.line(structured().put("id", "\u009b")).getBytes(StandardCharsets.ISO_8859_1);
        refused(RawHttp.send(server(),
                ("POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: " + body.length + "\r\n"
                        + headers.replace("\n", "\r\n") + "\r\n").getBytes(StandardCharsets.US_ASCII),
                body), "not UTF-8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "text/plain", "text/html", "application/x-www-form-urlencoded", "application/xml",
        "application/cloudevents-batch+json", "application/avro", "application/octet-stream", "json", " "})
    void anotherTypeThanJsonOrNoneIs415(String type) {
        String header = type.isEmpty() ? "" : "Content-Type: " + type.strip() + "\n";
        for (String path : List.of("/planner", "/run-requested", "/")) {
            RawHttp answer = send(path, header, "{}");
            assertThat(answer.status()).as(path + answer.text()).isEqualTo(415);
            assertThat(Json.parse(answer.body()).path("detail").asText())
                    .matches("send .*(application/json|one event at a time).*");
        }
        RawHttp event = send("/", header + BINARY.replace(JSON, ""), "{}");
        assertThat(event.status()).isEqualTo(415);
        refused(event, "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Application/JSON", "text/json", "application/vnd.acme.v1+json",
        "APPLICATION/JSON; charset=utf-8"})
    void mediaTypesHaveNoCaseAndEachOfJsonIsTaken(String type) {
        String header = "Content-Type: " + type + "\n";
        String plans = """
                {"code_block": "a", "plans": ["p"], "scores": [0.5]}""";
        assertThat(send("/planner", header, plans).status()).isEqualTo(200);
        String agent = with("type", "io.mlestar.agent.planner").replace(JSON, header);
        ObjectNode step = Json.object().put("run_id", "none").put("step", "none/x");
        assertThat(send("/", agent, Json.line(step)).status()).isEqualTo(422);
        ObjectNode structured = structured().put("type", "io.mlestar.agent.init").put("datacontenttype", type);
        structured.set("data", step);
        for (String written : List.of("application/cloudevents+json", "Application/CloudEvents+JSON; charset=UTF-8")) {
            refused(send("/", "Content-Type: " + written + "\n", Json.line(structured)), "none");
        }
    }

    /// CloudEvents, HTTP Protocol Binding 1.0.2, 3.2.3: such headers may be there.
    @Test
    void headersBesideAStructuredEventDoNotCount() {
        String both = with("type", "io.mlestar.phase.ensemble").replace(JSON, STRUCTURED);
        assertThat(send("/", both, Json.line(structured().put("type", Event.SWEEP))).status()).isEqualTo(204);
        refused(send("/", both, Json.line(structured().put("type", "io.mlestar.nobody"))), "io.mlestar.nobody");
        assertThat(send("/", with("type", Event.SWEEP), "").status()).as("it needs no data").isEqualTo(204);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "run_id": "../x",       | run_id must be
            "config": {"x": 1},     | unknown field x
            "fork": {"run": 5},     | fork.run must be
            """)
    void aRequestForARunIsRefusedAndItsSenderIsToldByAnEventToo(String fields, String said) {
        List<Event> told = new CopyOnWriteArrayList<>();
        ((EmbeddedBroker) publisher).listen(told::add);
        String id = UUID.randomUUID().toString();
        for (int time = 0; time < 2; time++) {
            refused(send("/", with("id", id), "{" + fields + " \"task\": " + Program.TASK + "}"), said);
        }
        List<Event> ends = told.stream().filter(event -> event.data().at("/request/id").asText().equals(id)).toList();
        assertThat(ends).hasSize(2).allSatisfy(end -> {
            assertThat(end.type()).isEqualTo(Event.RUN_FAILED);
            assertThat(end.data().path("error").asText()).contains(said);
            assertThat(end.data().has("run_id")).isFalse();
        });
        assertThat(ends.getFirst()).isEqualTo(ends.getLast());
    }

    private static URI server() {
        return URI.create("http://127.0.0.1:" + RestAssured.port);
    }

    private static RawHttp send(String path, String headers, String body) {
        try {
            return RawHttp.send(server(), RawHttp.request("POST " + path, "Host: localhost\n" + headers, body));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void refused(RawHttp answer, String named) {
        String body = answer.body();
        assertThat(answer.status()).as(body.substring(0, Math.min(body.length(), 500))).isIn(FOR_GOOD);
        assertThat(Json.parse(body).path("detail").asText()).contains(named).isNotBlank().hasLineCount(1)
                .hasSizeLessThan(1_100).doesNotContain("Exception", "com.fasterxml", "\u001b");
        assertThat(records.runs()).doesNotContain("hostile").noneMatch(run -> run.startsWith("hostile-"));
    }
}
