package io.mlestar.show.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TracingTest {
    private static final Event EVENT = Event.work(Event.SCRIPT, StepPath.parse("r/phase1"), "asked");

    @ParameterizedTest
    @CsvSource({"OTHER, x", "OTEL_EXPORTER_OTLP_PROTOCOL, grpc", "OTEL_EXPORTER_OTLP_ENDPOINT, ''"})
    void withoutACollectorEventsCarryNoContext(String variable, String value) {
        try (Tracing tracing = new Tracing(new Records(new MemoryStore()), Map.of(variable, value))) {
            assertThat(tracing.carry(EVENT)).isSameAs(EVENT);
            assertThat(tracing.context(StepPath.parse("r/phase1"))).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"OTEL_SDK_DISABLED, true", "OTEL_TRACES_EXPORTER, none"})
    void theStandardVariablesTurnTracingOff(String variable, String value) {
        try (Tracing tracing = new Tracing(new Records(new MemoryStore()), Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9", variable, value))) {
            assertThat(tracing.carry(EVENT)).isSameAs(EVENT);
        }
    }

    @Test
    void anUnsupportedProtocolIsRefusedByName() {
        assertThatThrownBy(() -> Tracing.check(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9", "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")))
                .isInstanceOf(Invalid.class).hasMessageContaining("OTEL_EXPORTER_OTLP_PROTOCOL").hasMessageContaining("http/protobuf");
    }
}
