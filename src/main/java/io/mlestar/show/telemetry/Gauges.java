package io.mlestar.show.telemetry;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.mlestar.core.records.Records;
import io.mlestar.show.view.RunStatus;
import io.mlestar.show.view.StoreSummary;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/// The state of the runs in the store, for `/q/metrics`. Only the process that serves the pages
/// shows it, since the processes of a cluster share one store. The gauges are sums over all runs: a
/// series for each run would be kept for ever.
class Gauges {
    private static final Duration FRESHNESS = Duration.ofSeconds(10);

    private final StoreSummary runs;
    private final MeterRegistry registry;
    private final boolean served;

    /// @param role `MLE_STAR_ROLE`; without it, and without a function of its own, a process serves
    ///   all, the pages too
    Gauges(
            Records records,
            MeterRegistry registry,
            @ConfigProperty(name = "quarkus.funqy.export") Optional<String> export,
            @ConfigProperty(name = "mle_star.role") Optional<String> role) {
        this.runs = new StoreSummary(records, InstantSource.system(), FRESHNESS);
        this.registry = registry;
        this.served = export.isEmpty() && role.map("status"::equals).orElse(true);
    }

    void install(@Observes StartupEvent start) {
        if (!served) {
            return;
        }
        for (RunStatus state : RunStatus.values()) {
            gauge("mlestar.runs", "Runs in the store", sums -> sums.runs().getOrDefault(state, 0),
                    "state", state.toString());
        }
        gauge("mlestar.runs.budget.usd", "Budgets of the running runs that have one",
                StoreSummary.Sums::budgetUsd);
        gauge("mlestar.runs.budget.left.usd", "What the running runs may still spend",
                StoreSummary.Sums::budgetLeftUsd);
    }

    /// Micrometer shows `NaN` while the store is unavailable. A gauge of an application that ran in
    /// this process before is removed, since it shows that application's store.
    private void gauge(
            String name,
            String description,
            ToDoubleFunction<StoreSummary.Sums> value,
            String... labels) {
        registry.find(name).tags(labels).meters().forEach(registry::remove);
        Gauge.builder(name, runs, looked -> value.applyAsDouble(looked.sums()))
                .description(description)
                .tags(labels)
                .strongReference(true)
                .register(registry);
    }
}
