package io.mlestar.core.agent;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.mlestar.core.agent.CodeFences.Fence;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.UnreadableAnswer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// Reads the raw answers of models, leniently: what a person would understand is understood.
final class Reading {
    private static final int EXCERPT = 200;
    private static final ObjectReader FORGIVING = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES,
                    JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS,
                    JsonReadFeature.ALLOW_TRAILING_COMMA, JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .build()
            .reader();
    private static final ObjectReader WHOLE =
            FORGIVING.with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    /// Brackets that may stand before the JSON begins, in prose or in code.
    private static final int BRACKETS = 5000;
    /// The search for JSON reads at most so many times the length of the text in vain.
    private static final int PASSES = 10;
    /// Most characters of text beside code, or in place of it.
    static final int LONGEST_PROSE = 50_000;

    private Reading() {}

    /// @throws UnreadableAnswer if there is no code in the answer
    static String code(String answer) {
        return CodeFences.code(answer)
                .orElseThrow(() -> UnreadableAnswer.of("no code in the answer", answer, EXCERPT));
    }

    /// @throws UnreadableAnswer if the answer is blank, or longer than any plan or summary
    static String prose(String answer) {
        if (answer.length() > LONGEST_PROSE) {
            throw UnreadableAnswer.of("the text has more than " + LONGEST_PROSE + " characters",
                    answer, EXCERPT);
        }
        if (answer.isBlank()) {
            throw UnreadableAnswer.of("no text in the answer", answer, EXCERPT);
        }
        return answer.strip();
    }

    /// Reads a structured answer: bare JSON, fenced JSON, or JSON between other words; where `list`
    /// names a field, a bare array or a single element is accepted too.
    ///
    /// @param list the only field of `type`, holding a list
    /// @throws UnreadableAnswer if the answer does not hold such a value
    static <T> T json(String answer, Class<T> type, String list) {
        return json(answer, type, tree -> wrapped(tree, list));
    }

    /// The same for a type that holds no list.
    static <T> T json(String answer, Class<T> type) {
        return json(answer, type, tree -> tree);
    }

    private static <T> T json(String answer, Class<T> type, UnaryOperator<JsonNode> form) {
        String why = "no JSON in the answer";
        for (JsonNode tree : trees(answer)) {
            try {
                return Json.read(form.apply(tree), type);
            } catch (Invalid e) {
                why = "the answer breaks its schema: " + e.getMessage();
            }
        }
        throw UnreadableAnswer.of(why, answer, EXCERPT);
    }

    /// All candidates for the answer: the whole text, or else each fenced block and each value
    /// between other words.
    static List<JsonNode> trees(String answer) {
        return parsed(answer).map(List::of)
                .orElseGet(() -> Stream.concat(
                        CodeFences.fences(answer)
                                .stream()
                                .map(Fence::content)
                                .map(Reading::parsed)
                                .flatMap(Optional::stream),
                        embedded(answer).stream()).toList())
                .stream()
                .map(Reading::wellFormed)
                .toList();
    }

    /// An escape like `\ud800` is half of a character, which JSON allows and no store takes.
    private static JsonNode wellFormed(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                ObjectNode clean = JsonNodeFactory.instance.objectNode();
                object.properties()
                        .forEach(field -> clean.set(Answer.wellFormed(field.getKey()),
                                wellFormed(field.getValue())));
                yield clean;
            }
            case ArrayNode array -> {
                ArrayNode clean = JsonNodeFactory.instance.arrayNode();
                array.forEach(element -> clean.add(wellFormed(element)));
                yield clean;
            }
            case TextNode text -> TextNode.valueOf(Answer.wellFormed(text.asText()));
            default -> node;
        };
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
            return Optional.ofNullable(WHOLE.readTree(text)).filter(JsonNode::isContainerNode);
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /// The objects and arrays that stand in the text, without those inside of others.
    private static List<JsonNode> embedded(String text) {
        List<JsonNode> found = new ArrayList<>();
        char[] characters = text.toCharArray();
        int brackets = 0;
        long left = (long) PASSES * characters.length;
        for (int at = 0; at < characters.length && brackets < BRACKETS && left >= 0; at++) {
            if (characters[at] != '{' && characters[at] != '[') {
                continue;
            }
            brackets++;
            try (JsonParser parser =
                    FORGIVING.createParser(characters, at, characters.length - at)) {
                Optional<JsonNode> value = value(parser);
                int end = (int) parser.currentLocation().getCharOffset();
                value.ifPresent(found::add);
                at += value.isPresent() ? end - 1 : 0;
                left -= value.isPresent() ? 0 : end;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return found;
    }

    /// Empty if there is none: prose and code hold brackets too.
    private static Optional<JsonNode> value(JsonParser parser) {
        try {
            return Optional.ofNullable(FORGIVING.readTree(parser));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
