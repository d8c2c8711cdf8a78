package io.mlestar.llm;

import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.ollama.OllamaChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import io.mlestar.task.Invalid;
import io.mlestar.task.Price;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// The providers of language models: the only place that knows their names, keys and addresses.
///
/// @param environment where keys and addresses are read; a key may also lie in a file that `<NAME>_FILE` names
record Providers(Map<String, String> environment) {
    private static final int MOST_OUTPUT_TOKENS = 16_384;
    /// What these models think before they answer counts as output too.
    private static final int MOST_ANTHROPIC_TOKENS = 32_000;
    /// The current ones of platform.claude.com/docs/en/models, October 2026.
    private static final Map<String, String> ALIASES = Map.of(
            "opus", "anthropic:claude-opus-5-5", "sonnet", "anthropic:claude-sonnet-5-5", "haiku", "anthropic:claude-haiku-5-5");
    /// List prices of the same pages; cache writes are those for five minutes.
    private static final Map<String, Price> PRICES = Map.of(
            "anthropic:claude-opus-5-5", new Price(4, 20, 0.2, 5.0),
            "anthropic:claude-sonnet-5-5", new Price(2, 10, 0.2, 2.5),
            "anthropic:claude-haiku-5-5", new Price(0.1, 0.5, 0.01, 0.125),
            "anthropic:claude-opus-5", new Price(5, 25, 0.5, 6.25),
            "anthropic:claude-sonnet-5", new Price(2, 10, 0.2, 2.5),
            "anthropic:claude-opus-4-5", new Price(5, 25, 0.5, 6.25),
            "anthropic:claude-sonnet-4-5", new Price(3, 15, 0.3, 3.75),
            "anthropic:claude-haiku-4-5", new Price(1, 5, 0.1, 1.25));
    private static final int LONG_PROMPT = 100_000;
    /// Of those models that cost more for a long prompt.
    private static final Map<String, Price> LONG_PROMPT_PRICES = Map.of(
            "anthropic:claude-haiku-5-5", new Price(0.5, 2.5, 0.05, 0.625));

    /// The whole name behind a short one: `sonnet` alone means Anthropic's.
    static String fullName(String name) {
        return ALIASES.getOrDefault(name, name);
    }

    /// The price of a model of which the configuration says nothing; what runs on one's own machine is free.
    ///
    /// @param inputTokens of the request: some models cost more for a long one
    static Optional<Price> price(String fullName, long inputTokens) {
        if (fullName.startsWith("ollama:")) {
            return Optional.of(new Price(0, 0, null, null));
        }
        return Optional.ofNullable(inputTokens > LONG_PROMPT ? LONG_PROMPT_PRICES.get(fullName) : null)
                .or(() -> Optional.ofNullable(PRICES.get(fullName)));
    }

    /// Whether a request may name tools that the model must not use. Ollama's cannot, and wants none named then.
    static boolean canForbidTools(String fullName) {
        return parse(fullName).provider() != Provider.OLLAMA;
    }

    /// @throws Invalid if the provider is unknown, its address is none, or its key is missing
    ChatModel open(String fullName) {
        return open(fullName, Integer.MAX_VALUE);
    }

    /// The same, for short answers.
    ///
    /// @param mostTokens of an answer
    ChatModel open(String fullName, int mostTokens) {
        Parsed parsed = parse(fullName);
        String name = parsed.name();
        return switch (parsed.provider()) {
            case ANTHROPIC -> AnthropicChatModel.builder().httpClientBuilder(Exchange.builder(parsed.provider().name()))
                    .apiKey(key("ANTHROPIC_API_KEY", fullName)).baseUrl(address("ANTHROPIC_BASE_URL", "https://api.anthropic.com/v1/"))
                    .modelName(name).maxTokens(Math.min(mostTokens, MOST_ANTHROPIC_TOKENS)).maxRetries(0).cacheSystemMessages(true)
                    .supportedCapabilities(Capability.RESPONSE_FORMAT_JSON_SCHEMA).build();
            case OPENAI -> OpenAiChatModel.builder().httpClientBuilder(Exchange.builder(parsed.provider().name()))
                    .apiKey(key("OPENAI_API_KEY", fullName)).baseUrl(address("OPENAI_BASE_URL", "https://api.openai.com/v1"))
                    .modelName(name).maxCompletionTokens(Math.min(mostTokens, MOST_OUTPUT_TOKENS)).maxRetries(0).strictJsonSchema(true)
                    .supportedCapabilities(Capability.RESPONSE_FORMAT_JSON_SCHEMA).build();
            case OLLAMA -> OllamaChatModel.builder().httpClientBuilder(Exchange.builder(parsed.provider().name()))
                    .baseUrl(address("OLLAMA_BASE_URL", "http://localhost:11434")).modelName(name).maxRetries(0)
                    .numPredict(mostTokens == Integer.MAX_VALUE ? null : mostTokens)
                    .supportedCapabilities(Capability.RESPONSE_FORMAT_JSON_SCHEMA).build();
        };
    }

    enum Provider {
        ANTHROPIC,
        OPENAI,
        OLLAMA
    }

    record Parsed(Provider provider, String name) {}

    /// @throws Invalid if there is no such provider, or no name
    static Parsed parse(String fullName) {
        int colon = fullName.indexOf(':');
        String provider = colon < 0 ? "" : fullName.substring(0, colon);
        if (fullName.substring(colon + 1).isBlank()) {
            throw new Invalid("model \"" + fullName + "\" names no model");
        }
        return new Parsed(switch (provider) {
            case "anthropic" -> Provider.ANTHROPIC;
            case "openai" -> Provider.OPENAI;
            case "ollama" -> Provider.OLLAMA;
            default -> throw new Invalid("model \"" + fullName
                    + "\" must be anthropic:NAME, openai:NAME, ollama:NAME, recorded:FOLDER, opus, sonnet or haiku");
        }, fullName.substring(colon + 1));
    }

    private String address(String variable, String otherwise) {
        String address = environment.get(variable);
        if (address == null || address.isBlank()) {
            return otherwise;
        }
        try {
            URI uri = new URI(address.strip());
            if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) && uri.getHost() != null) {
                return address.strip();
            }
        } catch (URISyntaxException e) {
            // Said below.
        }
        throw new Invalid(variable + " is \"" + address.strip() + "\", which is no address; write it as " + otherwise);
    }

    private String key(String variable, String model) {
        String key = environment.get(variable);
        String file = environment.get(variable + "_FILE");
        if ((key == null || key.isBlank()) && file != null && !file.isBlank()) {
            try {
                key = Files.readString(Path.of(file));
            } catch (IOException e) {
                throw new Invalid(variable + "_FILE names " + file + ", which cannot be read");
            }
        }
        if (key == null || key.isBlank()) {
            throw new Invalid(variable + " is not set; model " + model + " needs it");
        }
        if (!key.strip().chars().allMatch(character -> character > ' ' && character < 127)) {
            throw new Invalid(variable + " holds a character that no key has; set it anew");
        }
        return key.strip();
    }
}
