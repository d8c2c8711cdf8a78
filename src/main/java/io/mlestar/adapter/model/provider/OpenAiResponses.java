package io.mlestar.adapter.model.provider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.openai.OpenAiResponsesChatModel;
import dev.langchain4j.model.openai.OpenAiResponsesChatResponseMetadata;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Answer.Shortfall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// OpenAI's Responses API: the only one in which its models search the web themselves. Nothing is
/// stored there (`store: false`). Its client reads and writes trees, of which a native image needs
/// to know nothing.
final class OpenAiResponses implements ModelProvider {
    private static final Set<String> MODEL_ITEMS =
            Set.of("function_call", "reasoning", "web_search_call");

    @Override
    public ChatModel open(Access access) {
        return OpenAiResponsesChatModel.builder()
                .httpClientBuilder(access.http())
                .apiKey(access.key().get())
                .baseUrl(access.url().replaceFirst("/+$", ""))
                .modelName(access.model())
                .maxOutputTokens(access.mostTokens())
                .strictJsonSchema(true)
                .build();
    }

    @Override
    public void repair(ObjectNode answer) {
        if (answer.path("status").asText().equals("failed")) {
            answer.withObject("/error").put("message", "the model ended with an error");
        }
        if (answer.path("incomplete_details") instanceof ObjectNode details
                && ModelProvider.stop(details.path("reason").asText()).equals("length")) {
            details.put("reason", "max_output_tokens");
        }
        answer.path("output").forEach(item -> {
            if (item.path("type").asText().equals("function_call")) {
                OpenAi.withArguments(item);
            }
        });
    }

    /// The last event has all of it.
    @Override
    public JsonNode joined(List<JsonNode> pieces) {
        return pieces.getLast().path("response");
    }

    @Override
    public Tokens tokens(ChatResponse response) {
        return OpenAi.counted(response.tokenUsage());
    }

    @Override
    public @Nullable Shortfall shortfall(ChatResponse response) {
        JsonNode raw = raw(response);
        boolean refused =
                contents(raw).anyMatch(content -> content.path("type").asText().equals("refusal"));
        if (refused || raw.path("incomplete_details")
                .path("reason")
                .asText()
                .equals("content_filter")) {
            return Shortfall.REFUSED;
        }
        return ModelProvider.super.shortfall(response);
    }

    /// All items of the turn: its thoughts and searches belong together. A server that stores
    /// nothing does not take back thoughts that came without `encrypted_content`, nor items that
    /// refer to them by an id, nor arguments of a call that are not a JSON object.
    @Override
    public Optional<JsonNode> rawContent(ChatResponse response) {
        JsonNode output = raw(response).path("output");
        ModelProvider.stream(output)
                .filter(item -> item.path("type").asText().equals("function_call")
                        && !ModelProvider.parsed(item.path("arguments").asText()).isObject())
                .forEach(item -> ((ObjectNode) item).put("arguments", "{}"));
        Predicate<JsonNode> lost =
                item -> item.path("type").asText().equals("reasoning")
                        && !item.hasNonNull("encrypted_content");
        if (ModelProvider.stream(output).noneMatch(lost)) {
            return Optional.of(output);
        }
        ArrayNode kept = Json.object().arrayNode();
        ModelProvider.stream(output)
                .filter(item -> !Set.of("reasoning", "web_search_call")
                        .contains(item.path("type").asText()))
                .forEach(item -> kept.add(((ObjectNode) item.deepCopy()).without("id")));
        return Optional.of(kept);
    }

    /// Puts back the model's turns as they came, and offers the search.
    @Override
    public String body(String written, RequestExtras extras) {
        ObjectNode body = (ObjectNode) Json.parse(written);
        if (!extras.rawTurns().isEmpty()) {
            body.set("input", restored(body.path("input"), extras.rawTurns().iterator()));
        }
        extras.search().ifPresent(search -> {
            body.withArray("/tools").addObject().put("type", search.tool());
            body.put("max_tool_calls", search.most());
        });
        return body.toString();
    }

    /// The client writes the items of one turn in a row.
    private static ArrayNode restored(JsonNode input, Iterator<JsonNode> turns) {
        ArrayNode restored = Json.object().arrayNode();
        boolean inTurn = false;
        for (JsonNode item : input) {
            boolean ofModel =
                    item.path("role").asText().equals("assistant")
                            || MODEL_ITEMS.contains(item.path("type").asText());
            if (!ofModel) {
                restored.add(item);
            } else if (!inTurn && turns.hasNext()) {
                turns.next().forEach(restored::add);
            }
            inTurn = ofModel;
        }
        return restored;
    }

    /// Drops the marks of citations, which stand in the middle of the text, in a JSON string too.
    @Override
    public @Nullable String text(ChatResponse response) {
        List<String> texts =
                contents(raw(response))
                        .filter(content -> content.path("type").asText().equals("output_text"))
                        .map(OpenAiResponses::withoutMarks)
                        .toList();
        return texts.isEmpty() ? null : String.join("", texts);
    }

    /// The places of marks count characters, not units of UTF-16. What stands there is no mark if
    /// it names no address.
    private static String withoutMarks(JsonNode content) {
        String text = content.path("text").asText("");
        int length = text.codePointCount(0, text.length());
        List<JsonNode> marks = new ArrayList<>();
        content.path("annotations").forEach(marks::add);
        marks.sort(Comparator.comparingInt((JsonNode mark) -> mark.path("start_index").asInt())
                .reversed());
        int after = length;
        for (JsonNode mark : marks) {
            int start = mark.path("start_index").asInt(-1);
            int end = mark.path("end_index").asInt(-1);
            if (mark.path("type").asText().equals("url_citation") && start >= 0 && start < end
                    && end <= after) {
                int from = text.offsetByCodePoints(0, start);
                int to = text.offsetByCodePoints(0, end);
                if (text.substring(from, to).contains("://")) {
                    text = text.substring(0, from) + text.substring(to);
                    after = start;
                }
            }
        }
        return text;
    }

    /// Counts searches only: opening a page or looking for words in it is free.
    @Override
    public int searches(ChatResponse response) {
        return (int) ModelProvider.stream(raw(response).path("output"))
                .filter(item -> item.path("type").asText().equals("web_search_call"))
                .filter(item -> item.path("action").path("type").asText("search").equals("search"))
                .count();
    }

    private static Stream<JsonNode> contents(JsonNode raw) {
        return ModelProvider.stream(raw.path("output"))
                .filter(item -> item.path("type").asText().equals("message"))
                .flatMap(item -> ModelProvider.stream(item.path("content")));
    }

    /// The response, with all that the client leaves out.
    private static JsonNode raw(ChatResponse response) {
        return Json
                .parse(((OpenAiResponsesChatResponseMetadata) response.metadata()).rawHttpResponse()
                        .body());
    }
}
