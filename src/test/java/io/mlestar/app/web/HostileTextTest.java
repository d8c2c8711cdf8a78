package io.mlestar.app.web;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.app.console.HostileText;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.records.Records;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A run whose task, model and scripts say all of [HostileText], as browsers and programs get it.
@QuarkusTest
@Tag("quarkus")
class HostileTextTest {
    private static final String WORDS = String.join(" ", HostileText.ALL);
    private static final String RUN = "hostile-text";
    private static final String SCRIPT = "/steps/phase1/candidate0/evaluation/script";
    private static final String HINT = "a hint\u202e\u001b[2J";

    @Inject
    Records records;

    @BeforeEach
    void runIt() {
        if (records.header(RUN).isEmpty()) {
            DrivenRun run = DrivenRun.saying(records.store(), RUN,
                    "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"num_parallel_solutions\": 1}", WORDS);
            run.until("phase1");
            given().contentType("application/json").body(Json.line(Json.object().put("text", HINT).put("by", HINT)))
                    .post("/runs/" + RUN + "/notes").then()
                    .statusCode(204);
            run.untilTheEnd();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/live", "/tree/phase1", "/report", SCRIPT, "/steps/phase1",
        "/steps/phase1/candidate0/init", "/steps/phase1/retriever",
        "/steps/phase2-path0/block0/extractor", "/steps/phase2-path0/block0/summarize", "/output", "/steps"})
    void noPageAndNoJsonOfARunHoldsAControlOfIt(String path) {
        for (String accept : List.of("text/html", "application/json")) {
            Response answer = given().header("Accept", accept).get("/runs/" + RUN + path);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(HostileText.isIn(answer.asByteArray())).as(answer.asString()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/runs", "/compare?run=" + RUN + "&run=" + RUN, "/runs/\u202e", "/?text=\u202e",
        "/web/\u202e"})
    void noOtherPageHoldsOneEither(String path) {
        for (String accept : List.of("text/html", "application/json")) {
            assertThat(HostileText.isIn(given().header("Accept", accept).get(path).asByteArray())).as(path).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "application/json"})
    void whatAScriptSaysIsShownAndNothingOfItIsLost(String accept) {
        Response answer = given().header("Accept", accept).get("/runs/" + RUN + "/steps/phase1/candidate0/init");
        assertThat(answer.asString()).contains("\\u202e");
        if (accept.equals("application/json")) {
            assertThat(Json.parse(answer.asString()).path("result").path("value").path("usage").path("model").asText())
                    .isEqualTo(WORDS);
        }
    }
}
