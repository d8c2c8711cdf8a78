package io.mlestar.adapter.model;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.ollama.OllamaChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import io.mlestar.Waiting;
import io.mlestar.adapter.model.provider.ModelProvider;
import io.mlestar.adapter.model.provider.Protocol;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// The kinds of server, each with a client for it: the client library's own, or ours where it is that which is used.
enum Wire {
    ANTHROPIC("/output_config/format/schema") {
        @Override
        FakeProvider server(Answerer answerer) throws IOException {
            return new AnthropicServer(answerer);
        }

        @Override
        ChatModel open(FakeProvider server) {
            return AnthropicChatModel.builder().httpClientBuilder(http(Protocol.ANTHROPIC))
                    .baseUrl(server.url() + "/v1")
                    .apiKey(FakeProvider.KEY).modelName(MODEL).maxTokens(1000)
                    .supportedCapabilities(Capability.RESPONSE_FORMAT_JSON_SCHEMA).maxRetries(0).build();
        }
    },
    OPENAI("/response_format/json_schema/schema") {
        @Override
        FakeProvider server(Answerer answerer) throws IOException {
            return new OpenAiServer(answerer);
        }

        @Override
        ChatModel open(FakeProvider server) {
            return OpenAiChatModel.builder().httpClientBuilder(http(Protocol.OPENAI))
                    .baseUrl(server.url() + "/any/base/v1")
                    .apiKey(FakeProvider.KEY).modelName(MODEL).strictJsonSchema(true)
                    .supportedCapabilities(Capability.RESPONSE_FORMAT_JSON_SCHEMA).maxRetries(0).build();
        }
    },
    RESPONSES("/text/format/schema") {
        @Override
        FakeProvider server(Answerer answerer) throws IOException {
            return new OpenAiServer(answerer);
        }

        @Override
        ChatModel open(FakeProvider server) {
            return ours(Protocol.OPENAI_RESPONSES, server.url() + "/v1");
        }
    },
    GEMINI("/generationConfig/responseJsonSchema") {
        @Override
        FakeProvider server(Answerer answerer) throws IOException {
            return new GeminiServer(answerer);
        }

        @Override
        ChatModel open(FakeProvider server) {
            return ours(Protocol.GEMINI, server.url() + "/v1beta");
        }
    },
    OLLAMA("/format") {
        @Override
        FakeProvider server(Answerer answerer) throws IOException {
            return new OllamaServer(answerer);
        }

        @Override
        ChatModel open(FakeProvider server) {
            return OllamaChatModel.builder().httpClientBuilder(http(Protocol.OLLAMA)).baseUrl(server.url())
                    .modelName(MODEL).think(false).numCtx(8192)
                    .supportedCapabilities(Capability.RESPONSE_FORMAT_JSON_SCHEMA).maxRetries(0).build();
        }
    };

    static final String MODEL = "model-of-the-test";

    /// Where a request has the schema of the answer, as a JSON pointer.
    final String schemaAt;

    Wire(String schemaAt) {
        this.schemaAt = schemaAt;
    }

    abstract FakeProvider server(Answerer answerer) throws IOException;

    abstract ChatModel open(FakeProvider server);

    private static ChatModel ours(Protocol protocol, String url) {
        return protocol.provider().open(new ModelProvider.Access(http(protocol), url, () -> FakeProvider.KEY, MODEL, 1000, null));
    }

    /// The HTTP under a client.
    static HttpClientBuilder http(Protocol protocol) {
        ModelCatalogue.Endpoint endpoint = new ModelCatalogue.Endpoint(protocol, "http://somewhere", null, null, null, null, null);
        return MeteredHttpClient.builder(new ModelCatalogue.ModelEntry(protocol.name(), endpoint, MODEL), protocol.provider());
    }

    /// A client whose calls carry the headers; retries nothing.
    final ChatModel client(FakeProvider server, Duration timeout, Map<String, String> headers) {
        return bound(open(server), timeout, headers);
    }

    /// Our own HTTP lies under all clients and wants to know whose call it is.
    static ChatModel bound(ChatModel model, Duration timeout, Map<String, String> headers) {
        return new ChatModel() {
            @Override
            public ChatResponse chat(ChatRequest request) {
                return ScopedValue
                        .where(MeteredHttpClient.CALL,
                                new MeteredHttpClient.ModelCall(headers, Instant.now().plus(timeout), InstantSource.system(), ModelProvider.RequestExtras.NONE))
                        .call(() -> model.chat(request));
            }
        };
    }

    /// A client for the one step.
    final ChatModel client(FakeProvider server, String agent, String step) {
        return client(server, Waiting.MOST, Map.of("x-mlestar-run", "run-1", "x-mlestar-step", step, "x-mlestar-agent", agent));
    }
}
