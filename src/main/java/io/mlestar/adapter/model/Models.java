package io.mlestar.adapter.model;

import dev.langchain4j.model.chat.ChatModel;
import io.mlestar.adapter.model.ModelCatalogue.ModelEntry;
import io.mlestar.adapter.model.provider.ModelProvider;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.ProxyRules;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import io.mlestar.core.task.ModelSettings;
import io.mlestar.core.task.Price;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Models by `provider:name`, made when first asked for.
public final class Models {

    private final Map<String, Model> known = new ConcurrentHashMap<>();
    private final ProviderProfiles profiles;
    private final ModelCatalogue catalogue;
    private final Map<String, String> environment;
    private final Retries retries;

    /// @param environment keys and addresses of the providers; a key may also lie in a file that
    ///   `<NAME>_FILE` names
    public Models(Map<String, String> environment) {
        this(environment, ModelCallListener.NONE, new MemoryStore());
    }

    /// @param listener of the calls to models
    /// @param store keeps with each run what its models' servers do not take
    public Models(Map<String, String> environment, ModelCallListener listener, Store store) {
        this(environment, InstantSource.system(), Retries.Sleeper.REAL, listener, store);
    }

    Models(
            Map<String, String> environment,
            InstantSource clock,
            Retries.Sleeper sleeper,
            ModelCallListener listener) {
        this(environment, clock, sleeper, listener, new MemoryStore());
    }

    /// @param clock by which the time of a call is measured
    Models(
            Map<String, String> environment,
            InstantSource clock,
            Retries.Sleeper sleeper,
            ModelCallListener listener,
            Store store) {
        this.profiles = new ProviderProfiles(store);
        this.catalogue = ModelCatalogue.of(environment);
        this.environment = Map.copyOf(environment);
        this.retries = new Retries(clock, sleeper, listener);
    }

    /// @throws Invalid if there is no such provider, or it cannot be used as things are
    public Model get(String name) {
        return known.computeIfAbsent(catalogue.fullName(name), this::open);
    }

    private Model open(String name) {
        return ModelSettings.isRecorded(name)
                ? RecordedModel.open(Path.of(name.substring(ModelSettings.RECORDED.length())))
                : new LanguageModel(open(name, false), open(name, true), retries);
    }

    /// Asks a model one tiny question: whether its address, key and name are right.
    ///
    /// @throws Invalid if there is no such provider, or it cannot be used as things are
    public Probe probe(String name) {
        return probe(name, Probe.QuestionForm.PLAIN);
    }

    /// The same in the form in which agents ask, too.
    ///
    /// @throws Invalid as [#probe(String)]
    public Probe probe(String name, Probe.QuestionForm form) {
        get(name);
        String fullName = catalogue.fullName(name);
        if (ModelSettings.isRecorded(name)) {
            return new Probe.NotAsked();
        }
        Integer limit = catalogue.mostOutputTokens(fullName);
        int most = limit == null ? Probe.MOST_TOKENS : Math.min(limit, Probe.MOST_TOKENS);
        return Probe.ask(fullName,
                open(fullName, most, catalogue.entry(fullName).endpoint().protocol().provider()),
                form);
    }

    /// True if the model's price is known: it is free, recorded, in the list of prices, or in
    /// `prices`.
    ///
    /// @param prices by the names that the configuration uses
    public boolean isPriced(String name, Map<String, Price> prices) {
        return ModelSettings.isRecorded(name) || price(name, prices, 0).isPresent();
    }

    /// The price of a model; empty if it is unknown, or if a recording answers, which knows the
    /// cost of each of its answers.
    ///
    /// @param prices by the names that the configuration uses
    /// @param inputTokens of the request: some models cost more for a long one
    public Optional<Price> price(String name, Map<String, Price> prices, long inputTokens) {
        return ModelSettings.isRecorded(name)
                ? Optional.empty()
                : Optional.ofNullable(prices.get(name))
                        .or(() -> catalogue.price(catalogue.fullName(name), inputTokens));
    }

    /// True if the model's provider searches the web by itself, and may.
    ///
    /// @throws Invalid if there is no such provider
    public boolean canSearch(String name, ModelSettings settings) {
        return settings.providerSearch() && !ModelSettings.isRecorded(name)
                && catalogue.search(catalogue.fullName(name)).isPresent();
    }

    /// The model's server as a run has come to know it.
    LearnedProfile server(Optional<StepPath> step, String name) {
        return ModelSettings.isRecorded(name)
                ? LearnedProfile.NONE
                : profiles.of(step, catalogue.fullName(name));
    }

    /// Checks that there is such a provider, for a process that will not ask it itself.
    ///
    /// @throws Invalid if there is none
    public void check(String name) {
        if (!ModelSettings.isRecorded(name)) {
            catalogue.entry(catalogue.fullName(name));
        }
    }

    /// @param searching whether the provider may search the web
    /// @throws Invalid if the provider is unknown, its address is not valid, or its key is missing
    private ProviderModel open(String fullName, boolean searching) {
        ModelProvider usual = catalogue.entry(fullName).endpoint().protocol().provider();
        ModelProvider provider = searching ? usual.searching() : usual;
        return new ProviderModel(fullName, provider,
                open(fullName, catalogue.mostOutputTokens(fullName), provider), catalogue);
    }

    /// @param mostTokens of an answer; null leaves it to the server
    private ChatModel open(String fullName, @Nullable Integer mostTokens, ModelProvider provider) {
        ModelEntry entry = catalogue.entry(fullName);
        return provider.open(new ModelProvider.Access(
                MeteredHttpClient.builder(entry, provider, ProxyRules.of(environment)),
                address(entry.addressVariable(), entry.endpoint().url()),
                () -> key(entry.keyVariable(), fullName), entry.model(), mostTokens,
                catalogue.limits(fullName).context()));
    }

    private String address(String variable, String otherwise) {
        String address = environment.get(variable);
        if (address == null || address.isBlank()) {
            return otherwise;
        }
        try {
            URI uri = new URI(address.strip());
            if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                    && uri.getHost() != null) {
                return address.strip();
            }
        } catch (URISyntaxException e) {
            // Said below.
        }
        throw new Invalid(
                variable + " is \"" + address.strip()
                        + "\", which is not a valid URL; expected e.g. " + otherwise);
    }

    private String key(String variable, String model) {
        String key = environment.get(variable);
        String file = environment.get(variable + "_FILE");
        if ((key == null || key.isBlank()) && file != null && !file.isBlank()) {
            try {
                key = Files.readString(Invalid.file(variable + "_FILE", Path.of(file)));
            } catch (IOException e) {
                throw new Invalid(variable + "_FILE names " + file + ", which cannot be read");
            }
        }
        if (key == null || key.isBlank()) {
            if (catalogue.entry(model).endpoint().isFree()) {
                return "none";
            }
            throw new Invalid(variable + " is not set; model " + model + " needs it");
        }
        if (!key.strip().chars().allMatch(character -> character > ' ' && character < 127)) {
            throw new Invalid(variable + " contains a character that no API key has");
        }
        return key.strip();
    }
}
