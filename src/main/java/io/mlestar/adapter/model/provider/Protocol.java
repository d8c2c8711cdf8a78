package io.mlestar.adapter.model.provider;

import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.annotation.EnumNaming;
import io.mlestar.core.base.Json;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The catalogue of the ways to speak to a model, by the names that `models.yaml` uses.
@RegisterForReflection
@EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
public enum Protocol {
    ANTHROPIC(new Anthropic()), OPENAI(new OpenAi()), OPENAI_RESPONSES(new OpenAiResponses()),
    GEMINI(new Gemini(false)), OLLAMA(new Ollama());

    private final ModelProvider provider;

    Protocol(ModelProvider provider) {
        this.provider = provider;
    }

    public ModelProvider provider() {
        return provider;
    }

    /// All of them, for people.
    public static String names() {
        return Stream.of(values())
                .map(protocol -> Json.tree(protocol).asText())
                .collect(Collectors.joining(", "));
    }
}
