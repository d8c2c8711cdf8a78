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
import io.mlestar.app.cli.Program;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.records.Records;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.steering.Extensions;
import io.mlestar.core.steering.Notes;
import io.mlestar.core.step.Note;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import module java.base;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The pages as programs and browsers ask for them, and that which starts a run.
@QuarkusTest
@Tag("quarkus")
class RunPagesTest {
    private static final String BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    /// A task in the folder of tasks, `src/test/resources`.
    private static final String MINI =
            "task=mini/task.yaml&preset=quick&model=recorded:src/test/resources/mini/answers";

    @Inject
    Records records;

    private DrivenRun run(String id) {
        return DrivenRun.start(records.store(), id, Program.SHORT, 0);
    }

    /// The page that a browser is shown.
    private static ValidatableResponse page(String path) {
        return given().urlEncodingEnabled(false).header("Accept", BROWSER).get(path).then();
    }

    /// A form of our own page, or of one from elsewhere.
    private static ValidatableResponse form(String path, String body, String... origin) {
        RequestSpecification request = given().redirects().follow(false).header("Accept", BROWSER)
                .contentType("application/x-www-form-urlencoded").body(body);
        if (origin.length == 0) {
            request.header("Sec-Fetch-Site", "same-origin");
        } else {
            request.header("Origin", origin[0]);
        }
        return request.post(path).then();
    }

    private static ValidatableResponse json(String path, String body) {
        return given().contentType("application/json").body(body).post(path).then();
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
        form("/runs/cancelled-by-page/cancel", "").statusCode(303)
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
        form("/runs/told/notes", "text=evil", "https://elsewhere.example").statusCode(403);
        form("/runs/told/notes", "text=try+%3Cb%3Efolds%3C%2Fb%3E+%26+more").statusCode(303)
                .header("Location", equalTo("/runs/told"));
        json("/runs/told/notes", "{\"text\": \"be quick\", \"by\": \"ann\"}").statusCode(204);
        json("/runs/told/notes", "{\"text\": \" \"}").statusCode(400)
                .body("detail", containsString("1 to 2000 characters"));
        json("/runs/told/notes", "not JSON").statusCode(400);
        json("/runs/told/notes", "{\"text\": \"" + "x".repeat(1 << 15) + "\"}").statusCode(400);
        json("/runs/nobody/notes", "{\"text\": \"x\"}").statusCode(404);
        assertThat(new Notes(records.store()).of("told")).extracting(Note::by, Note::text)
                .containsExactly(tuple("the page", "try <b>folds</b> & more"), tuple("ann", "be quick"));
        page("/runs/told").statusCode(200).body(containsString("try &lt;b&gt;folds&lt;/b&gt; &amp; more"),
                containsString("be quick"));
    }

    @Test
    void ourOwnPageAndProgramsCanGiveARunMore() {
        run("given");
        form("/runs/given/extend", "add_minutes=9", "https://elsewhere.example").statusCode(403);
        form("/runs/given/extend", "add_minutes=60&add_usd=").statusCode(303);
        json("/runs/given/extend", "{\"add_minutes\": 30, \"by\": \"<b>ann\"}").statusCode(204);
        json("/runs/given/extend", "{\"add_minutes\": \"many\"}").statusCode(400)
                .body("detail", containsString("add_minutes must be a whole number"));
        json("/runs/given/extend", "{\"add_usd\": 1}").statusCode(400)
                .body("detail", containsString("has no max_budget_usd"));
        json("/runs/given/extend", "not JSON").statusCode(400);
        json("/runs/nobody/extend", "{\"add_minutes\": 1}").statusCode(404);
        assertThat(new Extensions(records.store()).of("given")).extracting(Extension::by, Extension::addMinutes)
                .containsExactly(tuple("the page", 60), tuple("<b>ann", 30));
        page("/runs/given").statusCode(200).body(containsString("30 min more"), containsString("&lt;b&gt;ann"));
        given().get("/runs/given").then().body("extensions[0].add_minutes", equalTo(60)).body("deadline",
                equalTo(records.header("given").orElseThrow().deadline().plusSeconds(5_400).toString()));
    }

