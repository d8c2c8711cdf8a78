package io.mlestar.app.web;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;

import io.mlestar.Waiting;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.records.Records;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.steering.Extensions;
import io.mlestar.core.steering.Notes;
import io.mlestar.core.step.Note;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The pages as programs and browsers ask for them.
@QuarkusTest
@Tag("quarkus")
class RunPagesTest {
    private static final String BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    private static final String CONFIG = "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"ensemble_rounds\": 1}";

    @Inject
    Records records;

    private DrivenRun run(String id) {
        return DrivenRun.start(records.store(), id, CONFIG, 0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            */*                                   | application/json
            application/json                      | application/json
            text/html                             | text/html
            text/html,application/xml;q=0.9,*/*;q=0.8 | text/html
            text/html;q=0.5, application/json     | application/json
            application/json;q=0.5, Text/HTML ; q=0.7 | text/html
            */*, text/html                        | text/html
            image/png                             | application/json
            """)
    void browsersGetPagesAndProgramsGetJson(String accept, String type) {
        run("negotiated");
        for (String path : new String[] {"/runs", "/runs/negotiated"}) {
            given().header("Accept", accept).get(path).then().statusCode(200).contentType(containsString(type))
                    .header("Vary", equalTo("Accept"));
        }
        given().header("Accept", accept).get("/runs/nobody").then().statusCode(404)
                .contentType(containsString(type.replace("/json", "/problem+json")));
    }

    @Test
    void aProgramGetsAStepWhole() {
        run("whole").until("phase1");
        given().get("/runs/whole/steps/phase1/retriever").then().statusCode(200)
                .body("request.work", equalTo("agent/retriever"))
                .body("result.status", equalTo("done")).body("result.value", hasKey("prompt"))
                .body("texts", hasKey("answer"));
    }

    @Test
    void aProgramGetsAllStepsInFigures() {
        run("listed").untilTheEnd();
        given().get("/runs/listed/steps").then().statusCode(200).contentType("application/json")
                .body("find { it.path == 'phase1/retriever' }.agent", equalTo("retriever"))
                .body("find { it.path == 'phase1/retriever' }.outcome", equalTo("done"));
        given().get("/runs/nobody/steps").then().statusCode(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/runs", "/runs/guarded", "/runs/guarded/steps/phase1", "/runs/guarded/live",
        "/runs/guarded/output", "/runs/nobody",
        "/?text=guarded", "/new", "/compare?run=guarded&run=nobody"})
    void everyPageForbidsScriptsAndStylesOfItsOwn(String path) {
        run("guarded").until("phase1");
        Response page = given().header("Accept", BROWSER).get(path);
        assertThat(page.header("Content-Security-Policy"))
                .startsWith("default-src 'none'; script-src 'self'; style-src 'self'")
                .contains("frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'").doesNotContain("unsafe");
        assertThat(page.body().asString()).doesNotContain("style=", "onclick=")
                .doesNotContainPattern("<script(?! type=\"module\" src=\"/web/)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/runs", "/runs/unkept", "/runs/unkept/steps", "/runs/unkept/steps/phase1/retriever",
        "/runs/unkept/report",
        "/runs/unkept/files/result.json", "/runs/nobody", "/docs", "/q/health", "/q/metrics", "/nothing"})
    void nothingIsKeptAndTheTypeOfNothingIsGuessed(String path) {
        if (records.header("unkept").isEmpty()) {
            run("unkept").untilTheEnd();
        }
        for (String accept : List.of(BROWSER, "application/json")) {
            given().header("Accept", accept).get(path).then().header("X-Content-Type-Options", equalTo("nosniff"))
                    .header("Cache-Control", equalTo("no-store"));
        }
        given().body("{}").post("/planner").then().header("X-Content-Type-Options", equalTo("nosniff"))
                .header("Cache-Control", equalTo("no-store"));
    }

    @Test
    void staticFilesAreKeptByTheirVersion() {
        String page = given().header("Accept", BROWSER).get("/").asString();
        String style = page.replaceAll("(?s).*href=\"(/web/page\\.css\\?v=[0-9a-f]+)\".*", "$1");
        String tag = given().get(style).then().statusCode(200).contentType("text/css")
                .header("Cache-Control", containsString("immutable"))
                .header("X-Content-Type-Options", equalTo("nosniff")).extract().header("ETag");
        given().header("If-None-Match", tag).get("/web/page.css").then().statusCode(304).header("Cache-Control",
                equalTo("no-cache"));
        for (String file : new String[] {"figures.css", "icon.svg", "chosen.js", "clock.js", "copy.js", "live.js",
            "output.js", "run.js", "runs.js", "step.js",
            "tree.js"}) {
            given().get("/web/" + file).then().statusCode(200);
        }
        given().get("/web/nothing.js").then().statusCode(404);
        given().urlEncodingEnabled(false).get("/web/..%2Fapplication.properties").then().statusCode(404);
    }

    @Test
    void ourOwnPageAndProgramsCanCancelARun() {
        run("cancelled-by-page");
        given().redirects().follow(false).header("Accept", BROWSER).header("Sec-Fetch-Site", "same-origin")
                .post("/runs/cancelled-by-page/cancel").then().statusCode(303)
                .header("Location", equalTo("/runs/cancelled-by-page"));
        assertThat(records.isCancelled("cancelled-by-page")).isTrue();
        run("cancelled-by-program");
        given().post("/runs/cancelled-by-program/cancel").then().statusCode(204);
        assertThat(records.isCancelled("cancelled-by-program")).isTrue();
        given().get("/runs/cancelled-by-program/cancel").then().statusCode(404);
        given().post("/runs/nobody/cancel").then().statusCode(404);
    }

    @Test
    void ourOwnPageAndProgramsCanTellARunSomething() {
        run("told");
        given().header("Origin", "https://elsewhere.example").contentType("application/x-www-form-urlencoded")
                .formParam("text", "evil")
                .post("/runs/told/notes").then().statusCode(403);
        given().redirects().follow(false).header("Accept", BROWSER).header("Sec-Fetch-Site", "same-origin")
                .contentType("application/x-www-form-urlencoded")
                .formParam("text", "try <b>folds</b> & more").post("/runs/told/notes").then().statusCode(303)
                .header("Location", equalTo("/runs/told"));
        given().contentType("application/json").body("{\"text\": \"be quick\", \"by\": \"ann\"}")
                .post("/runs/told/notes").then().statusCode(204);
        given().contentType("application/json").body("{\"text\": \" \"}").post("/runs/told/notes").then()
                .statusCode(400)
                .body("detail", containsString("1 to 2000 characters"));
        given().contentType("application/json").body("not JSON").post("/runs/told/notes").then().statusCode(400);
        given().contentType("application/json").body("{\"text\": \"" + "x".repeat(1 << 15) + "\"}")
                .post("/runs/told/notes").then().statusCode(400);
        assertThat(new Notes(records.store()).of("told")).extracting(Note::by, Note::text)
                .containsExactly(tuple("the page", "try <b>folds</b> & more"), tuple("ann", "be quick"));
        given().header("Accept", BROWSER).get("/runs/told").then().statusCode(200)
                .body(containsString("try &lt;b&gt;folds&lt;/b&gt; &amp; more"), containsString("be quick"));
        given().contentType("application/json").body("{\"text\": \"x\"}").post("/runs/nobody/notes").then()
                .statusCode(404);
    }

    @Test
    void ourOwnPageAndProgramsCanGiveARunMore() {
        run("given");
        given().header("Origin", "https://elsewhere.example").contentType("application/x-www-form-urlencoded")
                .formParam("add_minutes", "9")
                .post("/runs/given/extend").then().statusCode(403);
        given().redirects().follow(false).header("Accept", BROWSER).header("Sec-Fetch-Site", "same-origin")
                .contentType("application/x-www-form-urlencoded")
                .formParam("add_minutes", "60").formParam("add_usd", "").post("/runs/given/extend").then()
                .statusCode(303);
        given().contentType("application/json").body("{\"add_minutes\": 30, \"by\": \"<b>ann\"}")
                .post("/runs/given/extend").then().statusCode(204);
        given().contentType("application/json").body("{\"add_minutes\": \"many\"}").post("/runs/given/extend").then()
                .statusCode(400)
                .body("detail", containsString("add_minutes must be a whole number"));
        given().contentType("application/json").body("{\"add_usd\": 1}").post("/runs/given/extend").then()
                .statusCode(400)
                .body("detail", containsString("has no max_budget_usd"));
        given().contentType("application/json").body("not JSON").post("/runs/given/extend").then().statusCode(400);
        given().contentType("application/json").body("{\"add_minutes\": 1}").post("/runs/nobody/extend").then()
                .statusCode(404);
        assertThat(new Extensions(records.store()).of("given")).extracting(Extension::by, Extension::addMinutes)
                .containsExactly(tuple("the page", 60), tuple("<b>ann", 30));
        given().header("Accept", BROWSER).get("/runs/given").then().statusCode(200).body(containsString("30 min more"),
                containsString("&lt;b&gt;ann"));
        given().get("/runs/given").then().body("extensions[0].add_minutes", equalTo(60))
                .body("deadline",
                        equalTo(records.header("given").orElseThrow().deadline().plusSeconds(5_400).toString()));
    }

    @Test
    void aRunThatHasEndedHearsNothing() {
        run("silent").untilTheEnd();
        for (String what : List.of("notes", "extend")) {
            given().contentType("application/json").body("{\"text\": \"x\", \"add_minutes\": 1}")
                    .post("/runs/silent/" + what).then().statusCode(409)
                    .body("detail", containsString("run silent has ended; a fork of it goes on from any of its steps"));
        }
        given().header("Accept", BROWSER).get("/runs/silent").then().statusCode(200)
                .body(not(containsString("/runs/silent/notes")));
    }

    @Test
    void onlyTheFilesOfTheResultAndWhatTheRunWasBegunWithAreGivenAway() {
        run("files").untilTheEnd();
        given().get("/runs/files/files/final_solution.py").then().statusCode(200).contentType("text/plain")
                .header("Content-Security-Policy", containsString("sandbox")).body(containsString("BLOCK"));
        given().get("/runs/files/files/result.json").then().statusCode(200).body("run_id", equalTo("files"));
        given().get("/runs/files/files/run.json").then().statusCode(200).contentType("application/json").body("run_id",
                equalTo("files"));
        given().get("/runs/files/files/tally.json").then().statusCode(404);
        given().get("/runs/files/files/steps.request.json").then().statusCode(404);
        given().urlEncodingEnabled(false).get("/runs/files/files/..%2F..%2Fkept").then().statusCode(404);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /runs/wrong/steps/Not-A-Step       | 400 | is not the path of a step
            /runs/wrong/steps/no/such/step     | 404 | there is no step
            /runs/wrong/tree/phase1?before=x   | 400 | before must be a whole number
            /?limit=-1                         | 400 | limit must be a whole number
            /compare?run=wrong                 | 400 | 2 to 6 different runs can be compared
            /compare?run=wrong&run=nobody      | 404 | there is no run
            /runs/..%2f..%2fetc                | 400 | run_id must be
            /runs/wrong/report                 | 404 | has no report yet
            """)
    void whatCannotBeShownIsSaidInWords(String path, int status, String said) {
        run("wrong");
        given().urlEncodingEnabled(false).header("Accept", BROWSER).get(path).then().statusCode(status)
                .contentType("text/html")
                .body(containsString(said)).body(not(containsString("Exception")));
    }

    @ParameterizedTest
    @CsvSource({"asked-list, /", "asked-page, /runs/asked-page/live?phase=&phase=phase1",
        "asked-step, /runs/asked-step/steps/phase1"})
    void whoAsksAgainIsSparedWhatHasNotChanged(String id, String path) {
        DrivenRun asked = run(id).until("phase1/retriever");
        String tag = given().header("Accept", BROWSER).get(path).then().statusCode(200).extract().header("ETag");
        given().header("Accept", BROWSER).header("If-None-Match", tag).get(path).then().statusCode(304)
                .body(emptyString());
        asked.untilTheEnd();
        // Looks that come at once see what the last one saw.
        Waiting.until("the end is seen",
                () -> given().header("Accept", BROWSER).header("If-None-Match", tag).get(path).statusCode() == 200);
    }

    @Test
    void thePageIsGivenTheStepsOfThePhasesThatItShows() {
        run("shown").until("phase1");
        String given = given().header("Accept", BROWSER).get("/runs/shown/live?phase=phase1").then().statusCode(200)
                .extract().asString();
        assertThat(given).contains("id=\"step-phase1/retriever\"").doesNotContain("id=\"step-phase1\"");
        given().header("Accept", BROWSER).get("/runs/shown/live?phase=").then()
                .body(containsString("id=\"step-phase1\""));
        given().header("Accept", BROWSER).get("/runs/shown/live?phase=Not-A-Step").then().statusCode(400);
    }
}
