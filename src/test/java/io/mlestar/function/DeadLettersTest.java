package io.mlestar.function;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;

import io.mlestar.agent.Prompts;
import io.mlestar.agent.Summarize;
import io.mlestar.run.Records;
import io.mlestar.run.RunHeader;
import io.mlestar.run.StepRequest;
import io.mlestar.run.StepResult;
import io.mlestar.step.StepPath;
import io.mlestar.task.DataModality;
import io.mlestar.task.Json;
import io.mlestar.task.MetricDirection;
import io.mlestar.task.PipelineConfig;
import io.mlestar.task.TaskDescription;
import io.mlestar.task.TaskType;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Dead letters as Knative's brokers send them: the event unchanged, with extensions that say why.
@QuarkusTest
class DeadLettersTest {
    @Inject
    Records records;

    @Inject
    Prompts prompts;

    /// A step that was asked for and that nobody has done.
    private StepPath asked() {
        TaskDescription task = new TaskDescription("t", TaskType.TABULAR, DataModality.TABULAR, "AUC", MetricDirection.MAXIMIZE, "d", "/data", null);
        RunHeader run = new RunHeader("dead-" + UUID.randomUUID(), task, PipelineConfig.resolve(Json.object(), Map.of()), "none", "test",
                prompts.digest(), Instant.now(), Instant.now().plusSeconds(3600), null);
        StepPath step = StepPath.root(run.runId()).child("phase1").child("summarize");
        records.create(run);
        records.store().create(Records.stepKey(step) + ".request.json", Json.bytes(new StepRequest("io.mlestar.agent.summarize",
                Json.tree(new Summarize("print(1)", "1")), "io.mlestar.phase.initial-solution", Instant.now(), run.deadline())));
        return step;
    }

    private static RequestSpecification letter(String type) {
        return given().contentType(ContentType.JSON).header("ce-specversion", "1.0").header("ce-source", "mlestar").header("ce-type", type)
                .header("ce-id", "1").header("ce-knativeerrordest", "http://summarize.mlestar.svc.cluster.local")
                .header("ce-knativeerrorcode", "503").header("ce-knativeerrordata", "{\"error\":\"too%20busy\"}");
    }

    private static String work(StepPath step) {
        return "{\"run_id\": \"%s\", \"step\": \"%s\"}".formatted(step.run(), step);
    }

    @Test
    void theStepFailsWithWhatTheReceiverSaidAndOnlyOnce() {
        StepPath step = asked();
        letter("io.mlestar.agent.summarize").body(work(step)).post("/dead-letter").then().statusCode(204);
        StepResult first = records.result(step).orElseThrow();
        assertThat(first.status()).isEqualTo(StepResult.Status.FAILED);
        assertThat(first.reason()).isEqualTo("it could not be done: answered 503 {\"error\":\"too busy\"}");

        letter("io.mlestar.agent.summarize").header("ce-knativeerrorcode", "500").body(work(step)).post("/dead-letter").then().statusCode(204);
        assertThat(records.result(step)).contains(first);
    }

    @Test
    void aStructuredLetterIsTakenToo() {
        StepPath step = asked();
        given().contentType("application/cloudevents+json").body("""
                {"specversion": "1.0", "id": "1", "source": "mlestar", "type": "io.mlestar.agent.summarize", "knativeerrorcode": "500", "data": %s}"""
                .formatted(work(step))).post("/dead-letter").then().statusCode(204);
        assertThat(records.result(step).orElseThrow().reason()).isEqualTo("it could not be done: answered 500");
    }

    @Test
    void whoGaveNoAnswerHasNoCode() {
        StepPath step = asked();
        given().contentType(ContentType.JSON).header("ce-specversion", "1.0").header("ce-source", "mlestar").header("ce-id", "1")
                .header("ce-type", "io.mlestar.agent.summarize").header("ce-knativeerrorcode", "-1")
                .header("ce-knativeerrordata", "connection refused").body(work(step)).post("/dead-letter").then().statusCode(204);
        assertThat(records.result(step).orElseThrow().reason()).isEqualTo("it could not be done: no answer: connection refused");
    }

    @Test
    void ourOwnEventSaysItInItsData() {
        StepPath step = asked();
        given().contentType(ContentType.JSON).header("ce-specversion", "1.0").header("ce-source", "me").header("ce-id", "1")
                .header("ce-type", "io.mlestar.dead-letter").body("{\"step\": \"" + step + "\", \"error\": \"given up\"}")
                .post("/").then().statusCode(204);
        assertThat(records.result(step).orElseThrow().reason()).isEqualTo("it could not be done: given up");
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.mlestar.run.requested", "io.mlestar.run.completed", "io.mlestar.run.failed", "dev.knative.sources.ping"})
    void whatAsksForNoStepFailsNone(String type) {
        StepPath step = asked();
        letter(type).body(work(step)).post("/dead-letter").then().statusCode(204);
        assertThat(records.result(step)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"run_id\": \"none\", \"step\": \"none/x\"}", "{}", "not json", "[1]", ""})
    void aLetterThatNamesNothingIsTakenAndForgotten(String data) {
        letter("io.mlestar.agent.summarize").body(data).post("/dead-letter").then().statusCode(204);
    }

    @Test
    void withoutAnEventThePathIsTheFunction() {
        given().contentType(ContentType.JSON).body("{}").post("/dead-letter").then().statusCode(400).body("error", containsString("step"));
    }
}
