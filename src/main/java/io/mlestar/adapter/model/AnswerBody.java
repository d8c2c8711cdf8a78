package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.model.provider.ModelProvider;
import io.mlestar.adapter.model.provider.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The answer of a server, in the form that its protocol has. Servers that imitate a protocol, and
/// proxies before them, also send a byte order mark, a stream that was not asked for, or an error
/// with status 200.
///
/// @param text of the body
/// @param status of HTTP, or the one that the error in the body stands for; 200 if what that error
///   means is not known
/// @param hasBegun whether the model had begun to answer, and the provider may bill it
record AnswerBody(String text, int status, boolean hasBegun) {
    private static final String MARK = "\uFEFF";
    private static final int OK = 200;
    /// Statuses by words in the code or the type of an error, or else in its sentence.
    private static final List<Map.Entry<Integer, String>> STATUSES = List.of(
            Map.entry(402, "insufficient_quota"),
            Map.entry(429, "rate.?limit|resource_exhausted|too.many.requests"),
            Map.entry(503, "overload|unavailable|server busy"),
            Map.entry(500,
                    "server_error|internal|api_error|timeout|deadline_exceeded|model ended with an error"),
            Map.entry(401, "authentication|api.key|unauthenticated|unauthorized"),
            Map.entry(403, "permission|forbidden"),
            Map.entry(404, "not.found|(unexpected|unknown|unsupported) (endpoint|method|url)"),
            Map.entry(400, "invalid_|bad_request|unsupported|not supported"));

    static AnswerBody of(ModelProvider protocol, int status, String sent) {
        String text = sent.startsWith(MARK) ? sent.substring(MARK.length()) : sent;
        if (status / 100 != 2) {
            return new AnswerBody(text, status, false);
        }
        JsonNode json = ModelProvider.parsed(text);
        JsonNode whole = whole(protocol, json, text);
        if (!(whole instanceof ObjectNode answer)) {
            return new AnswerBody(text, status, true);
        }
        if (!isError(answer)) {
            protocol.repair(answer);
            Tokens.repair(answer);
        }
        return isError(answer)
                ? new AnswerBody(answer.toString(), statusOf(answer.path("error")),
                        answer.has("choices"))
                : new AnswerBody(answer.toString(), status, true);
    }

    private static JsonNode whole(ModelProvider protocol, JsonNode json, String text) {
        if (json.isMissingNode()) {
            return joined(protocol, pieces(text));
        }
        return json.isArray() ? json.path(0) : json;
    }

    private static JsonNode joined(ModelProvider protocol, List<JsonNode> pieces) {
        return pieces.isEmpty()
                ? MissingNode.getInstance()
                : pieces.stream()
                        .filter(AnswerBody::isError)
                        .findFirst()
                        .orElseGet(() -> protocol.joined(pieces));
    }

    /// The pieces of a stream of server-sent events or of lines of JSON; empty if the text is
    /// neither.
    private static List<JsonNode> pieces(String text) {
        List<JsonNode> pieces = new ArrayList<>();
        for (String line : text.lines().toList()) {
            String data = data(line);
            if (!data.isEmpty() && !data.equals("[DONE]")) {
                JsonNode piece = ModelProvider.parsed(data);
                if (!piece.isObject()) {
                    return List.of();
                }
                pieces.add(piece);
            }
        }
        return pieces;
    }

    private static String data(String line) {
        if (line.startsWith("data:")) {
            return line.substring("data:".length()).strip();
        }
        return line.startsWith("{") ? line : "";
    }

    private static boolean isError(JsonNode body) {
        JsonNode error = body.path("error");
        return error.isTextual() && !error.asText().isBlank()
                || error.isObject() && !error.isEmpty();
    }

    private static int statusOf(JsonNode error) {
        for (JsonNode code : List.of(error.path("code"), error.path("status"))) {
            if (code.asInt() >= 400 && code.asInt() < 600) {
                return code.asInt();
            }
        }
        String names = Stream.of("code", "status", "type")
                .map(field -> error.path(field).asText(""))
                .collect(Collectors.joining(" "));
        String sentence = error.isTextual() ? error.asText() : error.path("message").asText("");
        return Stream.of(names, sentence)
                .flatMap(text -> STATUSES.stream()
                        .filter(
                                known -> Pattern.compile(known.getValue(), Pattern.CASE_INSENSITIVE)
                                        .matcher(text)
                                        .find()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(OK);
    }
}
