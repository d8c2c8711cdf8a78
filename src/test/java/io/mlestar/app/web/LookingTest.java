package io.mlestar.app.web;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;

import io.mlestar.Waiting;
import io.mlestar.app.cli.Program;
import io.mlestar.app.console.HostileText;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.engine.RunningOutputs;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import module java.base;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The things that people look at: the graph of solutions, code and what changed in it, output of
/// running scripts, runs side by side, the list.
@QuarkusTest
@Tag("quarkus")
class LookingTest {
    private static final String CONFIG = "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 2, \"ensemble_rounds\": 1}";

    private static final String WORDS = String.join(" ", HostileText.ALL);
    private static final String HOSTILE = "hostile-text";
    private static final String HINT = "a hint\u202e\u001b[2J";

    @Inject
    Records records;

    @Inject
    RunningOutputs outputs;

    private DrivenRun run(String id) {
        return DrivenRun.start(records.store(), id, CONFIG, 0);
    }

    private static String page(String path) {
        return given().header("Accept", "text/html").get(path).then().statusCode(200).extract().asString();
    }

    private static List<String> all(String page, String pattern) {
        return Pattern.compile(pattern).matcher(page).results().map((MatchResult found) -> found.group(1)).toList();
    }

    @Test
    void everySolutionIsInTheGraphAndInTheListAndLeadsToItsStep() {
        run("graph").untilTheEnd();
        String page = page("/runs/graph");
        List<String> drawn = all(page, "<a class=\"graph-node[^\"]*\" href=\"([^\"]*)\"");
        String list = page.substring(page.indexOf("<details class=\"solutions\">"),
                page.indexOf("</details>", page.indexOf("<details class=\"solutions\">")));
        assertThat(drawn).hasSizeGreaterThan(10)
                .contains("/runs/graph/steps/finalization", "/runs/graph/steps/phase2-path1/block1/attempt0")
                .containsExactlyInAnyOrderElementsOf(all(list, "href=\"([^\"]*)\""));
        drawn.forEach(step -> given().header("Accept", "text/html").get(step).then().statusCode(200));
        assertThat(page).contains("class=\"graph-node graph-final\"", "Path 0, block 1");
    }

    @Test
    void whatARunningScriptPrintsIsShownAsTextAndThatOthersSayNothing() {
        DrivenRun run = run("printing");
        StepPath step = new StepPath("printing", "phase1/candidate0/evaluation/script");
        while (records.request(step).isEmpty()) {
            run.goOn(1);
        }
        assertThat(page("/runs/printing")).contains("Output so far", "Output appears when the script has ended");
        outputs.begun(step, most -> "epoch 1\n<b>loss</b> \u001b[2J0.5\n");
        for (String path : List.of("/runs/printing", "/runs/printing/output", "/runs/printing/output/" + step.inside(),
                "/runs/printing/steps/" + step.inside())) {
            assertThat(page(path)).contains("epoch 1\n&lt;b&gt;loss&lt;/b&gt; \\u001b[2J0.5");
        }
        outputs.ended(step);
        run.untilTheEnd();
        // Looks that come at once see what the last one saw.
        Waiting.until("the script is no longer shown", () -> !page("/runs/printing/output").contains("<h3>"));
        assertThat(page("/runs/printing/output")).doesNotContain("epoch");
        given().get("/runs/nobody/output").then().statusCode(404);
    }

    @Test
    void runsStandSideBySideForPeopleAndForPrograms() {
        run("left").untilTheEnd();
        run("right").until("phase1");
        assertThat(page("/compare?run=left&run=right")).contains("2 runs side by side", "compared-line compared-1",
                "None: they were started alike.");
        given().get("/compare?run=left&run=right").then().statusCode(200).body("runs", hasSize(2))
                .body("runs[0].figures.run_id", equalTo("left")).body("differences", hasSize(0));
    }

    @Test
    void theListShowsTheNewestRunsOfAName() {
        run("listed-a").untilTheEnd();
        run("listed-b").until("phase1");
        run("another");
        assertThat(all(page("/?text=LISTED-"), "id=\"run-([^\"]*)\"")).containsExactlyInAnyOrder("listed-a",
                "listed-b");
        assertThat(all(page("/?limit=1&text=listed-"), "id=\"run-([^\"]*)\"")).hasSize(1);
        assertThat(page("/?limit=1&text=listed-"))
                .contains("<a href=\"/?text=listed-&amp;limit=101\">1 older runs</a>");
        given().header("Accept", "text/html").get("/?text=%22%3E%3Cscript%3E").then().statusCode(200)
                .body(containsString("No run is like that"))
                .body(not(containsString("><script>")));
        assertThat(page("/?text=listed-")).contains("<input type=\"checkbox\" name=\"run\" value=\"listed-a\"",
                "action=\"/compare\"");
    }

    /// A run whose task, model and scripts say all of [HostileText].
    private void runHostile() {
        if (records.header(HOSTILE).isEmpty()) {
            DrivenRun run = DrivenRun.saying(records.store(), HOSTILE,
                    Program.SHORT, WORDS);
            run.until("phase1");
            given().contentType("application/json").body(Json.line(Json.object().put("text", HINT).put("by", HINT)))
                    .post("/runs/" + HOSTILE + "/notes").then()
                    .statusCode(204);
            run.untilTheEnd();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/live", "/tree/phase1", "/report", "/steps/phase1/candidate0/evaluation/script",
        "/steps/phase1",
        "/steps/phase1/candidate0/init", "/steps/phase1/retriever",
        "/steps/phase2-path0/block0/extractor", "/steps/phase2-path0/block0/summarize", "/output", "/steps"})
    void noPageAndNoJsonOfARunHoldsAControlOfIt(String path) {
        runHostile();
        for (String accept : List.of("text/html", "application/json")) {
            Response answer = given().header("Accept", accept).get("/runs/" + HOSTILE + path);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(HostileText.isIn(answer.asByteArray())).as(answer.asString()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/runs", "/compare?run=" + HOSTILE + "&run=" + HOSTILE, "/runs/\u202e", "/?text=\u202e",
                "/web/\u202e"})
    void noOtherPageHoldsOneEither(String path) {
        runHostile();
        for (String accept : List.of("text/html", "application/json")) {
            assertThat(HostileText.isIn(given().header("Accept", accept).get(path).asByteArray())).as(path).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "application/json"})
    void whatAScriptSaysIsShownAndNothingOfItIsLost(String accept) {
        runHostile();
        Response answer = given().header("Accept", accept).get("/runs/" + HOSTILE + "/steps/phase1/candidate0/init");
        assertThat(answer.asString()).contains("\\u202e");
        if (accept.equals("application/json")) {
            assertThat(Json.parse(answer.asString()).path("result").path("value").path("usage").path("model").asText())
                    .isEqualTo(WORDS);
        }
    }
}
