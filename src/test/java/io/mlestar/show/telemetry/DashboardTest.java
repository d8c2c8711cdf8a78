package io.mlestar.show.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.RunTrouble;
import io.mlestar.core.engine.World;
import io.mlestar.core.event.Event;
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
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The dashboard asks for what the program shows.
@QuarkusTest
@Tag("quarkus")
class DashboardTest {
    private static final Path DASHBOARD = Path.of("k8s/observability/dashboard.json");
    private static final Path ALERTS = Path.of("k8s/alerts/rules.yaml");
    /// Of a metric; the labels of pods have the project's name, too.
    private static final Pattern NAME = Pattern.compile("mlestar_(?!io_)\\w+");
    private static final Pattern LABELS = Pattern.compile("by \\(([^)]*)\\) \\(rate\\((mlestar_\\w+)");
    private static final Pattern CHOICE = Pattern.compile("(mlestar_\\w+)\\{(\\w+=\"\\w+\")");

    @Inject
    ProcessMetrics metrics;

    @Inject
    Records records;

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
        StepResult ran = StepResult.of(
                new Outcome.Done<>(new Execution.Scored(
                        new EvaluationResult(Score.printed(1.0), "", "", 0, 1, false, null), null)),
                now,
                now, 0.0);
        records.store().create(Records.stepKey(script) + ".request.json", ChecksummedJson.bytes(asked));
        records.store().create(Records.stepKey(script) + ".result.json", ChecksummedJson.bytes(ran));
        metrics.ended(run, phase, evaluation, ran);
        for (Double cost : new Double[] {0.5, null}) {
            metrics.ended(run, StepPath.parse("counted/init"),
                    new StepRequest("agent/init", Json.object(), "p", now, now, false),
                    StepResult.of(
                            new Outcome.Done<>(
                                    new Answer("x", new Answer.Usage("a:b", 1, 1, 0, cost, 1), null, "", "")),
                            now,
                            now, 0.5));
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