    @Test
    void aRunThatHasEndedHearsNothing() {
        run("silent").untilTheEnd();
        for (String what : List.of("notes", "extend")) {
            json("/runs/silent/" + what, "{\"text\": \"x\", \"add_minutes\": 1}").statusCode(409)
                    .body("detail", containsString("run silent has ended; a fork of it goes on from any of its steps"));
        }
        page("/runs/silent").statusCode(200).body(not(containsString("/runs/silent/notes")));
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
        page(path).statusCode(status).contentType("text/html").body(containsString(said),
                not(containsString("Exception")));
    }

    @ParameterizedTest
    @CsvSource({"asked-list, /", "asked-page, /runs/asked-page/live?phase=&phase=phase1",
        "asked-step, /runs/asked-step/steps/phase1"})
    void whoAsksAgainIsSparedWhatHasNotChanged(String id, String path) {
        DrivenRun asked = run(id).until("phase1/retriever");
        String tag = page(path).statusCode(200).extract().header("ETag");
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
        page("/runs/shown/live?phase=phase1").statusCode(200).body(containsString("id=\"step-phase1/retriever\""),
                not(containsString("id=\"step-phase1\"")));
        page("/runs/shown/live?phase=").body(containsString("id=\"step-phase1\""));
        page("/runs/shown/live?phase=Not-A-Step").statusCode(400);
    }

    @Test
    void aTaskOfTheFolderIsEstimatedBeforeARunOfItIsStarted() {
        page("/new").statusCode(200).body(containsString("<option>mini/task.yaml</option>"),
                containsString("strong: better results"), not(containsString("Start the run")));
        page("/new?" + MINI + "&max_budget_usd=2").statusCode(200).body(containsString("Start the run"),
                containsString("<dd>9</dd>"), not(containsString("No budget is set")));
        page("/new?" + MINI).body(containsString("No budget is set"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            task=../mini/task.yaml&preset=quick                        | there is no task
            task=mini/input/train.csv&preset=quick                     | there is no task
            task=mini/task.yaml&preset=fast                            | there is no preset
            task=mini/task.yaml&preset=quick&max_budget_usd=lots       | max_budget_usd must be a number
            task=mini/task.yaml&preset=quick&model=gpt                 | gpt
            task=mini/task.yaml&preset=quick&model=recorded:/etc       | must be a folder below
            """)
    void aRunThatCannotBeStartedIsNot(String asked, String said) {
        int runs = records.runs().size();
        page("/new?" + asked).statusCode(400).body(containsString(said), not(containsString("Start the run")),
                not(containsString("Exception")));
        given().contentType("application/x-www-form-urlencoded").body(asked).post("/runs").then().statusCode(400)
                .body("detail", containsString(said));
        assertThat(records.runs()).hasSize(runs);
    }

    @Test
    void theFormStartsOneRunHoweverOftenItIsSent() {
        int runs = records.runs().size();
        String form = MINI + "&max_budget_usd=2&mark=once";
        form("/runs", form, "https://elsewhere.example").statusCode(403);
        assertThat(records.runs()).hasSize(runs);
        String page = form("/runs", form).statusCode(303).extract().header("Location");
        String run = page.replace("/runs/", "");
        given().contentType("application/x-www-form-urlencoded").body(form).post("/runs").then().statusCode(202)
                .header("x-mlestar-run", equalTo(run));
        assertThat(records.runs()).hasSize(runs + 1);
        assertThat(records.header(run).orElseThrow().config().limits().maxBudgetUsd()).isEqualTo(2);
        given().post(page + "/cancel").then().statusCode(204);
        Waiting.until("the run ends", () -> records.hasEnded(run));
    }
}
