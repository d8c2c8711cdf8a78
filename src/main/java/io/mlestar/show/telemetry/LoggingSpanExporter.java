package io.mlestar.show.telemetry;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import org.jboss.logging.Logger;

/// An exporter that says in one line that the collector takes no spans, and in another that it does again; by itself it would print a
/// stack trace each time. Spans that could not be sent are lost; runs go on.
///
/// @param address of the collector
record LoggingSpanExporter(SpanExporter exporter, String address, AtomicBoolean failing) implements SpanExporter {
    private static final Logger LOG = Logger.getLogger("mle_star.traces");
    /// Held, or its level would be forgotten.
    private static final java.util.logging.Logger OWN = java.util.logging.Logger.getLogger("io.opentelemetry.exporter");

    LoggingSpanExporter {
        OWN.setLevel(Level.OFF);
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        CompletableResultCode sent = exporter.export(spans);
        sent.whenComplete(() -> {
            if (failing.getAndSet(!sent.isSuccess()) == sent.isSuccess()) {
                if (sent.isSuccess()) {
                    LOG.infof("the collector at %s takes spans again", address);
                } else {
                    LOG.warnf("the collector at %s takes no spans: %s", address, sent.getFailureThrowable());
                }
            }
        });
        return sent;
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
