package io.mlestar.adapter.model.provider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiChatResponseMetadata;
import dev.langchain4j.model.openai.OpenAiTokenUsage;
import dev.langchain4j.model.output.TokenUsage;
import io.mlestar.core.base.Json;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// OpenAI's chat completions, which many others speak too. Its client tells a native image itself
/// what to keep.
final class OpenAi implements ModelProvider {
    /// Keeps a text that came as a list of parts, some of which may be thoughts.
    private static final String PARTS = "content_parts";
    private static final Set<String> MADE = Set.of("role", "tool_calls");

    @Override
    public ChatModel open(Access access) {
        return OpenAiChatModel.builder()
                .httpClientBuilder(access.http())
                .apiKey(access.key().get())
                .baseUrl(access.url())
                .modelName(access.model())
                .maxCompletionTokens(access.mostTokens())
                .maxRetries(0)
                .strictJsonSchema(true)
                .supportedCapabilities(Capability.RESPONSE_FORMAT_JSON_SCHEMA)
                .build();
    }

    /// Chat completions know no search.
    @Override
    public ModelProvider searching() {
        return Protocol.OPENAI_RESPONSES.provider();
    }

    @Override
    public void repair(ObjectNode answer) {
        for (JsonNode choice : answer.path("choices")) {
            String stop = ModelProvider.stop(choice.path("finish_reason").asText(""));
            if (stop.equals("error") || choice.hasNonNull("error")) {
                answer.set("error", choice.hasNonNull("error")
                        ? choice.path("error")
                        : Json.object().put("message", "the model ended with an error"));
            }
            if (stop.contains("recitation")) {
                answer.putObject("error").put("message", "the model ended with " + stop);
            }
            if (!stop.isEmpty()) {
                ((ObjectNode) choice).put("finish_reason", stop);
            }
            if (choice.path("message") instanceof ObjectNode message
                    && message.path("content").isArray()) {
                message.set(PARTS, message.path("content"));
                message.put("content",
                        ModelProvider.stream(message.path("content"))
                                .map(part -> part.path("text").asText(""))
                                .collect(Collectors.joining()));
            }
            choice.path("message")
                    .path("tool_calls")
                    .forEach(call -> withArguments(call.path("function")));
        }
    }

    /// Adds empty arguments to a call that has none.
    static void withArguments(JsonNode call) {
        if (call instanceof ObjectNode function && !function.hasNonNull("arguments")) {
            function.put("arguments", "{}");
        }
    }

    /// The model's message with what its client drops: thoughts under many names, and what else
    /// servers want back with the results of tools.
    @Override
    public Optional<JsonNode> rawContent(ChatResponse response) {
        return response.metadata() instanceof OpenAiChatResponseMetadata metadata
                && metadata.rawHttpResponse() != null
                        ? Optional.of(Json.parse(metadata.rawHttpResponse().body())
                                .path("choices")
                                .path(0)
                                .path("message"))
                        : Optional.empty();
    }

    @Override
    public String body(String written, RequestExtras extras) {
        return restored(written, extras);
    }

    /// Puts back what stood beside the text and the calls of the model's turns.
    static String restored(String written, RequestExtras extras) {
        if (extras.rawTurns().isEmpty()) {
            return written;
        }
        ObjectNode body = (ObjectNode) Json.parse(written);
        Iterator<JsonNode> turns = extras.rawTurns().iterator();
        for (JsonNode message : body.path("messages")) {
            if (message.path("role").asText().equals("assistant") && turns.hasNext()) {
                restore((ObjectNode) message, turns.next());
            }
        }
        return body.toString();
    }

    private static void restore(ObjectNode message, JsonNode came) {
        addMissing(message, came);
        JsonNode parts = message.remove(PARTS);
        if (parts != null) {
            message.set("content", parts);
        }
        for (int i = 0; i < message.path("tool_calls").size(); i++) {
            addMissing((ObjectNode) message.path("tool_calls").get(i),
                    came.path("tool_calls").path(i));
        }
    }

    /// Adds the fields that say something.
    private static void addMissing(ObjectNode written, JsonNode came) {
        came.properties().forEach(field -> {
            JsonNode value = field.getValue();
            boolean saysNothing = value.isNull() || value.isContainerNode() && value.isEmpty();
            if (!saysNothing && !written.has(field.getKey())) {
                written.set(field.getKey(), value);
            }
        });
    }

    @Override
    public JsonNode joined(List<JsonNode> pieces) {
        ObjectNode whole = pieces.getFirst().deepCopy();
        ObjectNode message = Json.object().put("role", "assistant").put("content", "");
        SortedMap<Integer, ObjectNode> calls = new TreeMap<>();
        JsonNode stop = MissingNode.getInstance();
        for (JsonNode piece : pieces) {
            JsonNode choice = piece.path("choices").path(0);
            append(message, choice.path("delta"));
            choice.path("delta")
                    .path("tool_calls")
                    .forEach(part -> add(part, calls.computeIfAbsent(
                            part.path("index").asInt(),
                            _ -> Json.object()
                                    .put("type", "function")
                                    .set("function", Json.object().put("arguments", "")))));
            stop = choice.hasNonNull("finish_reason") ? choice.path("finish_reason") : stop;
            if (piece.hasNonNull("usage")) {
                whole.set("usage", piece.path("usage"));
            }
        }
        if (!calls.isEmpty()) {
            message.putArray("tool_calls").addAll(calls.values());
        }
        whole.putArray("choices")
                .addObject()
                .put("index", 0)
                .<ObjectNode>set("message", message)
                .set("finish_reason", stop);
        return stop.isMissingNode() ? stop : whole;
    }

    /// Adds a piece of each field: texts and lists grow, all else comes whole.
    private static void append(ObjectNode message, JsonNode delta) {
        delta.properties()
                .stream()
                .filter(field -> !MADE.contains(field.getKey()))
                .forEach(field -> {
                    JsonNode so = message.path(field.getKey());
                    JsonNode piece = field.getValue();
                    if (piece.isTextual()) {
                        message.put(field.getKey(), so.asText("") + piece.asText());
                    } else if (piece.isArray() && so instanceof ArrayNode list) {
                        piece.forEach(list::add);
                    } else if (!piece.isNull()) {
                        message.set(field.getKey(), piece.deepCopy());
                    }
                });
    }

    private static void add(JsonNode part, ObjectNode call) {
        addMissing(call, ((ObjectNode) part.deepCopy()).without("index"));
        ObjectNode function = (ObjectNode) call.path("function");
        if (part.hasNonNull("id")) {
            call.set("id", part.path("id"));
        }
        if (part.path("function").hasNonNull("name")) {
            function.set("name", part.path("function").path("name"));
        }
        function.put("arguments",
                function.path("arguments").asText()
                        + part.path("function").path("arguments").asText(""));
    }

    @Override
    public Tokens tokens(ChatResponse response) {
        return counted(response.tokenUsage());
    }

    /// Cached input is part of the input.
    static Tokens counted(@Nullable TokenUsage usage) {
        Tokens plain = Tokens.plain(usage);
        return usage instanceof OpenAiTokenUsage own && own.inputTokensDetails() != null
                ? new Tokens(plain.input(), plain.output(),
                        Tokens.count(own.inputTokensDetails().cachedTokens()), 0)
                : plain;
    }
}
