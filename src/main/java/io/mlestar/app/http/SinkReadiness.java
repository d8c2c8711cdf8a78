package io.mlestar.app.http;

import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/// A pod that serves one function is not ready until it knows the address of the cluster's broker: without it the function's events would be lost.
/// A SinkBinding sets the address, sometimes only after the first pod has started.
@Readiness
@Singleton
class SinkReadiness implements HealthCheck {
    private final Optional<String> service;
    private final Optional<String> export;
    private final Optional<String> sink;

    /// @param service `K_SERVICE`, which Knative Serving sets in its pods
    /// @param export `QUARKUS_FUNQY_EXPORT`, the one function of this process
    /// @param sink `K_SINK`, the broker
    SinkReadiness(@ConfigProperty(name = "k.service") Optional<String> service, @ConfigProperty(name = "quarkus.funqy.export") Optional<String> export,
            @ConfigProperty(name = "k.sink") Optional<String> sink) {
        this.service = service;
        this.export = export;
        this.sink = sink;
    }

    @Override
    public HealthCheckResponse call() {
        boolean swallows = service.isPresent() && export.isPresent() && sink.isEmpty();
        return swallows ? HealthCheckResponse.named("broker").down()
                .withData("reason", "K_SINK is not set, so function " + export.get() + " could tell nobody what it did; a SinkBinding sets it").build()
                : HealthCheckResponse.named("broker").up().build();
    }
}
