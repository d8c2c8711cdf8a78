package io.mlestar.show.telemetry;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import org.jboss.logging.Logger;

/// Logs one line when the collector stops taking spans, and one when it takes them again;
/// OpenTelemetry would print a stack trace for each export. Spans that could not be sent are lost;
/// runs go on.
///
/// @param address of the collector
record LoggingSpanExporter(
        SpanExporter exporter,
        String address,
        AtomicBoolean failing) implements SpanExporter {
    private static final Logger LOG = Logger.getLogger("mle_star.traces");
    /// A strong reference: the level of a logger that is collected is lost.
    private static final java.util.logging.Logger OWN =
            java.util.logging.Logger.getLogger("io.opentelemetry.exporter");

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
                    LOG.warnf("the collector at %s takes no spans: %s", address,
                            sent.getFailureThrowable());
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
