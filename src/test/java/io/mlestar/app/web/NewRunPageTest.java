package io.mlestar.app.web;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;

import io.mlestar.Waiting;
import io.mlestar.core.records.Records;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The page that estimates and starts a run of a task in the folder of tasks, `src/test/resources`.
@QuarkusTest
@Tag("quarkus")
class NewRunPageTest {
    private static final String BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    private static final String MINI =
            "task=mini/task.yaml&preset=quick&model=recorded:src/test/resources/mini/answers";

    @Inject
    Records records;

    @Test
    void aTaskOfTheFolderIsEstimatedBeforeARunOfItIsStarted() {
        given().header("Accept", BROWSER).get("/new").then().statusCode(200)
                .body(containsString("<option>mini/task.yaml</option>"), containsString("strong: better results"),
                        not(containsString("Start the run")));
        given().header("Accept", BROWSER).get("/new?" + MINI + "&max_budget_usd=2").then().statusCode(200)
                .body(containsString("Start the run"), containsString("<dd>9</dd>"),
                        not(containsString("No budget is set")));
        given().header("Accept", BROWSER).get("/new?" + MINI).then().body(containsString("No budget is set"));
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
        given().header("Accept", BROWSER).get("/new?" + asked).then().statusCode(400)
                .body(containsString(said), not(containsString("Start the run")), not(containsString("Exception")));
        given().contentType("application/x-www-form-urlencoded").body(asked).post("/runs").then().statusCode(400)
                .body("detail", containsString(said));
        assertThat(records.runs()).hasSize(runs);
    }

    @Test
    void theFormStartsOneRunHoweverOftenItIsSent() {
        int runs = records.runs().size();
        String form = MINI + "&max_budget_usd=2&mark=once";
        given().header("Origin", "https://elsewhere.example").contentType("application/x-www-form-urlencoded")
                .body(form).post("/runs").then().statusCode(403);
        assertThat(records.runs()).hasSize(runs);
        String page =
                given().redirects().follow(false).header("Accept", BROWSER).header("Sec-Fetch-Site", "same-origin")
                        .contentType("application/x-www-form-urlencoded").body(form).post("/runs").then()
                        .statusCode(303).extract().header("Location");
        String run = page.replace("/runs/", "");
        given().contentType("application/x-www-form-urlencoded").body(form).post("/runs").then().statusCode(202)
                .header("x-mlestar-run", equalTo(run));
        assertThat(records.runs()).hasSize(runs + 1);
        assertThat(records.header(run).orElseThrow().config().limits().maxBudgetUsd()).isEqualTo(2);
        given().post(page + "/cancel").then().statusCode(204);
        Waiting.until("the run ends", () -> records.hasEnded(run));
    }
}
