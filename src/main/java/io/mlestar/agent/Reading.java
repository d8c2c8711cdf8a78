package io.mlestar.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.mlestar.step.UnreadableAnswer;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import java.util.Optional;
import java.util.stream.Stream;

/// Reads the raw answers of models, leniently: what a person would understand is understood.
final class Reading {
    private static final int EXCERPT = 200;
    private static final ObjectReader FORGIVING = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES, JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS,
                    JsonReadFeature.ALLOW_TRAILING_COMMA, JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build().reader();
    private static final ObjectReader PREFIX = FORGIVING.without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private Reading() {}

    /// @throws UnreadableAnswer if there is no code in the answer
    static String code(String answer) {
        return CodeFences.code(answer).orElseThrow(() -> UnreadableAnswer.of("no code in the answer", answer, EXCERPT));
    }

    /// @throws UnreadableAnswer if the answer is blank
    static String prose(String answer) {
        if (answer.isBlank()) {
            throw UnreadableAnswer.of("no text in the answer", answer, EXCERPT);
        }
        return answer.strip();
    }

    /// Reads a structured answer: bare JSON, fenced JSON, or JSON between other words; where `list` names a field, a bare
    /// array or a single element is accepted too.
    ///
    /// @param list the only field of `type`, holding a list; null if there is none
    /// @throws UnreadableAnswer if the answer does not hold such a value
    static <T> T json(String answer, Class<T> type, String list, int excerpt) {
        JsonNode tree = tree(answer).orElseThrow(() -> UnreadableAnswer.of("no JSON in the answer", answer, excerpt));
        try {
            return Json.read(list == null ? tree : wrapped(tree, list), type);
        } catch (Invalid e) {
            throw UnreadableAnswer.of("the answer breaks its schema: " + e.getMessage(), answer, excerpt);
        }
    }

    static Optional<JsonNode> tree(String answer) {
        return Stream.concat(Stream.of(answer.strip()),
                        CodeFences.fences(answer).stream().map(fence -> fence.content().strip()))
                .map(Reading::parsed).flatMap(Optional::stream).findFirst()
                .or(() -> embedded(answer));
    }

    /// The object form of a list answer.
    static JsonNode wrapped(JsonNode tree, String list) {
        if (tree.has(list)) {
            return tree;
        }
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return nodes.objectNode().set(list, tree.isArray() ? tree : nodes.arrayNode().add(tree));
    }

    private static Optional<JsonNode> parsed(String text) {
        try {
            return Optional.ofNullable(FORGIVING.readTree(text)).filter(JsonNode::isContainerNode);
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /// The first position from which a whole object or array can be read.
    private static Optional<JsonNode> embedded(String text) {
        int tries = 0;
        for (int at = 0; at < text.length() && tries < 50; at++) {
            if (text.charAt(at) != '{' && text.charAt(at) != '[') {
                continue;
            }
            tries++;
            try {
                JsonNode node = PREFIX.readTree(text.substring(at));
                if (node != null && node.isContainerNode() && !node.isEmpty()) {
                    return Optional.of(node);
                }
            } catch (JsonProcessingException e) {
                // Not here: prose may hold brackets before the JSON begins.
            }
        }
        return Optional.empty();
    }
}
