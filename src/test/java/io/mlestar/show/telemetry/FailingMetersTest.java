package io.mlestar.show.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.FailingStore;
import io.mlestar.core.store.MemoryStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Calls of models and of the broker pass through metrics and traces, which must not make them
/// fail.
class FailingMetersTest {
    private final AtomicInteger asked = new AtomicInteger();

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
}
