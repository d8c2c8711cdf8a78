package io.mlestar.adapter.model.provider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.http.client.HttpMethod;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.ollama.OllamaChatModel;
import dev.langchain4j.model.ollama.OllamaChatRequestParameters;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/// Ollama's own protocol. Its client says nothing of what a native image must keep of its messages;
/// a test compares with the client as it is.
@RegisterForReflection(classNames = {
    Ollama.WIRE + "OllamaChatRequest", Ollama.WIRE + "OllamaChatResponse", Ollama.WIRE + "Message",
    Ollama.WIRE + "Role",
    Ollama.WIRE + "Options", Ollama.WIRE + "Tool", Ollama.WIRE + "ToolCall",
    Ollama.WIRE + "Function",
    Ollama.WIRE + "FunctionCall",
    Ollama.WIRE + "Parameters", Ollama.WIRE + "FormatSerializer",
    "com.fasterxml.jackson.databind.PropertyNamingStrategies$SnakeCaseStrategy"})
final class Ollama implements ModelProvider {
    static final String WIRE = "dev.langchain4j.model.ollama.";

    private static final Logger LOG = Logger.getLogger("mle_star.llm");

    @Override
    public ChatModel open(Access access) {
        return new ContextSizedModel(OllamaChatModel.builder()
                .httpClientBuilder(access.http())
                .baseUrl(access.url())
                .modelName(access.model())
                .maxRetries(0)
                .numPredict(access.mostTokens())
                .returnThinking(true)
                .supportedCapabilities(Capability.RESPONSE_FORMAT_JSON_SCHEMA)
                .build(), access);
    }

    /// A request must not name tools that the model must not use.
    @Override
    public boolean canForbidTools() {
        return false;
    }

    /// The model's thoughts, which its client reads but does not send.
    @Override
    public Optional<JsonNode> rawContent(ChatResponse response) {
        String thinking = response.aiMessage().thinking();
        return Optional
                .of(thinking == null ? Json.object() : Json.object().put("thinking", thinking));
    }

    @Override
    public String body(String written, RequestExtras extras) {
        return OpenAi.restored(written, extras);
    }

    @Override
    public void repair(ObjectNode answer) {
        if (answer.hasNonNull("done_reason")) {
            answer.put("done_reason", ModelProvider.stop(answer.path("done_reason").asText()));
        }
    }

    @Override
    public JsonNode joined(List<JsonNode> pieces) {
        ObjectNode whole = pieces.getLast().deepCopy();
        ObjectNode message = whole.putObject("message").put("role", "assistant");
        message.put("content", texts(pieces, "content"));
        String thinking = texts(pieces, "thinking");
        if (!thinking.isEmpty()) {
            message.put("thinking", thinking);
        }
        ArrayNode calls = Json.object().arrayNode();
        pieces.forEach(piece -> piece.path("message").path("tool_calls").forEach(calls::add));
        if (!calls.isEmpty()) {
            message.set("tool_calls", calls);
        }
        return whole.path("done").asBoolean() ? whole : MissingNode.getInstance();
    }

    private static String texts(List<JsonNode> pieces, String field) {
        return pieces.stream()
                .map(piece -> piece.path("message").path(field).asText(""))
                .collect(Collectors.joining());
    }

    /// Sets the context size (`num_ctx`) of each request. The default is some thousand tokens, and
    /// a longer prompt silently loses its beginning.
    private static final class ContextSizedModel implements ChatModel {
        /// An estimate for code, rather too few than too many.
        private static final int CHARACTERS_PER_TOKEN = 3;
        /// Tokens kept for an answer without a limit of its own.
        private static final int ROOM = 8_192;
        /// The least size, which is doubled as needed: with another size the server loads the model
        /// anew.
        private static final int LEAST = 4_096;
        private static final int UNASKED = -1;
        private static final int UNKNOWN = 0;

        private final ChatModel model;
        private final Access access;
        /// The context size in tokens; [#UNASKED] or [#UNKNOWN].
        private volatile int most;

        ContextSizedModel(ChatModel model, Access access) {
            this.model = model;
            this.access = access;
            Integer context = access.context();
            this.most = context == null ? UNASKED : context;
        }

        @Override
        public ChatResponse chat(ChatRequest request) {
            Integer answer = access.mostTokens();
            int prompt = (request.messages().toString().length()
                    + request.parameters().toString().length())
                    / CHARACTERS_PER_TOKEN;
            int needed = prompt + (answer == null ? ROOM : answer);
            int held = LEAST;
            while (held < needed) {
                held *= 2;
            }
            int limit = held == LEAST ? UNKNOWN : most();
            if (limit > 0 && needed > limit) {
                held = limit;
                LOG.warnf(
                        "model ollama:%s holds %d tokens, but this prompt has about %d and its answer needs room: %s; use a model with a longer context",
                        access.model(), held, prompt,
                        prompt > held ? "its beginning is lost" : "its answer may be cut");
            }
            return model.chat(request.toBuilder()
                    .parameters(OllamaChatRequestParameters.builder()
                            .overrideWith(request.parameters())
                            .numCtx(held)
                            .build())
                    .build());
        }

        @Override
        public Set<Capability> supportedCapabilities() {
            return model.supportedCapabilities();
        }

        /// The context size of the model, as its server tells; [#UNKNOWN] if it does not.
        private int most() {
            int known = most;
            if (known == UNASKED) {
                try {
                    known = told(Json.parse(access.http()
                            .build()
                            .execute(HttpRequest.builder()
                                    .method(HttpMethod.POST)
                                    .url(access.url().replaceFirst("/+$", "") + "/api/show")
                                    .addHeader("content-type", "application/json")
                                    .body(Json.line(Map.of("model", access.model())))
                                    .build())
                            .body()));
                } catch (HttpException | Invalid e) {
                    known = UNKNOWN;
                } catch (RuntimeException e) {
                    // The server is out of reach: the question itself will find that, and say so.
                    return UNKNOWN;
                }
                most = known;
            }
            return known;
        }

        /// The length of the context, which stands under the name of the model's architecture.
        private static int told(JsonNode shown) {
            return shown.path("model_info")
                    .properties()
                    .stream()
                    .filter(field -> field.getKey().endsWith(".context_length"))
                    .mapToInt(field -> field.getValue().asInt())
                    .filter(length -> length > 0)
                    .findFirst()
                    .orElse(UNKNOWN);
        }
    }
}
