package io.mlestar.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.provider.Protocol;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.Price;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// What is known of providers and models: the dated facts of `models.yaml`, under those of the operator's own file, which
/// `MLE_STAR_MODELS` names. It is never part of a run: whoever asks for one must not say where the operator's keys are sent.
///
/// @param providers by the name before the colon
/// @param aliases short names of models
/// @param prices by `provider:name`
/// @param longPromptPrices of the models that cost more for a long prompt
@RegisterForReflection
record ModelCatalogue(Map<String, Endpoint> providers, Map<String, String> aliases, Map<String, Price> prices, Map<String, Price> longPromptPrices) {
    private static final String BUILT_IN = "/models.yaml";
    private static final int LONG_PROMPT = 100_000;

    /// How a provider is spoken to.
    ///
    /// @param url base address
    /// @param keyEnv variable that holds the key; null is the usual one of the name
    /// @param mostOutputTokens limit of an answer; null leaves it to the server, where the protocol can do without
    /// @param free whether it costs nothing, as what runs on one's own machine; null is no
    record Endpoint(Protocol protocol, String url, String keyEnv, Integer mostOutputTokens, Boolean free) {
        Endpoint {
            if (mostOutputTokens == null && protocol != null) {
                mostOutputTokens = protocol.provider().mostOutputTokens();
            }
            if (mostOutputTokens != null && mostOutputTokens < 1) {
                throw new Invalid("most_output_tokens must be 1 or more, not " + mostOutputTokens);
            }
        }
    }

    /// A model of a provider.
    ///
    /// @param provider as its variables begin, e.g. `OPENAI`
    record ModelEntry(String provider, Endpoint endpoint, String model) {
        String keyVariable() {
            return endpoint.keyEnv() == null ? provider + "_API_KEY" : endpoint.keyEnv();
        }

        String addressVariable() {
            return provider + "_BASE_URL";
        }
    }

    ModelCatalogue {
        providers = orNone(providers);
        aliases = orNone(aliases);
        prices = orNone(prices);
        longPromptPrices = orNone(longPromptPrices);
        providers.forEach((name, endpoint) -> {
            if (!name.matches("[a-z][a-z0-9-]*") || endpoint.protocol() == null || endpoint.url() == null) {
                throw new Invalid("provider " + name + " must have a name in lower case, a protocol (" + Protocol.names()
                        + ") and a url");
            }
        });
    }

    private static <T> Map<String, T> orNone(Map<String, T> map) {
        return map == null ? Map.of() : Map.copyOf(map);
    }

    /// @throws Invalid if the operator's file cannot be read, or is not of the form
    static ModelCatalogue of(Map<String, String> environment) {
        ModelCatalogue builtIn;
        try (InputStream in = ModelCatalogue.class.getResourceAsStream(BUILT_IN)) {
            builtIn = parse(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String file = environment.getOrDefault("MLE_STAR_MODELS", "");
        if (file.isBlank()) {
            return builtIn;
        }
        try {
            return builtIn.under(parse(Files.readAllBytes(Path.of(file))));
        } catch (IOException e) {
            throw new Invalid("MLE_STAR_MODELS names " + file + ", which cannot be read: " + e.getMessage());
        } catch (Invalid e) {
            throw new Invalid("MLE_STAR_MODELS: " + e.getMessage());
        }
    }

    private static ModelCatalogue parse(byte[] yaml) throws IOException {
        JsonNode tree = new YAMLMapper().readTree(yaml);
        return Json.readStrictly(tree.isMissingNode() ? Json.object() : tree, ModelCatalogue.class);
    }

    private ModelCatalogue under(ModelCatalogue own) {
        return new ModelCatalogue(laid(providers, own.providers), laid(aliases, own.aliases), laid(prices, own.prices),
                laid(longPromptPrices, own.longPromptPrices));
    }

    private static <T> Map<String, T> laid(Map<String, T> below, Map<String, T> above) {
        Map<String, T> both = new HashMap<>(below);
        both.putAll(above);
        return both;
    }

    /// The whole name behind a short one, e.g. `sonnet`.
    String fullName(String name) {
        return aliases.getOrDefault(name, name);
    }

    /// @throws Invalid if there is no such provider, or no name
    ModelEntry entry(String fullName) {
        int colon = fullName.indexOf(':');
        String provider = colon < 0 ? "" : fullName.substring(0, colon);
        if (fullName.substring(colon + 1).isBlank()) {
            throw new Invalid("model \"" + fullName + "\" names no model");
        }
        if (!providers.containsKey(provider)) {
            throw new Invalid("model \"" + fullName + "\" must be " + String.join(":NAME, ", new TreeSet<>(providers.keySet()))
                    + ":NAME, recorded:FOLDER, " + String.join(", ", new TreeSet<>(aliases.keySet())));
        }
        return new ModelEntry(provider.toUpperCase(java.util.Locale.ROOT).replace('-', '_'), providers.get(provider), fullName.substring(colon + 1));
    }

    /// The price of a model of which the configuration says nothing.
    ///
    /// @param inputTokens of the request: some models cost more for a long one
    Optional<Price> price(String fullName, long inputTokens) {
        if (Boolean.TRUE.equals(entry(fullName).endpoint().free())) {
            return Optional.of(new Price(0, 0, null, null));
        }
        return Optional.ofNullable(inputTokens > LONG_PROMPT ? longPromptPrices.get(fullName) : null)
                .or(() -> Optional.ofNullable(prices.get(fullName)));
    }
}
