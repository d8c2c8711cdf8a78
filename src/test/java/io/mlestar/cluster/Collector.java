package io.mlestar.cluster;

import io.mlestar.LocalServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import module java.base;

/// Stands where an OpenTelemetry collector stands: takes spans as OTLP over HTTP and keeps them.
final class Collector implements AutoCloseable {
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final LocalServer server = LocalServer.start(exchange -> {
        ExportTraceServiceRequest.parseFrom(exchange.getRequestBody().readAllBytes()).getResourceSpansList()
                .forEach(resource -> resource.getScopeSpansList().forEach(scope -> spans.addAll(scope.getSpansList())));
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    });

    Collector() throws IOException {}

    String address() {
        return server.address();
    }

    List<Span> spans() {
        return List.copyOf(spans);
    }

    /// A span's attributes as texts.
    static Map<String, String> attributes(Span span) {
        return span.getAttributesList().stream()
                .collect(Collectors.toMap(one -> one.getKey(), one -> switch (one.getValue().getValueCase()) {
                    case STRING_VALUE -> one.getValue().getStringValue();
                    case INT_VALUE -> Long.toString(one.getValue().getIntValue());
                    case DOUBLE_VALUE -> Double.toString(one.getValue().getDoubleValue());
                    default -> throw new AssertionError("an attribute of no expected type: " + one);
                }));
    }

    @Override
    public void close() {
        server.close();
    }
}
