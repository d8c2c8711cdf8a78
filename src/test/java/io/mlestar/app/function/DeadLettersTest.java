package io.mlestar.app.function;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.mlestar.adapter.broker.EmbeddedBroker;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.agent.Summarize;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.event.Publisher;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.TaskType;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import module java.base;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Dead letters as Knative's brokers send them: the event unchanged, with extensions that say why.
@QuarkusTest
@Tag("quarkus")
class DeadLettersTest {
    @Inject
    Records records;

    @Inject
    Prompts prompts;

    @Inject
    Publisher publisher;

    /// A step that was asked for and that nobody has done.
    private StepPath asked() {
        TaskDescription task = new TaskDescription("t", TaskType.TABULAR, DataModality.TABULAR, "AUC",
                MetricDirection.MAXIMIZE, "d", "./input", null);
        RunHeader run = new RunHeader("dead-" + UUID.randomUUID(), task,
                PipelineConfig.resolve(Json.object(), Map.of()), "none", "test",
                prompts.digest(), Instant.now(), Instant.now().plusSeconds(86_400), null, null);
        StepPath step = StepPath.root(run.runId()).child("phase1").child("summarize");
        records.create(run);
        records.store().create(Records.stepKey(step) + ".request.json",
                ChecksummedJson.bytes(new StepRequest("agent/summarize",
                        Json.tree(new Summarize("print(1)", "1")), "phase/initial-solution", Instant.now(),
                        run.deadline(), false)));
        return step;
    }

    /// An event of this type that was not delivered.
    private static RequestSpecification dead(String type) {
        return given().contentType(ContentType.JSON).header("ce-specversion", "1.0").header("ce-source", "mlestar")
                .header("ce-type", type).header("ce-id", "1").header("ce-knativeerrordest", "http://summarize.example");
    }

    private static RequestSpecification letter(String type) {
        return dead(type).header("ce-knativeerrorcode", "500").header("ce-knativeerrordata",
                "{\"error\":\"too%20busy\"}");
    }

    /// @param code empty if nothing answered
    private static RequestSpecification letter(String code, String data) {
        RequestSpecification letter = dead("io.mlestar.agent.summarize");
        if (!code.isEmpty()) {
            letter.header("ce-knativeerrorcode", code).header("ce-knativeerrordata", data);
        }
        return letter;
    }

    private static String work(StepPath step) {
        return "{\"run_id\": \"%s\", \"step\": \"%s\"}".formatted(step.run(), step);
    }

    private static void taken(RequestSpecification letter, String data) {
        letter.body(data).post("/dead-letter").then().statusCode(204);
    }

    @Test
    void theStepFailsWithWhatTheReceiverSaidAndOnlyOnce() {
        StepPath step = asked();
        taken(letter("io.mlestar.agent.summarize"), work(step));
        StepResult first = records.result(step).orElseThrow();
        assertThat(first.status()).isEqualTo(StepResult.Status.FAILED);
        assertThat(first.reason()).isEqualTo("it could not be done: answered 500 {\"error\":\"too busy\"}");

        taken(letter("io.mlestar.agent.summarize"), work(step));
        assertThat(records.result(step)).contains(first);
    }

    private static String base64(String words) {
        return Base64.getEncoder().encodeToString(words.getBytes(StandardCharsets.UTF_8));
    }

