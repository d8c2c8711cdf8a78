package io.mlestar.show.telemetry;

import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.exporter.otlp.internal.OtlpConfigUtil;
import io.opentelemetry.exporter.sender.jdk.internal.JdkHttpSenderProvider;
import io.opentelemetry.sdk.autoconfigure.EnvironmentResourceProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.traces.ConfigurableSpanExporterProvider;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.stream.Stream;

/// OTLP over HTTP, set by the standard variables. OpenTelemetry's own provider can speak gRPC too, with classes that are not here: a
/// native image could not be built.
final class OtlpHttp implements ConfigurableSpanExporterProvider {
    /// OpenTelemetry's parts by name: it looks for them in `META-INF/services`, of which a native image knows nothing.
    static final class Parts implements ComponentLoader {
        @Override
        public <T> Iterable<T> load(Class<T> kind) {
            return Stream.<Object>of(new OtlpHttp(), new JdkHttpSenderProvider(), new EnvironmentResourceProvider())
                    .filter(kind::isInstance).map(kind::cast).toList();
        }
    }

    @Override
    public String getName() {
        return "otlp";
    }

    @Override
    public SpanExporter createExporter(ConfigProperties properties) {
        OtlpHttpSpanExporterBuilder builder = OtlpHttpSpanExporter.builder();
        OtlpConfigUtil.configureOtlpExporterBuilder(OtlpConfigUtil.DATA_TYPE_TRACES, properties, builder::setComponentLoader,
                builder::setEndpoint, builder::addHeader, builder::setCompression, builder::setTimeout, builder::setTrustedCertificates,
                builder::setClientTls, builder::setRetryPolicy, builder::setMemoryMode);
        return builder.build();
    }
}
