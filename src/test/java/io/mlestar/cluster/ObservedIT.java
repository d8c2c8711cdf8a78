package io.mlestar.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.FolderStore;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import module java.base;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One run over the pods of profile `small` and a Job for each script, which share a store and
/// nothing else, as a collector and the logs show it.
@Tag("deployed")
class ObservedIT {
    private static final String RUN = "observed";
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CALLER = "b7ad6b7169203331";

    @TempDir
    private static Path folder;

    @AutoClose
    private static Collector collector;
    @AutoClose
    private static Cluster cluster;
    private static Records records;
    private static Event end;

    @BeforeAll
    static void runOnce() throws Exception {
        collector = new Collector();
        records = new Records(new FolderStore(folder.resolve("store")));
        cluster = new Cluster(ProfilesIT.small(), folder.resolve("pods"),
                List.of(Map.of("MLE_STAR_STORE", folder.resolve("store").toString(), "MLE_STAR_MODEL", Program.ANSWERS,
                        "MLE_STAR_LOG_FORMAT", "json", "OTEL_EXPORTER_OTLP_ENDPOINT", collector.address(),
                        "OTEL_BSP_SCHEDULE_DELAY", "100")),
                Cluster.Fates.KIND, new Random(1));
        Map<String, Object> size = Map.of("num_retrieved_models", 1, "outer_loop_steps", 1, "inner_loop_steps", 1,
                "num_parallel_solutions", 2, "ensemble_rounds", 1);
        Event asked = new Event(Event.RUN_REQUESTED, "1", RUN, ClusterIT.request(RUN, Program.MINI, size))
                .with(Map.of("traceparent", "00-" + TRACE + "-" + CALLER + "-01", "tracestate", "vendor=1"));
        end = cluster.run(asked, ClusterIT.STANDSTILL, Duration.ofMinutes(5), Cluster.Disturbance.NONE);
        Waiting.until("its span comes",
                () -> collector.spans().stream().anyMatch(span -> span.getName().equals("pipeline")));
    }

    private static Stream<KnownStep> steps(StepPath phase) {
        return records.below(phase).stream().flatMap(step -> Stream.concat(Stream.of(step), steps(step.path())));
    }

