package io.mlestar.show.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.LoopbackProxy;
import io.mlestar.Waiting;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.ProxyRules;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.opentelemetry.sdk.autoconfigure.spi.internal.DefaultConfigProperties;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TracingTest {
    private static final Event EVENT = Event.work(Event.SCRIPT, StepPath.parse("r/phase1"), "asked");

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
        assertThatThrownBy(() -> Tracing.check(
                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9", "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")))
                .isInstanceOf(Invalid.class).hasMessageContaining("OTEL_EXPORTER_OTLP_PROTOCOL")
                .hasMessageContaining("http/protobuf");
    }

    @Test
    void aCollectorIsReachedThroughTheProxyOfItsAddress() throws IOException {
        try (LoopbackProxy proxy = new LoopbackProxy("{}")) {
            ProxyRules rules = ProxyRules.of(Map.of("HTTP_PROXY", proxy.url("u:p@")));
            SpanExporter exporter = new OtlpHttp(rules).createExporter(
                    DefaultConfigProperties
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
}
