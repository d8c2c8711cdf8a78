package io.mlestar.provider;

import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.ollama.OllamaChatModel;
import io.quarkus.runtime.annotations.RegisterForReflection;

/// Ollama's own protocol. Its client says nothing of what a native image must keep of its messages; a test compares with the client as
/// it is.
@RegisterForReflection(classNames = {
    Ollama.WIRE + "OllamaChatRequest", Ollama.WIRE + "OllamaChatResponse", Ollama.WIRE + "Message", Ollama.WIRE + "Role",
    Ollama.WIRE + "Options", Ollama.WIRE + "Tool", Ollama.WIRE + "ToolCall", Ollama.WIRE + "Function", Ollama.WIRE + "FunctionCall",
    Ollama.WIRE + "Parameters", Ollama.WIRE + "FormatSerializer", "com.fasterxml.jackson.databind.PropertyNamingStrategies$SnakeCaseStrategy"})
final class Ollama implements ModelProvider {
    static final String WIRE = "dev.langchain4j.model.ollama.";

    @Override
    public ChatModel open(Access access) {
        return OllamaChatModel.builder().httpClientBuilder(access.http()).baseUrl(access.url()).modelName(access.model()).maxRetries(0)
                .numPredict(access.mostTokens()).supportedCapabilities(Capability.RESPONSE_FORMAT_JSON_SCHEMA).build();
    }

    /// It wants none named that must not be used.
    @Override
    public boolean canForbidTools() {
        return false;
    }
}
