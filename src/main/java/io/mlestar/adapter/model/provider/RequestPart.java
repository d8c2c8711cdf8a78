package io.mlestar.adapter.model.provider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The parts of a request that a server may refuse though its protocol has them, and that an answer
/// can do without. A refusal that names several means the first of them here that the request has.
public enum RequestPart {
    /// The provider's own search of the web. It is not recognised by words: any refusal of a
    /// request with it means it.
    SEARCH("does not search the web", "without", "(?!)"),
    /// The schema of an answer. Without it an answer has to be a JSON object, where the protocol
    /// can say that.
    SCHEMA("takes no JSON schema", "without", Words.FORM),
    JSON_OBJECT("takes no response_format", "without", Words.FORM),
    COMPLETION_LIMIT("takes no max_completion_tokens", "with max_tokens", Words.LIMIT),
    /// Too high a limit, where there must be one and the model's own is less: all models that are
    /// asked take 4,096 tokens.
    HIGH_LIMIT("takes no such limit of an answer", "with 4,096 tokens", Words.LIMIT),
    LIMIT("does not take the limit of an answer", "without", Words.LIMIT),
    /// Forbids tools in the last turn.
    TOOL_CHOICE("takes no tool_choice", "without",
            "tool.?(choice|config)|function.?calling.?(config|mode)"),
    /// Fields beside the text and the calls of the model's own earlier turns.
    THOUGHTS("does not take its thoughts back", "without",
            "^(?!.*(missing|passed back)).*(reasoning|thinking|thought)"),
    SYSTEM("takes no system message", "with it in the prompt",
            "system.?(role|message|prompt|instruction)|developer instruction|role\\b.{0,30}\\bsystem\\b"),
    TOOLS("takes no tools", "without", "(?<![a-z])tools?(?![a-z])|function.?call");

    private static final class Words {
        static final String FORM =
                "response.?(format|schema|json|mime)|json.?(schema|mode)|structured.?output|output_(config|format)"
                        + "|\\.format\\b|mime.?type|grammar|guided";
        static final String LIMIT =
                "max_((completion|output)_)?tokens|max_?output_?tokens|num_predict|in the completion";
    }

    /// A server may repeat the request behind its own words.
    private static final int READ = 2_000;
    private static final List<String> FORMS =
            List.of("/response_format", "/format", "/text", "/generationConfig/responseMimeType");
    private static final List<String> LIMITS =
            List.of("/max_tokens", "/max_output_tokens", "/generationConfig/maxOutputTokens",
                    "/options/num_predict");
    private static final List<String> CHOICES =
            List.of("/tool_choice", "/tool_choice/type", "/toolConfig/functionCallingConfig/mode");
    /// The least that a model of Anthropic's takes at most (Claude 3).
    private static final int SURE_LIMIT = 4_096;
    private static final Set<String> STANDARD =
            Set.of("role", "content", "tool_calls", "name", "refusal");

    private final String lack;
    private final String instead;
    private final Pattern named;

    RequestPart(String lack, String instead, String named) {
        this.lack = lack;
        this.instead = instead;
        this.named = Pattern.compile(named, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    }

    /// The part's name in a store.
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// One sentence that says what a model's server does not take.
    ///
    /// @param model as `provider:name`
    /// @param what goes on all the same, e.g. `the run`
    public String sentence(String model, String what) {
        return "model " + model + " " + lack + ", so " + what + " goes on " + instead;
    }

    /// True if a server's refusal names any of the parts.
    public static boolean isAnyNamedIn(String said) {
        return Stream.of(values()).anyMatch(part -> part.isNamedIn(said));
    }

    boolean isNamedIn(String said) {
        return named.matcher(said.substring(0, Math.min(said.length(), READ))).find();
    }

    /// True if only the body of a request changes without it. Without the others the prompt is
    /// another one, too.
    public boolean isOfBody() {
        return this != SEARCH && this != SYSTEM && this != TOOLS;
    }

    boolean isIn(JsonNode body) {
        return switch (this) {
            case SEARCH -> false;
            case SCHEMA -> isAnyIn(
                    List.of("/response_format/json_schema", "/format/type", "/text/format/schema",
                            "/output_config", "/generationConfig/responseJsonSchema"),
                    body);
            case JSON_OBJECT -> isAnyIn(FORMS, body);
            case COMPLETION_LIMIT -> body.has("max_completion_tokens");
            case HIGH_LIMIT -> body.path("max_tokens").asInt() > SURE_LIMIT;
            case LIMIT -> isAnyIn(LIMITS, body);
            case TOOL_CHOICE -> CHOICES.stream()
                    .anyMatch(place -> body.at(place).asText().equalsIgnoreCase("none"));
            case THOUGHTS ->
                ModelProvider.stream(body.path("messages")).anyMatch(RequestPart::hasThoughts);
            case SYSTEM -> body.has("systemInstruction") || body.has("system")
                    || Stream.of("messages", "input")
                            .anyMatch(list -> body.path(list)
                                    .path(0)
                                    .path("role")
                                    .asText()
                                    .matches("system|developer"));
            case TOOLS -> !body.path("tools").isEmpty();
        };
    }

    private static boolean hasThoughts(JsonNode message) {
        return message.path("role").asText().equals("assistant")
                && !STANDARD.containsAll(names(message));
    }

    private static List<String> names(JsonNode object) {
        return object.properties().stream().map(field -> field.getKey()).toList();
    }

    /// Leaves the part out of a request that has it.
    void leaveOut(ObjectNode body) {
        switch (this) {
            case SEARCH, SYSTEM, TOOLS -> {}
            case SCHEMA -> leaveOutSchema(body);
            case JSON_OBJECT -> leaveOut(FORMS, body);
            case COMPLETION_LIMIT -> body.set("max_tokens", body.remove("max_completion_tokens"));
            case HIGH_LIMIT -> body.put("max_tokens", SURE_LIMIT);
            case LIMIT -> leaveOut(LIMITS, body);
            case TOOL_CHOICE -> leaveOutChoice(body);
            case THOUGHTS -> ModelProvider.stream(body.path("messages"))
                    .filter(RequestPart::hasThoughts)
                    .forEach(message -> ((ObjectNode) message).retain(STANDARD));
        }
    }

    private static boolean isAnyIn(List<String> places, JsonNode body) {
        return places.stream().anyMatch(place -> !body.at(place).isMissingNode());
    }

    private static void leaveOut(List<String> places, ObjectNode body) {
        for (String place : places) {
            int last = place.lastIndexOf('/');
            if (body.at(place.substring(0, last)) instanceof ObjectNode holder) {
                holder.remove(place.substring(last + 1));
            }
        }
    }

    /// Anthropic's protocol wants tools that were used to its end.
    private static void leaveOutChoice(ObjectNode body) {
        if (!body.path("tool_choice").isObject()) {
            body.remove("tools");
        }
        body.remove(List.of("tool_choice", "toolConfig"));
    }

    private static void leaveOutSchema(ObjectNode body) {
        ObjectNode anyObject = Json.object().put("type", "json_object");
        if (body.has("response_format")) {
            body.set("response_format", anyObject);
        }
        if (body.has("format")) {
            body.put("format", "json");
        }
        if (body.path("text") instanceof ObjectNode text) {
            text.set("format", anyObject);
        }
        leaveOut(List.of("/output_config", "/generationConfig/responseJsonSchema"), body);
    }
}
