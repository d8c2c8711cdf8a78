package io.mlestar.adapter.model;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Price;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Models by `provider:name`, made when first asked for.
public final class Models {

    private final Map<String, Model> known = new ConcurrentHashMap<>();
    private final ModelCatalogue catalogue;
    private final Providers providers;
    private final Retries retries;

    /// @param environment keys and addresses of the providers
    public Models(Map<String, String> environment) {
        this(environment, ModelCallListener.NONE);
    }

    /// @param listener of the calls to models
    public Models(Map<String, String> environment, ModelCallListener listener) {
        this(environment, InstantSource.system(), Retries.Sleeper.REAL, listener);
    }

    /// @param clock by which the time of a call is measured
    Models(Map<String, String> environment, InstantSource clock, Retries.Sleeper sleeper, ModelCallListener listener) {
        this.catalogue = ModelCatalogue.of(environment);
        this.providers = new Providers(Map.copyOf(environment), catalogue);
        this.retries = new Retries(clock, sleeper, listener);
    }

    /// @throws Invalid if there is no such provider, or it cannot be used as things are
    public Model get(String name) {
        return known.computeIfAbsent(catalogue.fullName(name), this::open);
    }

    private Model open(String name) {
        return PipelineConfig.isRecorded(name) ? RecordedModel.open(Path.of(name.substring(PipelineConfig.RECORDED.length())))
                : new LanguageModel(providers.open(name, false), providers.open(name, true), retries);
    }

    /// Asks a model one tiny question, once: whether its address, key and name are right.
    ///
    /// @throws Invalid if there is no such provider, or it cannot be used as things are
    public Probe probe(String name) {
        get(name);
        String fullName = catalogue.fullName(name);
        if (PipelineConfig.isRecorded(name)) {
            return new Probe.NotAsked();
        }
        Integer limit = catalogue.mostOutputTokens(fullName);
        int most = limit == null ? Probe.MOST_TOKENS : Math.min(limit, Probe.MOST_TOKENS);
        return Probe.ask(fullName, providers.open(fullName, most, catalogue.entry(fullName).endpoint().protocol().provider()));
    }

    /// Whether it is known what the model costs: it is free, recorded, in the list of prices, or in `prices`.
    ///
    /// @param prices by the names that the configuration uses
    public boolean isPriced(String name, Map<String, Price> prices) {
        return PipelineConfig.isRecorded(name) || price(name, prices, 0).isPresent();
    }

    /// What a model costs; empty if that is unknown, or a recording answers, which knows what each of its answers cost.
    ///
    /// @param prices by the names that the configuration uses
    /// @param inputTokens of the request: some models cost more for a long one
    public Optional<Price> price(String name, Map<String, Price> prices, long inputTokens) {
        return PipelineConfig.isRecorded(name) ? Optional.empty()
                : Optional.ofNullable(prices.get(name)).or(() -> catalogue.price(catalogue.fullName(name), inputTokens));
    }

    /// Whether the model's provider searches the web by itself, and may.
    ///
    /// @throws Invalid if there is no such provider
    public boolean canSearch(String name, PipelineConfig config) {
        return config.providerSearch() && !PipelineConfig.isRecorded(name) && catalogue.search(catalogue.fullName(name)).isPresent();
    }

    /// Whether there is such a provider, for a process that will not ask it itself.
    ///
    /// @throws Invalid if there is none
    public void check(String name) {
        if (!PipelineConfig.isRecorded(name)) {
            catalogue.entry(catalogue.fullName(name));
        }
    }
}
