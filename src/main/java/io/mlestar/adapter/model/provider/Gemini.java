package io.mlestar.adapter.model.provider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpMethod;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.internal.ExceptionMapper;
import dev.langchain4j.internal.JsonSchemaElementUtils;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ToolChoice;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Google's Gemini API (`generateContent`, ai.google.dev/api/generate-content), with grounding by
/// Google's search.
///
/// Written by hand: LangChain4j's (1.18) forgets what a search found, which Gemini wants back with
/// the results of tools; puts empty lines between the parts of a text; and fails on a prompt that
/// was blocked, which would be asked again and again.
///
/// @param isSearching whether the model may search the web
record Gemini(boolean isSearching) implements ModelProvider {
    /// The attribute that keeps an answer as it came.
    private static final String RAW = "gemini";
    private static final String NAME = "[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*";
    /// These models take no search beside tools, and no form of the answer beside tools; a search
    /// costs once for a request, however often it is done
    /// (ai.google.dev/gemini-api/docs/tool-combination and /pricing).
    private static final String BEFORE_3 = "(models/)?gemini-[12]\\..*";
    private static final Set<String> BLOCKED =
            Set.of("SAFETY", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII");

    @Override
    public ModelProvider searching() {
        return new Gemini(true);
    }

    @Override
    public ChatModel open(Access access) {
        if (!access.model().matches(NAME)) {
            throw new Invalid("\"" + access.model() + "\" is no name of a model of Gemini");
        }
        // The address of the interface that speaks as OpenAI does is accepted, too.
        String base = access.url().replaceFirst("(/openai)?/*$", "");
        String url = base + (access.model().contains("/") ? "/" : "/models/") + access.model()
                + ":generateContent";
        String key = access.key().get();
        HttpClient http = access.http().build();
        return new ChatModel() {
            @Override
            public ChatResponse chat(ChatRequest request) {
                return ExceptionMapper.DEFAULT.withExceptionMapper(
                        () -> read(Json.parse(http.execute(HttpRequest.builder()
                                .method(HttpMethod.POST)
                                .url(url)
                                .addHeader("content-type", "application/json")
                                .addHeader("x-goog-api-key", key)
                                .body(written(request, access).toString())
                                .build()).body())));
            }
        };
    }

    private ObjectNode written(ChatRequest request, Access access) {
        ObjectNode body = Json.object();
        ArrayNode contents = body.putArray("contents");
        for (ChatMessage message : request.messages()) {
            switch (message) {
                case SystemMessage system ->
                    body.putObject("systemInstruction")
                            .putArray("parts")
                            .addObject()
                            .put("text", system.text());
                case UserMessage user ->
                    parts(contents, "user").addObject().put("text", user.singleText());
                case AiMessage turn ->
                    contents.addObject().put("role", "model").set("parts", rawParts(turn));
                case ToolExecutionResultMessage result -> {
                    ObjectNode response = parts(contents, "user").addObject()
                            .putObject("functionResponse")
                            .put("name", result.toolName());
                    if (result.id() != null) {
                        response.put("id", result.id());
                    }
                    response.putObject("response").put("result", result.text());
                }
                default ->
                    throw new UnsupportedFeatureException("a message of type " + message.type());
            }
        }
        boolean isOld = access.model().matches(BEFORE_3);
        boolean hasTools =
                request.toolSpecifications() != null && !request.toolSpecifications().isEmpty()
                        && !(isOld && isSearching);
        if (hasTools) {
            ArrayNode functions =
                    body.withArray("/tools").addObject().putArray("functionDeclarations");
            request.toolSpecifications()
                    .forEach(tool -> functions.addObject()
                            .put("name", tool.name())
                            .put("description", tool.description())
                            .set("parametersJsonSchema",
                                    Json.tree(JsonSchemaElementUtils.toMap(tool.parameters()))));
            if (request.toolChoice() == ToolChoice.NONE) {
                body.withObject("/toolConfig/functionCallingConfig").put("mode", "NONE");
            }
        }
        if (isSearching) {
            body.withArray("/tools").addObject().putObject("google_search");
            if (hasTools) {
                body.withObject("/toolConfig").put("includeServerSideToolInvocations", true);
            }
        }
        ObjectNode generation = generation(request, access, !(isOld && (hasTools || isSearching)));
        if (!generation.isEmpty()) {
            body.set("generationConfig", generation);
        }
        return body;
    }

    /// The results of tools that were called together belong together.
    private static ArrayNode parts(ArrayNode contents, String role) {
        JsonNode last = contents.path(contents.size() - 1);
        return last.path("role").asText().equals(role)
                ? (ArrayNode) last.path("parts")
                : contents.addObject().put("role", role).putArray("parts");
    }

    /// The parts as they came: thoughts are signed, and searches go with what they found.
    private static JsonNode rawParts(AiMessage message) {
        JsonNode raw = message.attribute(RAW, JsonNode.class);
        if (raw != null) {
            return parts(raw);
        }
        ArrayNode parts = Json.object().arrayNode();
        if (message.text() != null && !message.text().isEmpty()) {
            parts.addObject().put("text", message.text());
        }
        message.toolExecutionRequests()
                .forEach(call -> parts.addObject()
                        .putObject("functionCall")
                        .put("name", call.name())
                        .set("args", Json.parse(call.arguments())));
        return parts;
    }

    private static ObjectNode generation(ChatRequest request, Access access, boolean mayHaveForm) {
        ObjectNode generation = Json.object();
        Integer most =
                request.maxOutputTokens() != null ? request.maxOutputTokens() : access.mostTokens();
        if (most != null) {
            generation.put("maxOutputTokens", most);
        }
        if (request.temperature() != null) {
            generation.put("temperature", request.temperature());
        }
        if (request.stopSequences() != null && !request.stopSequences().isEmpty()) {
            generation.set("stopSequences", Json.tree(request.stopSequences()));
        }
        ResponseFormat format = request.responseFormat();
        if (format != null && format.jsonSchema() != null && mayHaveForm) {
            generation.put("responseMimeType", "application/json")
                    .set("responseJsonSchema", Json
                            .tree(JsonSchemaElementUtils.toMap(format.jsonSchema().rootElement())));
        }
        return generation;
    }

    @Override
    public void repair(ObjectNode answer) {
        for (JsonNode candidate : answer.path("candidates")) {
            if (candidate.hasNonNull("finishReason")) {
                ((ObjectNode) candidate).put("finishReason",
                        candidate.path("finishReason").asText().toUpperCase(Locale.ROOT));
            }
        }
    }

    @Override
    public JsonNode joined(List<JsonNode> pieces) {
        ObjectNode whole = Json.object();
        ArrayNode parts = Json.object().arrayNode();
        for (JsonNode piece : pieces) {
            whole.setAll((ObjectNode) piece);
            parts(piece).forEach(parts::add);
        }
        whole.withObject("/candidates/0/content").set("parts", parts);
        return whole.path("candidates").path(0).has("finishReason")
                ? whole
                : MissingNode.getInstance();
    }

    /// @throws InternalServerException if it is no answer, so that asking again may help
    private static ChatResponse read(JsonNode raw) {
        JsonNode candidate = raw.path("candidates").path(0);
        String reason = candidate.path("finishReason").asText();
        List<ToolExecutionRequest> calls = ModelProvider.stream(parts(raw))
                .map(part -> part.path("functionCall"))
                .filter(JsonNode::isObject)
                .map(call -> ToolExecutionRequest.builder()
                        .id(call.hasNonNull("id") ? call.path("id").asText() : null)
                        .name(call.path("name").asText())
                        .arguments(
                                call.path("args").isObject() ? call.path("args").toString() : "{}")
                        .build())
                .toList();
        // Thoughts come only on request.
        String text = ModelProvider.stream(parts(raw))
                .filter(part -> !part.path("thought").asBoolean())
                .map(part -> part.path("text").asText(""))
                .collect(Collectors.joining());
        boolean isBlocked =
                raw.path("promptFeedback").has("blockReason") || BLOCKED.contains(reason);
        FinishReason finish =
                isBlocked ? FinishReason.CONTENT_FILTER : finish(reason, !calls.isEmpty());
        // Text that it began to recite is no answer; the next try mostly is one.
        if (finish == FinishReason.OTHER && (text.isEmpty() || reason.equals("RECITATION"))) {
            throw new InternalServerException(
                    reason.isEmpty()
                            ? "there is no answer in it"
                            : "the model ended with " + reason);
        }
        JsonNode usage = raw.path("usageMetadata");
        return ChatResponse.builder()
                .aiMessage(AiMessage.builder()
                        .text(text.isEmpty() ? null : text)
                        .toolExecutionRequests(calls)
                        .attributes(Map.of(RAW, raw))
                        .build())
                .finishReason(finish)
                .tokenUsage(new TokenUsage(usage.path("promptTokenCount").asInt(),
                        usage.path("candidatesTokenCount").asInt()))
                .build();
    }

    private static FinishReason finish(String reason, boolean isCalling) {
        if (reason.equals("MAX_TOKENS")) {
            return FinishReason.LENGTH;
        }
        if (isCalling) {
            return FinishReason.TOOL_EXECUTION;
        }
        return reason.equals("STOP") ? FinishReason.STOP : FinishReason.OTHER;
    }

    /// Thoughts are output; cached input is part of the input.
    @Override
    public Tokens tokens(ChatResponse response) {
        JsonNode usage = raw(response).path("usageMetadata");
        return new Tokens(
                usage.path("promptTokenCount").asLong()
                        + usage.path("toolUsePromptTokenCount").asLong(),
                usage.path("candidatesTokenCount").asLong()
                        + usage.path("thoughtsTokenCount").asLong(),
                usage.path("cachedContentTokenCount").asLong(), 0);
    }

    @Override
    public int searches(ChatResponse response) {
        int queries =
                raw(response).path("candidates")
                        .path(0)
                        .path("groundingMetadata")
                        .path("webSearchQueries")
                        .size();
        return raw(response).path("modelVersion").asText().matches(BEFORE_3)
                ? Math.min(queries, 1)
                : queries;
    }

    private static JsonNode raw(ChatResponse response) {
        return response.aiMessage().attribute(RAW, JsonNode.class);
    }

    private static JsonNode parts(JsonNode raw) {
        return raw.path("candidates").path(0).path("content").path("parts");
    }
}
