package io.mlestar.show.telemetry;

import io.mlestar.core.base.ProxyRules;
import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.exporter.otlp.internal.OtlpConfigUtil;
import io.opentelemetry.exporter.sender.jdk.internal.JdkHttpSenderProvider;
import io.opentelemetry.sdk.autoconfigure.EnvironmentResourceProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.traces.ConfigurableSpanExporterProvider;
import io.opentelemetry.sdk.common.export.ProxyOptions;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.stream.Stream;

/// OTLP over HTTP, configured by the standard variables. OpenTelemetry's own provider also refers
/// to classes of gRPC, which are not on the class path: a native image could not be built with it.
record OtlpHttp(ProxyRules proxies) implements ConfigurableSpanExporterProvider {
    /// Lists the parts of OpenTelemetry, which it would look up in `META-INF/services`; a native
    /// image does not keep those files.
    record Parts(ProxyRules proxies) implements ComponentLoader {
        @Override
        public <T> Iterable<T> load(Class<T> kind) {
            return Stream
                    .<Object>of(new OtlpHttp(proxies), new JdkHttpSenderProvider(),
                            new EnvironmentResourceProvider())
                    .filter(kind::isInstance)
                    .map(kind::cast)
                    .toList();
        }
    }

    @Override
    public String getName() {
        return "otlp";
    }

    @Override
    public SpanExporter createExporter(ConfigProperties properties) {
        OtlpHttpSpanExporterBuilder builder = OtlpHttpSpanExporter.builder();
        OtlpConfigUtil.configureOtlpExporterBuilder(OtlpConfigUtil.DATA_TYPE_TRACES, properties,
                builder::setComponentLoader, builder::setEndpoint, builder::addHeader,
                builder::setCompression, builder::setTimeout, builder::setTrustedCertificates,
                builder::setClientTls, builder::setRetryPolicy, builder::setMemoryMode);
        builder.setProxy(ProxyOptions.create(proxies.selector()));
        // The JDK's client sends it to proxies only.
        proxies.byScheme()
                .values()
                .stream()
                .flatMap(proxy -> proxy.authorization().stream())
                .findFirst()
                .ifPresent(known -> builder.addHeader("Proxy-Authorization", known));
        return builder.build();
    }
}
