package io.mlestar.show.telemetry;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.Waiting;
import io.mlestar.app.cli.Program;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.StepPath;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// `/q/metrics` against what the store knows of a real run.
@QuarkusTest
@Tag("quarkus")
class ProcessMetricsTest {

    /// Its run takes seconds.
    private static String anyRun;

    @Inject
    Records records;

    private static RequestSpecification event(String id, String type) {
        return given().contentType(ContentType.JSON).header("ce-specversion", "1.0").header("ce-source", "test")
                .header("ce-id", id).header("ce-type", type);
    }

    /// Runs to the end and until the last event was taken.
    private static String run() {
        String run = "metrics-" + UUID.randomUUID();
        event(run, "io.mlestar.run.requested")
                .body(Program.request(run).replace("\"outer_loop_steps\"",
                        "\"max_budget_usd\": 50, \"outer_loop_steps\""))
                .post("/").then().statusCode(202);
        Waiting.until("the run ends",
                () -> !given().get("/runs/" + run).then().extract().path("status").equals("running"));
        return run;
    }

    /// Any run that has ended.
    private static synchronized String ended() {
        if (anyRun == null) {
            anyRun = run();
        }
        return anyRun;
    }

    private List<KnownStep> steps(StepPath phase) {
        List<KnownStep> all = new ArrayList<>();
        for (KnownStep step : records.below(phase)) {
            all.add(step);
            all.addAll(step.request().isPhase() ? steps(step.path()) : List.of());
        }
        return all;
    }

    private static Answer.Usage usage(StepResult answered) {
        return answered.done().orElseThrow().answer().usage();
    }

    private static double sum(List<KnownStep> steps, ToDoubleFunction<StepResult> value) {
        return steps.stream().mapToDouble(step -> value.applyAsDouble(step.result().orElseThrow())).sum();
    }

    private static List<KnownStep> only(List<KnownStep> steps, Predicate<StepRequest> kind) {
        return steps.stream().filter(step -> kind.test(step.request())).toList();
    }

    @Test
    void whatARunDidIsCountedAsTheStoreHasIt() {
        Scrape before = Scrape.now();
        anyRun = run();
        List<KnownStep> steps = steps(StepPath.root(anyRun));
        Waiting.until("the last event goes out, after the result is stored",
                () -> Scrape.now().since(before, "mlestar_events_published_total", "type=\"run.completed\"") >= 1);
        Scrape after = Scrape.now();
        List<KnownStep> agents = only(steps, StepRequest::isAgent);
        List<KnownStep> scripts = only(steps, StepRequest::isScript);
        List<KnownStep> phases = only(steps, StepRequest::isPhase);
        assertThat(agents).hasSizeGreaterThan(10);
        assertThat(scripts).hasSizeGreaterThan(3);

        assertThat(after.since(before, "mlestar_steps_total", "kind=\"agent\"", "outcome=\"done\""))
                .isEqualTo(agents.size());
        assertThat(after.since(before, "mlestar_steps_total", "kind=\"script\"")).isEqualTo(scripts.size());
        // The pipeline itself is a phase too.
        assertThat(after.since(before, "mlestar_steps_total", "kind=\"phase\"")).isEqualTo(phases.size() + 1);
        assertThat(after.since(before, "mlestar_steps_total", "name=\"coder\""))
                .isEqualTo(only(agents, request -> request.work().endsWith("/coder")).size()).isPositive();
        assertThat(after.since(before, "mlestar_script_runs_total", "kind=\"submission\"", "result=\"crashed\""))
                .isZero();
        assertThat(after.since(before, "mlestar_script_runs_total")).isEqualTo(scripts.size());

        assertThat(after.since(before, "mlestar_tokens_total", "type=\"input\""))
                .isEqualTo(sum(agents, result -> usage(result).inputTokens())).isPositive();
        assertThat(after.since(before, "mlestar_tokens_total", "type=\"output\"", "model=\"recorded\""))
                .isEqualTo(sum(agents, result -> usage(result).outputTokens())).isPositive();
        assertThat(after.since(before, "mlestar_cost_usd_total"))
                .isCloseTo(sum(agents, StepResult::costUsd), within(1e-9)).isPositive();

        assertThat(after.since(before, "mlestar_script_duration_seconds_count")).isEqualTo(scripts.size());
        assertThat(after.since(before, "mlestar_script_duration_seconds_sum")).isCloseTo(sum(scripts,
                result -> Duration.between(result.startedAt(), result.endedAt()).toNanos() / 1e9), within(1e-6));
        assertThat(after.since(before, "mlestar_step_queue_seconds_sum")).isCloseTo(steps.stream()
                .filter(step -> !step.request().isPhase())
                .mapToDouble(step -> Duration.between(step.request().askedAt(), step.result().orElseThrow().startedAt())
                        .toNanos() / 1e9)
                .sum(),
                within(1e-6));
        assertThat(after.since(before, "mlestar_model_call_duration_seconds_bucket", "le=\"+Inf\""))
                .isEqualTo(agents.size());

        // Every step was asked for by an event and woke its parent by one.
        assertThat(after.since(before, "mlestar_events_published_total")).isGreaterThanOrEqualTo(2 * steps.size());
        assertThat(after.since(before, "mlestar_events_published_total", "type=\"script.run\""))
                .isEqualTo(scripts.size());
        assertThat(after.since(before, "mlestar_events_lost_total")).isZero();
    }

    @Test
    void noLabelNamesARunOrAPath() {
        String run = ended();
        assertThat(Scrape.now().values().keySet()).isNotEmpty()
                .noneMatch(series -> series.contains(run) || series.contains(Program.MINI.toString()));
    }

    @Test
    void runsAreCountedByState() {
        ended();
        Waiting.until("the gauge is read anew", () -> Scrape.now().sum("mlestar_runs", "state=\"completed\"") >= 1);
        assertThat(Scrape.now().names()).contains("mlestar_runs_budget_usd", "mlestar_runs_budget_left_usd");
    }

    @Test
    void aDeadLetterIsCounted() {
        double before = Scrape.now().sum("mlestar_dead_letters_received_total", "type=\"agent.init\"");
        event("1", "io.mlestar.agent.init").body("{\"run_id\": \"none\", \"step\": \"none/x\"}").post("/dead-letter")
                .then().statusCode(204);
        event("2", "made.up.elsewhere").body("{}").post("/dead-letter").then().statusCode(204);
        Scrape after = Scrape.now();
        assertThat(after.sum("mlestar_dead_letters_received_total", "type=\"agent.init\"")).isEqualTo(before + 1);
        assertThat(after.sum("mlestar_dead_letters_received_total", "type=\"other\"")).isPositive();
        assertThat(after.values().keySet()).noneMatch(series -> series.contains("made.up"));
    }
}
