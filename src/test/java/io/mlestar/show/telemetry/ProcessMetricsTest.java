package io.mlestar.show.telemetry;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.Waiting;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.RunTrouble;
import io.mlestar.core.engine.World;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import module java.base;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// `/q/metrics` against what the store knows of a real run, and against what the dashboard and the
/// alerts ask for.
@QuarkusTest
@Tag("quarkus")
class ProcessMetricsTest {
    private static final Path DASHBOARD = Path.of("k8s/observability/dashboard.json");
    private static final Path ALERTS = Path.of("k8s/alerts/rules.yaml");
    /// The name of a metric; the labels of pods have the project's name, too.
    private static final Pattern NAME = Pattern.compile("mlestar_(?!io_)\\w+");
    private static final Pattern LABELS = Pattern.compile("by \\(([^)]*)\\) \\(rate\\((mlestar_\\w+)");
    private static final Pattern CHOICE = Pattern.compile("(mlestar_\\w+)\\{(\\w+=\"\\w+\")");
    /// Its run takes seconds.
    private static String anyRun;

    @Inject
    Records records;

    @Inject
    ProcessMetrics metrics;

    /// The figures that `/q/metrics` showed.
    ///
    /// @param values by series, e.g. `mlestar_steps_total{kind="agent",name="init",outcome="done"}`
    private record Scrape(Map<String, Double> values) {
        private static final Pattern LINE = Pattern.compile("(?m)^([a-zA-Z_:][\\w:]*(?:\\{.*})?) ([-+.\\dEeNaInf]+)$");

        static Scrape now() {
            Map<String, Double> values = new TreeMap<>();
            Matcher line = LINE
                    .matcher(
                            given().accept("text/plain").get("/q/metrics").then().statusCode(200).extract().asString());
            while (line.find()) {
                values.put(line.group(1), Double.parseDouble(line.group(2).replace("+Inf", "Infinity")));
            }
            return new Scrape(values);
        }

        Set<String> names() {
            Set<String> names = new TreeSet<>();
            values.keySet().forEach(series -> names.add(series.replaceFirst("\\{.*", "")));
            return names;
        }

        /// Sum over the series of this name that have all these labels, e.g. `kind="agent"`.
        double sum(String name, String... labels) {
            return values.entrySet().stream()
                    .filter(entry -> entry.getKey().equals(name) || entry.getKey().startsWith(name + "{"))
                    .filter(entry -> Stream.of(labels).allMatch(entry.getKey()::contains))
                    .mapToDouble(Map.Entry::getValue).sum();
        }

        /// By how much that sum has grown.
        double since(Scrape earlier, String name, String... labels) {
            return sum(name, labels) - earlier.sum(name, labels);
        }
    }

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
                .sum(), within(1e-6));
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

    private static List<String> queries() throws IOException {
        List<String> queries = new ArrayList<>();
        for (JsonNode panel : Json.parse(Files.readString(DASHBOARD)).path("panels")) {
            panel.path("targets").forEach(target -> queries.add(target.path("expr").asText()));
        }
        return queries;
    }

    /// All that there is to be counted, whether or not a run of this test would meet it.
    private void everything() {
        Instant now = Instant.now();
        RunHeader run = World.header("counted", "{}");
        StepPath phase = StepPath.parse("counted/phase1");
        StepPath script = phase.child("script");
        StepRequest evaluation = new StepRequest("phase/evaluation", Json.object(), "p", now, now, false);
        StepRequest asked = StepRequest.of(new RunScript("x", RunScript.Kind.SOLUTION, 1), now, now);
        StepResult ran = StepResult.of(new Outcome.Done<>(new Execution.Scored(
                new EvaluationResult(Score.printed(1.0), "", "", 0, 1, false, null), null)), now, now, 0.0);
        records.store().create(Records.stepKey(script) + ".request.json", ChecksummedJson.bytes(asked));
        records.store().create(Records.stepKey(script) + ".result.json", ChecksummedJson.bytes(ran));
        metrics.ended(run, phase, evaluation, ran);
        for (Double cost : new Double[] {0.5, null}) {
            metrics.ended(run, StepPath.parse("counted/init"),
                    new StepRequest("agent/init", Json.object(), "p", now, now, false), StepResult.of(
                            new Outcome.Done<>(
                                    new Answer("x", new Answer.Usage("a:b", 1, 1, 0, cost, 1), null, "", "")),
                            now, now, 0.5));
        }
        metrics.unreadable(run, StepPath.parse("counted/init-2"), "why");
        metrics.modelRetried("anthropic", "rate_limit");
        metrics.toolUsed("Read", true);
        metrics.resent(1);
        metrics.troubles("standing", 1);
        metrics.deadLetter(Event.SCRIPT);
        Event event = new Event(Event.SCRIPT, "1", "counted", Json.object());
        metrics.published(event);
        metrics.delivered(event);
        metrics.retried(event);
        metrics.buried(event);
        metrics.lost(event);
    }

    private static List<String> alerts() throws IOException {
        List<String> queries = new ArrayList<>();
        new YAMLMapper().readTree(ALERTS.toFile()).path("spec").path("groups").forEach(group -> group.path("rules")
                .forEach(rule -> queries.add(rule.path("expr").asText())));
        return queries;
    }

    @Test
    void everyAlertLooksAtMetricsThatThereAre() throws IOException {
        everything();
        // A sweep that found nothing is seen, too.
        metrics.resent(0);
        for (RunTrouble.TroubleKind kind : RunTrouble.TroubleKind.values()) {
            metrics.troubles(kind.name().toLowerCase(Locale.ROOT), 0);
        }
        assertThat(alerts().stream().flatMap(query -> CHOICE.matcher(query).results())
                .map(choice -> choice.group(1) + "{" + choice.group(2) + ",}"))
                .hasSize(RunTrouble.TroubleKind.values().length).isSubsetOf(Scrape.now().values().keySet());
        assertThat(alerts()).hasSizeGreaterThan(3)
                .allSatisfy(query -> assertThat(NAME.matcher(query).results().map(name -> name.group()))
                        .isNotEmpty().isSubsetOf(Scrape.now().names()));
    }

    @Test
    void everyQueryNamesMetricsAndLabelsThatThereAre() throws IOException {
        everything();
        Scrape scrape = Scrape.now();
        Set<String> asked = new TreeSet<>();
        for (String query : queries()) {
            NAME.matcher(query).results().forEach(name -> asked.add(name.group()));
            for (Matcher labels = LABELS.matcher(query); labels.find();) {
                for (String label : labels.group(1).split(", ")) {
                    assertThat(scrape.values().keySet()).as(query)
                            .anyMatch(series -> series.startsWith(labels.group(2) + "{")
                                    && series.contains(label + "=\""));
                }
            }
            for (Matcher choice = CHOICE.matcher(query); choice.find();) {
                assertThat(scrape.values().keySet()).as(query)
                        .anyMatch(
                                series -> series.startsWith(choice.group(1) + "{") && series.contains(choice.group(2)));
            }
        }
        assertThat(asked).hasSizeGreaterThan(20);
        assertThat(scrape.names()).containsAll(asked);
    }

    @Test
    void namesOfToolsBeyondALimitAreCountedAsOther() {
        for (int i = 0; i < 100; i++) {
            metrics.toolUsed("made-up-" + i, false);
        }
        assertThat(Scrape.now().values().keySet().stream().filter(series -> series.contains("made-up-")))
                .hasSizeLessThanOrEqualTo(32);
        assertThat(Scrape.now().sum("mlestar_tool_calls_total", "tool=\"other\"")).isGreaterThan(60);
    }
}
