package io.mlestar.app.function;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.app.cli.Program;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/// The doors as others see them: plain JSON and CloudEvents over HTTP, against the running program.
@QuarkusTest
@Tag("quarkus")
class EndpointsTest {
    private static RequestSpecification event(String type, String id) {
        return given().contentType(ContentType.JSON).header("ce-specversion", "1.0").header("ce-source", "test")
                .header("ce-type", type).header("ce-id", id);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/agent-requests.csv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '`')
    void everyAgentAnswersPlainJsonWithItsUsage(String agent, String input, String field) {
        given().contentType(ContentType.JSON).body(input).post("/" + agent).then().statusCode(200)
                .body(field, notNullValue()).body("usage.model", equalTo("recorded:answers"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            planner   | {"plans":["p"],"scores":[0.5]}                  | code_block
            planner   | {"code_block":"a","plans":[],"scores":[]}       | At least one previous plan is required
            planner   | {"code_block":"a","plans":["p"],"scores":[1],"x":1} | unknown field x
            coder     | {"code_block":"a"}                              | plan is required
            retriever | {"task_description":"t","M":0}                  | M must be at least 1
            leakage   | {"code":"a","variant":"nonsense"}               | variant must be one of
            coder     | {broken                                         | not valid JSON
            coder     | ``                                              | must be a JSON object
            """)
    void badInputIs400AndNamesTheField(String agent, String input, String said) {
        given().contentType(ContentType.JSON).body(input).post("/" + agent).then().statusCode(400).body("detail",
                containsString(said));
    }

    @Test
    @Requirement("REQ-OR-050")
    void oneEventStartsOneRunThatGoesToItsEndAndAnEventOfItsAgentIsAcknowledgedWithoutAReply() {
        event("io.mlestar.run.requested", "1").body(Program.request("event-run")).post("/").then().statusCode(202)
                .body(emptyString())
                .header("x-mlestar-run", "event-run").header("Location", endsWith("/runs/event-run"))
                .header("ce-type", nullValue());
        event("io.mlestar.run.requested", "1").body(Program.request("event-run")).post("/").then().statusCode(202);
        Waiting.until("the run ends", () -> !given().get("/runs/event-run").path("status").equals("running"));
        event("io.mlestar.run.requested", "late").body(Program.request("event-run")).post("/").then().statusCode(202)
                .body(emptyString());
        event("io.mlestar.run.requested", "other")
                .body(Program.request("event-run").replace("Predict y.", "Predict z."))
                .post("/").then()
                .statusCode(422).body("detail", containsString("was begun with another task"));
        event("io.mlestar.agent.init", "again")
                .body("{\"run_id\":\"event-run\",\"step\":\"event-run/phase1/candidate0/init\"}")
                .post("/").then().statusCode(204).header("ce-type", nullValue()).body(emptyString());
        given().get("/runs").then().statusCode(200).body("run_id", hasItem("event-run"));
        given().get("/runs/event-run").then().statusCode(200).body("status", equalTo("completed"))
                .body("current_phase", equalTo("complete"))
                .body("phase2_path_statuses", equalTo(java.util.List.of("completed", "completed")))
                .body("best_score_so_far", equalTo(0.73f));
        given().get("/runs/event-run/report").then().statusCode(200).contentType("text/html")
                .body(containsString("no language model was asked"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            io.mlestar.agent.planner  | {"run_id":"none","step":"none/x"}  | 422 | there is no run none
            io.mlestar.phase.pipeline | {"run_id":"a","step":"b"}          | 422 | is not the run of step
            io.mlestar.script.run     | {}                                 | 422 | must name a run_id and a step
            io.mlestar.run.cancelled  | {"run_id":"../etc"}                | 422 | run_id must be
            io.mlestar.run.requested  | {"run_id":"x"}                     | 422 | task is required
            io.mlestar.no.such.type   | {}                                 | 422 | no function takes events of type
            """)
    void anEventThatCanNeverSucceedIsRefusedForGood(String type, String data, int status, String said) {
        event(type, "bad").body(data).post("/").then().statusCode(status).body("detail", containsString(said));
    }
}
