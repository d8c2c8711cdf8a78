package io.mlestar.show.telemetry;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mlestar.LoopbackProxy;
import io.mlestar.Waiting;
import io.mlestar.core.base.ProxyRules;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.FailingStore;
import io.mlestar.core.store.MemoryStore;
import io.opentelemetry.sdk.autoconfigure.spi.internal.DefaultConfigProperties;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The layers that calls of models and of the broker pass through, and that must not make them
/// fail: traces, meters, and the lines that tell of an outage.
class TracingTest {
    private static final Event EVENT = Event.work(Event.SCRIPT, StepPath.parse("r/phase1"), "asked");

    private final AtomicInteger asked = new AtomicInteger();

    private final List<String> lines = new ArrayList<>();
    private Instant now = Instant.EPOCH;
    private final Outages outages = new Outages(lines::add, () -> now);

    @ParameterizedTest
    @CsvSource({"'', OTHER, x", "'', OTEL_EXPORTER_OTLP_PROTOCOL, grpc", "http://127.0.0.1:9, OTEL_SDK_DISABLED, true",
        "http://127.0.0.1:9, OTEL_TRACES_EXPORTER, none"})
    void withoutACollectorOrTurnedOffEventsCarryNoContext(String collector, String variable, String value) {
        try (Tracing tracing = new Tracing(new Records(new MemoryStore()),
                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector, variable, value))) {
            assertThat(tracing.carry(EVENT)).isSameAs(EVENT);
            assertThat(tracing.context(StepPath.parse("r/phase1"))).isEmpty();
        }
    }

    @Test
    void anUnsupportedProtocolIsRefusedByName() {
        refusal(() -> Tracing.check(
                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9", "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")))
                .contains("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf");
    }

    @Test
    void aCollectorIsReachedThroughTheProxyOfItsAddress() throws IOException {
        try (LoopbackProxy proxy = new LoopbackProxy("{}")) {
            ProxyRules rules = ProxyRules.of(Map.of("HTTP_PROXY", proxy.url("u:p@")));
            SpanExporter exporter = new OtlpHttp(rules).createExporter(DefaultConfigProperties
                    .createFromMap(Map.of("otel.exporter.otlp.endpoint", "http://collector.example",
                            "otel.exporter.otlp.protocol", "http/protobuf")));
            try (SdkTracerProvider provider =
                    SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build()) {
                provider.get("test").spanBuilder("step").startSpan().end();
                provider.forceFlush().join(Waiting.MOST.toSeconds(), TimeUnit.SECONDS);
            }
            assertThat(proxy.passed()).first().satisfies(passed -> {
                assertThat(passed.line()).isEqualTo("POST http://collector.example/v1/traces HTTP/1.1");
                assertThat(passed.headers()).containsEntry("proxy-authorization", "Basic dTpw");
            });
        }
    }

    private IllegalStateException broken() {
        asked.incrementAndGet();
        return new IllegalStateException("made to fail");
    }

    @Test
    void aMeterThatFailsFailsNothingElse() {
        ProcessMetrics metrics = new ProcessMetrics(new SimpleMeterRegistry() {
            @Override
            protected Counter newCounter(Meter.Id id) {
                throw broken();
            }
        }, new Records(new MemoryStore()));
        metrics.modelRetried("anthropic", "overload");
        metrics.toolUsed("Read", true);
        metrics.deadLetter("io.mlestar.script.run");
        assertThat(asked).hasValue(3);
    }

    @Test
    void aCallWhoseTraceCannotBeReadIsMadeWithoutOne() {
        Records records = new Records(new FailingStore(new MemoryStore(), () -> {
            throw broken();
        }));
        try (Tracing tracing = new Tracing(records, Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1"))) {
            Event event = Event.work(Event.SCRIPT, StepPath.parse("r/phase1"), "test");
            assertThat(tracing.carry(event)).isEqualTo(event);
            assertThat(tracing.context(StepPath.parse("r/phase1"))).isEmpty();
        }
        assertThat(asked).hasValue(2);
    }

    private void fail(String provider, String said) {
        outages.retried(Optional.empty(), provider, "connection", said);
    }

    @Test
    void callsThatFailTogetherAreOneLine() {
        for (int call = 0; call < 8; call++) {
            fail("anthropic", "try 1 of call " + call);
        }
        fail("openai", "another provider");
        now = now.plus(Duration.ofSeconds(1));
        fail("anthropic", "try 2");
        outages.givenUp(Optional.empty(), "anthropic", "given up in the same second");
        assertThat(lines).containsExactly("try 1 of call 0", "another provider", "try 2");
    }

    @Test
    void theEndOfAnOutageIsPrintedOnce() {
        outages.answered(Optional.empty(), "anthropic");
        fail("anthropic", "down");
        outages.answered(Optional.empty(), "openai");
        outages.answered(Optional.empty(), "anthropic");
        outages.answered(Optional.empty(), "anthropic");
        assertThat(lines).containsExactly("down", "anthropic answers again");
    }
}
