package io.mlestar.llm;

import io.quarkus.runtime.annotations.RegisterForReflection;

/// The messages of the providers' clients that a native image must keep for Jackson, with the builders nested in them. OpenAI's
/// client says so itself, Anthropic's forgets some of its own, Ollama's says nothing. A test compares with the libraries as they are.
@RegisterForReflection(classNames = {
    NativeWire.ANTHROPIC + "AnthropicCacheMissReason", NativeWire.ANTHROPIC + "AnthropicContainer",
    NativeWire.ANTHROPIC + "AnthropicContent", NativeWire.ANTHROPIC + "AnthropicCountTokensRequest",
    NativeWire.ANTHROPIC + "AnthropicCreateMessageRequest", NativeWire.ANTHROPIC + "AnthropicCreateMessageResponse",
    NativeWire.ANTHROPIC + "AnthropicDiagnostics", NativeWire.ANTHROPIC + "AnthropicDiagnosticsParameters",
    NativeWire.ANTHROPIC + "AnthropicFormat", NativeWire.ANTHROPIC + "AnthropicMessage", NativeWire.ANTHROPIC + "AnthropicMetadata",
    NativeWire.ANTHROPIC + "AnthropicOutputConfig", NativeWire.ANTHROPIC + "AnthropicThinking", NativeWire.ANTHROPIC + "AnthropicTool",
    NativeWire.ANTHROPIC + "AnthropicToolChoice", NativeWire.ANTHROPIC + "AnthropicToolSchema",
    NativeWire.ANTHROPIC + "AnthropicToolUseContent",
    NativeWire.OLLAMA + "OllamaChatRequest", NativeWire.OLLAMA + "OllamaChatResponse", NativeWire.OLLAMA + "Message",
    NativeWire.OLLAMA + "Role", NativeWire.OLLAMA + "Options", NativeWire.OLLAMA + "Tool", NativeWire.OLLAMA + "ToolCall",
    NativeWire.OLLAMA + "Function", NativeWire.OLLAMA + "FunctionCall", NativeWire.OLLAMA + "Parameters",
    NativeWire.OLLAMA + "FormatSerializer",
    NativeWire.JACKSON + "PropertyNamingStrategies$SnakeCaseStrategy"})
final class NativeWire {
    static final String ANTHROPIC = "dev.langchain4j.model.anthropic.internal.api.";
    static final String OLLAMA = "dev.langchain4j.model.ollama.";
    static final String JACKSON = "com.fasterxml.jackson.databind.";

    private NativeWire() {}
}