    private static String hex(com.google.protobuf.ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    private static Map<String, Span> spansByStep() {
        return collector.spans().stream()
                .collect(Collectors.toMap(span -> Collector.attributes(span).get("mlestar.step"), Function.identity()));
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }

    private static double seconds(Instant instant) {
        return instant.getEpochSecond() + instant.getNano() / 1e9;
    }

    @Test
    void everyStepIsASpanOfTheCallersTraceBelowThePhaseThatAskedAndWithItsOwnTimes() throws Exception {
        assertThat(end.type()).isEqualTo(Event.RUN_COMPLETED);
        List<KnownStep> steps = steps(StepPath.root(RUN)).toList();
        Waiting.until("every step has a span", () -> collector.spans().size() >= steps.size() + 1);
        Map<String, Span> spans = spansByStep();
        assertThat(spans.keySet()).containsExactlyInAnyOrderElementsOf(
                Stream.concat(Stream.of(RUN), steps.stream().map(step -> step.path().toString())).toList());
        assertThat(spans.values()).allSatisfy(span -> assertThat(hex(span.getTraceId())).isEqualTo(TRACE));
        assertThat(hex(spans.get(RUN).getParentSpanId())).isEqualTo(CALLER);
        for (KnownStep step : steps) {
            Span span = spans.get(step.path().toString());
            assertThat(span.getParentSpanId()).as(step.path().toString())
                    .isEqualTo(spans.get(step.path().parent().orElseThrow().toString()).getSpanId());
            assertThat(seconds(span.getStartTimeUnixNano())).isCloseTo(seconds(step.result().orElseThrow().startedAt()),
                    within(1e-5));
            assertThat(seconds(span.getEndTimeUnixNano())).isCloseTo(seconds(step.result().orElseThrow().endedAt()),
                    within(1e-5));
        }
    }

    @Test
    void spansHaveTheAttributesOfTheirSteps() {
        Map<String, Span> spans = spansByStep();
        Span init = spans.get(RUN + "/phase1/candidate0/init");
        assertThat(init.getName()).isEqualTo("invoke_agent init");
        assertThat(Collector.attributes(init)).containsEntry("gen_ai.operation.name", "invoke_agent")
                .containsEntry("gen_ai.agent.name", "init")
                .containsEntry("gen_ai.provider.name", "recorded").containsEntry("gen_ai.request.model", "answers")
                .containsEntry("mlestar.outcome", "done")
                .containsKeys("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "mlestar.cost_usd");
        Span script = spans.values().stream().filter(span -> span.getName().equals("script")
                && Collector.attributes(span).get("mlestar.script.kind").equals("solution")).findFirst().orElseThrow();
        StepPath path = StepPath.parse(Collector.attributes(script).get("mlestar.step"));
        assertThat(Collector.attributes(script)).containsEntry("mlestar.kind", "script").containsEntry("mlestar.score",
                records.result(path).orElseThrow().value().at("/evaluation/score").asText());
        assertThat(spans.values())
                .filteredOn(span -> Collector.attributes(span).get("mlestar.step").contains("/phase2-path1"))
                .isNotEmpty()
                .allSatisfy(span -> assertThat(Collector.attributes(span)).containsEntry("mlestar.path", "path-1"));
        assertThat(spans.values()).filteredOn(span -> Collector.attributes(span).get("mlestar.outcome").equals("done"))
                .allSatisfy(span -> assertThat(span.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_UNSET));
    }

    @Test
    void everyEventCarriesTheContextOfTheStepItIsAbout() {
        Map<String, Span> spans = spansByStep();
        assertThat(cluster.received()).hasSizeGreaterThan(20).allSatisfy(event -> {
            assertThat(event.attribute("traceparent")).as("%s", event)
                    .isEqualTo("00-" + TRACE + "-" + hex(spans.get(event.subject()).getSpanId()) + "-01");
            assertThat(event.attribute("tracestate")).isEqualTo("vendor=1");
        });
    }

    @Test
    @Requirement("REQ-OR-021")
    void everyLogLineIsAnObjectThatSaysWhatItIsAbout() throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        try (Stream<Path> logs = Files.walk(folder)) {
            for (Path log : logs.filter(file -> file.toString().endsWith(".log")).toList()) {
                // A warning of the JVM itself is no log line.
                Files.readAllLines(log).stream().filter(line -> !line.startsWith("WARNING: "))
                        .forEach(line -> lines.add(Json.parse(line)));
            }
        }
        assertThat(lines).allSatisfy(line -> assertThat(line.properties()).extracting(Map.Entry::getKey)
                .contains("timestamp", "level", "logger", "message"));
        assertThat(lines).filteredOn(line -> line.path("message").asText().matches("event=(started|ended) .*"))
                .hasSizeGreaterThan(40).allSatisfy(line -> {
                    String step = line.path("message").asText().replaceFirst(".* step=(\\S+).*", "$1");
                    assertThat(line.path("run").asText()).isEqualTo(RUN);
                    assertThat(line.path("step").asText()).isEqualTo(step);
                    assertThat(line.path("path").asText("none"))
                            .isEqualTo(StepPath.parse(step).refinementPath().orElse("none"));
                });
        assertThat(lines).extracting(line -> line.path("path").asText()).contains("path-0", "path-1");
        assertThat(lines).filteredOn(line -> line.path("step").asText().endsWith("/coder"))
                .isNotEmpty().allSatisfy(line -> assertThat(line.path("agent").asText()).isEqualTo("coder"));
        assertThat(lines).filteredOn(line -> line.path("step").asText().endsWith("/script")).isNotEmpty()
                .allSatisfy(line -> assertThat(line.has("agent")).isFalse());
    }
}