    private static String url(String words) {
        return URLEncoder.encode(words, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /// The words of brokers, some in Base64, and what people read.
    static Stream<Arguments> said() {
        String answer = "{\"error\": \"the bucket's key is wrong – café ≠ cafe\"}";
        String problem = """
                {"title": "Service Unavailable", "status": 503, "detail": "too busy"}""";
        byte[] cut = "one é".getBytes(StandardCharsets.UTF_8);
        String half = Base64.getEncoder().encodeToString(Arrays.copyOf(cut, cut.length - 1));
        return Stream.of(arguments("500", url("too busy"), "answered 500 too busy"),
                arguments("500", url("abcd"), "answered 500 abcd"),
                arguments("500", url("Wörter"), "answered 500 Wörter"),
                arguments("500", base64(answer), "answered 500 " + answer),
                arguments("500", base64(problem), "answered 500 too busy"), arguments("500", half, "answered 500 one"),
                arguments("", "", "no answer from http://summarize.example"), arguments("-1",
                        base64("connection refused"), "no answer from http://summarize.example: connection refused"));
    }

    @ParameterizedTest
    @MethodSource("said")
    void theStepFailsWithWhatTheBrokerSaysInWordsForPeople(String code, String data, String reason) {
        StepPath step = asked();
        taken(letter(code, data), work(step));
        assertThat(records.result(step).orElseThrow().reason()).isEqualTo("it could not be done: " + reason);
    }

    /// A bucket that refuses for ten minutes is out for longer than a broker tries; what only a
    /// newer program can do is left to the sweep.
    @ParameterizedTest
    @ValueSource(strings = {"503", "501"})
    void whatWasOutOfReachFailsNoStep(String code) {
        StepPath step = asked();
        taken(letter(code, base64("{\"detail\": \"not now\"}")), work(step));
        assertThat(records.result(step)).isEmpty();
    }

    @Test
    void whoAskedForARunThatNobodyCouldBeginIsTold() {
        List<Event> told = new CopyOnWriteArrayList<>();
        ((EmbeddedBroker) publisher).listen(told::add);
        String run = "never-" + UUID.randomUUID();
        taken(letter("io.mlestar.run.requested"), "{\"run_id\": \"" + run + "\"}");
        assertThat(told).filteredOn(event -> event.subject().equals(run)).singleElement().satisfies(event -> {
            assertThat(event.type()).isEqualTo(Event.RUN_FAILED);
            assertThat(event.data().path("run_id").asText()).isEqualTo(run);
            assertThat(event.data().path("error").asText()).contains("answered 500");
        });
    }

    @Test
    void aLetterForARunThatCannotBeReadIsTakenAndForgotten() {
        StepPath step = StepPath.parse("damaged-" + UUID.randomUUID() + "/phase1");
        records.store().create(Records.key(step.run(), "run.json"), "{".getBytes(StandardCharsets.UTF_8));
        taken(letter("io.mlestar.phase.initial-solution"), work(step));
        letter("io.mlestar.phase.initial-solution").body(work(step)).post("/").then().statusCode(422)
                .body("detail", containsString("runs/" + step.run() + "/run.json cannot be read"));
        given().get("/runs/" + step.run()).then().statusCode(500).body("detail",
                containsString("run.json cannot be read"));
        given().get("/runs").then().statusCode(200).body("find { it.run_id == '" + step.run() + "' }.status",
                equalTo("damaged"));
        given().accept("text/html").get("/runs").then().statusCode(200).body(containsString(step.run()),
                containsString("damaged"));
        given().get("/q/metrics").then().statusCode(200).body(containsString("mlestar_runs{state=\"damaged\"}"));
    }

    @Test
    void aStructuredLetterIsTakenToo() {
        StepPath step = asked();
        given().contentType("application/cloudevents+json")
                .body("""
                        {"specversion": "1.0", "id": "1", "source": "mlestar", "type": "io.mlestar.agent.summarize", "knativeerrorcode": "500", "data": %s}"""
                        .formatted(work(step)))
                .post("/dead-letter").then().statusCode(204);
        assertThat(records.result(step).orElseThrow().reason()).isEqualTo("it could not be done: answered 500");
    }

    @Test
    void ourOwnEventSaysItInItsData() {
        StepPath step = asked();
        given().contentType(ContentType.JSON).header("ce-specversion", "1.0").header("ce-source", "me")
                .header("ce-id", "1")
                .header("ce-type", "io.mlestar.dead-letter")
                .body("{\"step\": \"" + step + "\", \"error\": \"given up\"}")
                .post("/").then().statusCode(204);
        assertThat(records.result(step).orElseThrow().reason()).isEqualTo("it could not be done: given up");
    }

    @Test
    void aRunOfANewerProgramIsSaidToBeOne() {
        StepPath newer = StepPath.parse("newer-" + UUID.randomUUID() + "/phase1");
        records.store().create(Records.key(newer.run(), "run.json"),
                "{\"program\": \"9.0.0\", \"format\": 9}".getBytes(StandardCharsets.UTF_8));
        letter("io.mlestar.phase.initial-solution").body(work(newer)).post("/").then().statusCode(501)
                .body("detail", containsString("written by mlestar 9.0.0 in format 9"));
        given().get("/runs").then().statusCode(200).body("find { it.run_id == '" + newer.run() + "' }.error",
                containsString("newer program"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.mlestar.run.requested", "io.mlestar.run.completed", "io.mlestar.run.failed",
        "dev.knative.sources.ping"})
    void whatAsksForNoStepFailsNone(String type) {
        StepPath step = asked();
        taken(letter(type), work(step));
        assertThat(records.result(step)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"run_id\": \"none\", \"step\": \"none/x\"}", "{}", "not json", "[1]", ""})
    void aLetterThatNamesNothingIsTakenAndForgotten(String data) {
        taken(letter("io.mlestar.agent.summarize"), data);
    }

    @Test
    void withoutAnEventThePathIsTheFunction() {
        given().contentType(ContentType.JSON).body("{}").post("/dead-letter").then().statusCode(400).body("detail",
                containsString("step"));
    }
}
