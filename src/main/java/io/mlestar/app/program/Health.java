package io.mlestar.app.program;

import io.mlestar.adapter.model.Models;
import io.mlestar.app.http.Role;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.store.StoreUnavailable;
import io.smallrye.health.api.Wellness;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Answers `/q/health` for this process.
@Singleton
class Health {
    private static final Logger LOG = Logger.getLogger("mle_star");
    private static final Duration FRESH = Duration.ofSeconds(5);

    /// The functions that this process serves; null if it serves pages.
    private final Role.@Nullable Only functions;

    Health(Role role) {
        this.functions = role instanceof Role.Only only ? only : null;
    }

    /// A pod that serves functions is not ready until it knows the address of the cluster's broker:
    /// without it their events would be lost. A SinkBinding sets the address, sometimes only after
    /// the first pod has started.
    ///
    /// @param service `K_SERVICE`, which Knative Serving sets in its pods
    /// @param sink `K_SINK`, the broker
    @Produces
    @Readiness
    @Singleton
    HealthCheck broker(
            @ConfigProperty(name = "k.service") Optional<String> service,
            @ConfigProperty(name = "k.sink") Optional<String> sink) {
        return () -> service.isEmpty() || functions == null || sink.isPresent()
                ? HealthCheckResponse.up("broker")
                : down("broker", "K_SINK is not set, so the results of " + functions.name()
                        + " would be lost; a SinkBinding sets it");
    }

    /// Checks that the default model has its key. No model is asked. An agent's pod can do nothing
    /// without the key, so it is not ready, and its log says why; a server for everything can,
    /// since each run may name another model, so it only says what is missing.
    @Produces
    @Readiness
    @Singleton
    HealthCheck model(CompositionRoot root, Models models) {
        AtomicBoolean logged = new AtomicBoolean();
        boolean agent = functions != null && functions.asksModels();
        return () -> {
            if (functions != null && !agent) {
                return HealthCheckResponse.up("model");
            }
            try {
                String model = root.config(Json.object()).models().model();
                models.get(model);
                return HealthCheckResponse.named("model").up().withData("model", model).build();
            } catch (Invalid e) {
                if (agent && !logged.getAndSet(true)) {
                    LOG.warnf("this pod is not ready: %s; MLE_STAR_MODEL names the default model",
                            e.getMessage());
                }
                return HealthCheckResponse.named("model")
                        .status(!agent)
                        .withData("missing", e.getMessage())
                        .build();
            }
        };
    }

    /// Checks that the store answers. Readiness does not depend on it: without the store each
    /// process answers 503. Anyone can ask, so the reason goes to the log only, and the store is
    /// asked at most every five seconds.
    @Produces
    @Wellness
    @Singleton
    HealthCheck store(Records records, InstantSource clock) {
        return new HealthCheck() {
            private Instant asked = Instant.MIN;
            private boolean answers;

            @Override
            public synchronized HealthCheckResponse call() {
                Instant now = clock.instant();
                if (asked.plus(FRESH).isBefore(now)) {
                    answers = answers(records);
                    asked = now;
                }
                return answers
                        ? HealthCheckResponse.up("store")
                        : down("store", "the store is out of reach; the log says why");
            }
        };
    }

    private static boolean answers(Records records) {
        try {
            records.store().read("health");
            return true;
        } catch (StoreUnavailable e) {
            LOG.warnf("the store is out of reach: %s", e.getMessage());
            return false;
        }
    }

    private static HealthCheckResponse down(String name, String reason) {
        return HealthCheckResponse.named(name).down().withData("reason", reason).build();
    }
}
