package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import module java.base;

/// Google's Gemini API (`generateContent`, v1beta) without streaming, as its reference has it
/// (ai.google.dev/api/generate-content, and the types of python-genai, August 2026). What goes with
/// tools is from its pages on thought signatures and on the combination of tools.
final class GeminiServer extends FakeProvider {
    private static final Pattern PATH = Pattern.compile("/v1beta/models/([^/:]+):generateContent");
    private static final Protocol PROTOCOL = Protocol.of("gemini");

    private final Set<JsonNode> said = ConcurrentHashMap.newKeySet();

    GeminiServer(Answerer answerer) throws IOException {
        super(answerer);
    }

    /// Takes what the test made it say for its own, too.
    void hasSaid(JsonNode parts) {
        said.add(parts);
    }

    @Override
    boolean serves(String path) {
        return PATH.matcher(path).matches();
    }

    @Override
    Optional<String> key(Received request) {
        return request.header("x-goog-api-key");
    }

    @Override
    String model(Received request) {
        Matcher path = PATH.matcher(request.path());
        return path.matches() ? path.group(1) : "";
    }

    @Override
    void check(Received request, Consumer<String> violations) {
        JsonNode body = request.body();
        PROTOCOL.check(body, violations);
        boolean functions = has(body, "functionDeclarations");
        boolean isOld = model(request).startsWith("gemini-2.");
        if (has(body, "google_search") && functions) {
            if (isOld) {
                violations.accept("tools: Tool use with function calling is unsupported");
            } else if (!body.path("toolConfig").path("includeServerSideToolInvocations").asBoolean()) {
                violations.accept(
                        "tools: Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.");
            }
        }
        if (isOld && body.path("generationConfig").has("responseJsonSchema") && body.has("tools")) {
            violations
                    .accept("generationConfig: tool use with a response mime type: 'application/json' is unsupported");
        }
        stream(body.path("contents"))
                .filter(content -> values(content, "functionCall").findAny().isPresent()
                        && !said.contains(content.path("parts")))
                .forEach(_ -> violations.accept(
                        "contents: Function call is missing a thought_signature, or not all parts of its turn are there"));
        Protocol.checkTurns(
                stream(body.path("contents")).map(content -> new Protocol.Turn(values(content, "functionCall").toList(),
                        values(content, "functionResponse").toList())).toList(),
                violations);
    }

    private static boolean has(JsonNode body, String tool) {
        return stream(body.path("tools")).anyMatch(each -> each.has(tool));
    }

    private static Stream<String> values(JsonNode content, String field) {
        return stream(content.path("parts")).filter(part -> part.has(field))
                .map(part -> part.path(field).path("id").asText());
    }

    @Override
    JsonNode messages(JsonNode body) {
        return body.path("contents");
    }

    @Override
    String said(JsonNode message) {
        return message.path("role").asText().equals("user") ? texts(message) : "";
    }

    private static String texts(JsonNode content) {
        return String.join("\n", stream(content.path("parts")).filter(part -> part.has("text"))
                .map(part -> part.path("text").asText()).toList());
    }

    @Override
    List<String> tools(JsonNode body) {
        return stream(body.path("tools")).flatMap(tool -> stream(tool.path("functionDeclarations")))
                .map(function -> function.path("name").asText()).toList();
    }

    @Override
    String system(JsonNode body) {
        return texts(body.path("systemInstruction"));
    }

    @Override
    List<String> toolResults(JsonNode message) {
        return stream(message.path("parts")).filter(part -> part.has("functionResponse"))
                .map(part -> part.path("functionResponse").path("response").path("result").asText()).toList();
    }

    /// The first call of a turn is signed.
    @Override
    JsonNode answer(JsonNode body, Reply reply) {
        ObjectNode answer = Json.object().put("responseId", newId("")).put("modelVersion", "made-up");
        long input = tokens(body, "contents", "tools", "systemInstruction");
        answer.putObject("usageMetadata").put("promptTokenCount", input).put("candidatesTokenCount", reply.tokens())
                .put("totalTokenCount", input + reply.tokens());
        ObjectNode candidate = answer.putArray("candidates").addObject().put("index", 0)
                .put("finishReason", reply.stop() == Reply.Stop.LENGTH ? "MAX_TOKENS" : "STOP");
        ArrayNode parts = candidate.putObject("content").put("role", "model").putArray("parts");
        if (!reply.text().isEmpty()) {
            parts.addObject().put("text", reply.text());
        }
        for (Reply.Call call : reply.calls()) {
            ObjectNode part = parts.addObject();
            part.putObject("functionCall").put("id", newId("")).put("name", call.name()).set("args", call.arguments());
            if (call == reply.calls().getFirst()) {
                part.put("thoughtSignature", newId("signature-"));
            }
        }
        said.add(parts);
        return answer;
    }

    @Override
    JsonNode error(int status, String message) {
        ObjectNode error = Json.object();
        error.putObject("error").put("code", status).put("message", message).put("status", switch (status) {
            case 400 -> "INVALID_ARGUMENT";
            case 401 -> "UNAUTHENTICATED";
            case 403 -> "PERMISSION_DENIED";
            case 404 -> "NOT_FOUND";
            case 429 -> "RESOURCE_EXHAUSTED";
            case 500 -> "INTERNAL";
            case 504 -> "DEADLINE_EXCEEDED";
            default -> "UNAVAILABLE";
        });
        return error;
    }
}
