package io.mlestar.adapter.model.provider;

import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiTokenUsage;
import dev.langchain4j.model.output.TokenUsage;
import org.jspecify.annotations.Nullable;

/// OpenAI's chat completions, which many others speak too. Its client tells a native image itself what to keep.
final class OpenAi implements ModelProvider {
    @Override
    public ChatModel open(Access access) {
        return OpenAiChatModel.builder().httpClientBuilder(access.http()).apiKey(access.key().get()).baseUrl(access.url())
                .modelName(access.model()).maxCompletionTokens(access.mostTokens()).maxRetries(0).strictJsonSchema(true)
                .supportedCapabilities(Capability.RESPONSE_FORMAT_JSON_SCHEMA).build();
    }

    /// Chat completions know no search.
    @Override
    public ModelProvider searching() {
        return Protocol.OPENAI_RESPONSES.provider();
    }

    @Override
    public Tokens tokens(ChatResponse response) {
        return counted(response.tokenUsage());
    }

    /// Cached input is part of the input.
    static Tokens counted(@Nullable TokenUsage usage) {
        Tokens plain = Tokens.plain(usage);
        return usage instanceof OpenAiTokenUsage own && own.inputTokensDetails() != null
                ? new Tokens(plain.input(), plain.output(), Tokens.count(own.inputTokensDetails().cachedTokens()), 0) : plain;
    }
}
