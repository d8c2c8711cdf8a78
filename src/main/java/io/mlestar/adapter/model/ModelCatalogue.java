package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.adapter.model.provider.Protocol;
import io.mlestar.adapter.model.provider.ServerSearch;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Spelling;
import io.mlestar.core.task.Price;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The facts on providers and models: those of `models.yaml`, overlaid by those of the operator's
/// own file, which `MLE_STAR_MODELS` names. It is never part of a run: a request for a run must not
/// decide where the operator's keys are sent.
///
/// @param providers by the name before the colon
/// @param aliases short names of models
/// @param prices by `provider:name`
/// @param longPromptPrices of the models that cost more for a long prompt
/// @param longPromptTokens longer prompts cost more; null if the operator's file does not change it
/// @param limits by `provider:name`, as far as they are known
/// @param searches by `provider:name`, of models whose search is another than their provider's
@RegisterForReflection
record ModelCatalogue(
        Map<String, Endpoint> providers,
        Map<String, String> aliases,
        Map<String, Price> prices,
        Map<String, Price> longPromptPrices,
        @Nullable Integer longPromptTokens,
        Map<String, Limits> limits,
        Map<String, ServerSearch> searches) {
    private static final Limits UNKNOWN = new Limits(null, null, null);
    /// Read once; in a native image, when that is built.
    private static final ObjectNode FACTS = builtIn();
    private static final ModelCatalogue BUILT_IN = Json.readStrictly(FACTS, ModelCatalogue.class);

    /// The address, the key and the limits of a provider.
    ///
    /// @param url base address
    /// @param keyEnv variable that holds the key; null is the usual one of the name
    /// @param keyHeader in which the key goes, alone; null is as the protocol has it
    /// @param mostOutputTokens limit of an answer; null leaves it to the server, where the protocol
    ///   can do without
    /// @param free whether it costs nothing and needs no key, as a server on the operator's own
    ///   machine; null is no
    /// @param search of its own; null if it has none
    record Endpoint(
            Protocol protocol,
            String url,
            @Nullable String keyEnv,
            @Nullable String keyHeader,
            @Nullable Integer mostOutputTokens,
            @Nullable Boolean free,
            @Nullable ServerSearch search) {
        Endpoint {
            if (mostOutputTokens == null && protocol != null) {
                mostOutputTokens = protocol.provider().mostOutputTokens();
            }
            if (mostOutputTokens != null && mostOutputTokens < 1) {
                throw new Invalid("most_output_tokens must be 1 or more, not " + mostOutputTokens);
            }
            if (keyHeader != null && !isHeader(keyHeader)) {
                throw new Invalid(
                        "key_header must be a header that may be set, e.g. api-key, but is \""
                                + keyHeader + "\"");
            }
        }

        boolean isFree() {
            return Boolean.TRUE.equals(free);
        }
    }

    private static boolean isHeader(String name) {
        try {
            HttpRequest.newBuilder().header(name, "any");
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// The limits of a model, in tokens; null where they are not known.
    ///
    /// @param context prompt and answer together
    /// @param output the most that may be asked for
    /// @param reasoning what its thoughts take of an answer, on top of the provider's
    ///   `most_output_tokens`
    record Limits(
            @Nullable Integer context,
            @Nullable Integer output,
            @Nullable Integer reasoning) {}

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
        providers.forEach((name, endpoint) -> {
            if (!name.matches("[a-z][a-z0-9-]*") || endpoint.protocol() == null
                    || endpoint.url() == null) {
                throw new Invalid(
                        "provider " + name + " must have a name in lower case, a protocol ("
                                + Protocol.names()
                                + ") and a url");
            }
        });
    }

    /// @throws Invalid if the operator's file cannot be read, or is not of the form
    static ModelCatalogue of(Map<String, String> environment) {
        String file = environment.getOrDefault("MLE_STAR_MODELS", "");
        if (file.isBlank()) {
            return BUILT_IN;
        }
        try {
            ObjectNode all = FACTS.deepCopy();
            JsonNode read = new YAMLMapper()
                    .readTree(Files.readAllBytes(Invalid.file("it", Path.of(file))));
            if (!read.isObject() && !read.isMissingNode() && !read.isNull()) {
                throw new Invalid("the file must hold a map of fields");
            }
            read.properties().forEach(facts -> {
                if (facts.getValue() instanceof ObjectNode own
                        && all.get(facts.getKey()) instanceof ObjectNode built) {
                    built.setAll(own);
                } else if (!facts.getValue().isNull()) {
                    all.set(facts.getKey(), facts.getValue());
                }
            });
            return Json.readStrictly(all, ModelCatalogue.class);
        } catch (IOException e) {
            throw new Invalid("MLE_STAR_MODELS names " + file + ", which cannot be read: "
                    + Invalid.reason(e));
        } catch (Invalid e) {
            throw new Invalid("MLE_STAR_MODELS: " + e.getMessage());
        }
    }

    private static ObjectNode builtIn() {
        try (InputStream in = ModelCatalogue.class.getResourceAsStream("/models.yaml")) {
            return (ObjectNode) new YAMLMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The whole name behind a short one, e.g. `sonnet`.
    String fullName(String name) {
        return aliases.getOrDefault(name, name);
    }

    /// @throws Invalid if there is no such provider, or no name
    ModelEntry entry(String fullName) {
        int colon = fullName.indexOf(':');
        String provider = colon < 0 ? "" : fullName.substring(0, colon);
        if (fullName.substring(colon + 1).isBlank() || providers.containsKey(fullName)) {
            throw new Invalid(
                    "model \"" + fullName + "\" names no model; give "
                            + (colon < 0 ? fullName : provider) + ":NAME");
        }
        if (!providers.containsKey(provider)) {
            throw new Invalid("model \"" + fullName + "\" "
                    + likely(fullName)
                            .map(meant -> "names no provider; did you mean " + meant + "?")
                            .orElseGet(() -> "must be "
                                    + String.join(":NAME, ", new TreeSet<>(providers.keySet()))
                                    + ":NAME, recorded:FOLDER, "
                                    + String.join(", ", new TreeSet<>(aliases.keySet()))
                                    + Spelling.nearest(provider, providers.keySet())
                                            .map(meant -> "; did you mean " + meant
                                                    + fullName.substring(colon) + "?")
                                            .or(() -> Spelling.nearest(fullName, aliases.keySet())
                                                    .map(meant -> "; did you mean " + meant + "?"))
                                            .orElse("")));
        }
        return new ModelEntry(provider.toUpperCase(Locale.ROOT).replace('-', '_'),
                providers.get(provider), fullName.substring(colon + 1));
    }

    /// The name with its provider, if it has none and a known model's name begins as this one.
    private Optional<String> likely(String name) {
        String family = ":" + name.replaceFirst("(?<=[a-z])[^a-z].*$", "");
        return Stream.concat(prices.keySet().stream(), limits.keySet().stream())
                .filter(known -> !name.contains(":") && known.contains(family))
                .sorted()
                .findFirst()
                .map(known -> known.substring(0, known.indexOf(':') + 1) + name);
    }

    /// The limit of an answer of this model, its thoughts included; null leaves it to the server.
    @Nullable
    Integer mostOutputTokens(String fullName) {
        Limits known = limits(fullName);
        Integer most = entry(fullName).endpoint().mostOutputTokens();
        Integer wanted = most == null || known.reasoning() == null
                ? most
                : Integer.valueOf(most + known.reasoning());
        return wanted == null || known.output() == null
                ? wanted
                : Integer.valueOf(Math.min(wanted, known.output()));
    }

    Limits limits(String fullName) {
        return limits.getOrDefault(fullName, UNKNOWN);
    }

    /// @throws Invalid if there is no such provider
    Optional<ServerSearch> search(String fullName) {
        ServerSearch ofProvider = entry(fullName).endpoint().search();
        return Optional.ofNullable(searches.getOrDefault(fullName, ofProvider));
    }

    /// The list price of a model.
    ///
    /// @param inputTokens of the request: some models cost more for a long one
    Optional<Price> price(String fullName, long inputTokens) {
        if (entry(fullName).endpoint().isFree()) {
            return Optional.of(new Price(0, 0));
        }
        return Optional.ofNullable(longPromptTokens != null && inputTokens > longPromptTokens
                ? longPromptPrices.get(fullName)
                : null).or(() -> Optional.ofNullable(prices.get(fullName)));
    }
}
