package io.mlestar.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import module java.base;
import org.jspecify.annotations.Nullable;

/// Manifests whose parts depend on a chart's values: trees in which a node may have one form if a
/// condition holds, and another or none if not. Written out they are templates of Helm.
final class ConditionalYaml {
    private static final String IF = "\0if";
    private static final String THEN = "\0then";
    private static final String ELSE = "\0else";
    /// Begins a text that is part of the template, and not of the manifest.
    private static final String TEMPLATE = "\1";
    /// The key of lines of the template between other entries.
    private static final String LINES = "\0lines";
    private static final Pattern PLAIN =
            Pattern.compile("(?!(?i:true|false|null|yes|no|on|off|y|n)$)[A-Za-z/][A-Za-z0-9/_.@-]*(:[A-Za-z0-9/_.@-]+)*"
                    + "|[0-9]+(m|s|[KMGT]i)");

    private ConditionalYaml() {}

    static JsonNode template(String text) {
        return Json.tree(TEMPLATE + text);
    }

    /// Lines that stand where an entry of a map or of a list could.
    static ObjectNode lines(String text) {
        return Json.object().put(LINES, text);
    }

    static void addLines(ObjectNode map, String text) {
        map.put(LINES, text);
    }

    /// @param then null for nothing
    /// @param otherwise null for nothing
    static JsonNode choice(String condition, @Nullable JsonNode then, @Nullable JsonNode otherwise) {
        ObjectNode choice = Json.object().put(IF, condition);
        if (then != null) {
            choice.set(THEN, then);
        }
        if (otherwise != null) {
            choice.set(ELSE, otherwise);
        }
        return choice;
    }

    private static boolean isChoice(@Nullable JsonNode node) {
        return node != null && node.has(IF);
    }

    /// Changes the node at a path, in all forms that the nodes above it may have.
    ///
    /// @param change takes and returns null for nothing
    /// @return the changed node
    static @Nullable JsonNode change(@Nullable JsonNode node, List<String> path,
            UnaryOperator<@Nullable JsonNode> change) {
        if (path.isEmpty()) {
            return change.apply(node);
        }
        List<String> rest = path.subList(1, path.size());
        switch (node) {
            case null -> {}
            case ObjectNode choice when isChoice(choice) ->
                List.of(THEN, ELSE).forEach(form -> put(choice, form, change(choice.get(form), path, change)));
            case ObjectNode map -> put(map, path.getFirst(), change(map.get(path.getFirst()), rest, change));
            case ArrayNode list when path.getFirst().equals("-") -> list.add(change.apply(null));
            case ArrayNode list -> {
                int index = Integer.parseInt(path.getFirst());
                JsonNode changed = change(list.get(index), rest, change);
                if (changed == null) {
                    list.remove(index);
                } else {
                    list.set(index, changed);
                }
            }
            default -> throw new IllegalArgumentException("there is nothing at " + path);
        }
        return node;
    }

    private static void put(ObjectNode map, String key, @Nullable JsonNode value) {
        if (value == null) {
            map.remove(key);
        } else {
            map.set(key, value);
        }
    }

    /// Merges as a kustomize patch without lists does.
    static void merge(ObjectNode node, JsonNode patch, @Nullable String condition) {
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            JsonNode old = node.get(field.getKey());
            if (old instanceof ObjectNode map && !isChoice(map) && field.getValue().isObject()) {
                merge(map, field.getValue(), condition);
            } else if (!field.getValue().equals(old)) {
                node.set(field.getKey(),
                        condition == null ? field.getValue() : choice(condition, field.getValue(), old));
            }
        }
    }

    static String written(ObjectNode manifest) {
        StringBuilder out = new StringBuilder();
        manifest.properties().forEach(entry -> entry(entry.getKey() + ":", entry.getValue(), 0, out));
        return out.toString();
    }

    /// @param key with its colon, or the dash of a list
    private static void entry(String key, JsonNode value, int indent, StringBuilder out) {
        boolean inList = key.equals("-");
        if (isChoice(value)) {
            choice(key, value, indent, out);
        } else if (key.startsWith(LINES)) {
            value.asText().lines().forEach(
                    line -> out.append(line.startsWith("{{-") ? "" : " ".repeat(indent)).append(line).append('\n'));
        } else if (inList && value.has(LINES)) {
            entry(LINES, value.get(LINES), indent, out);
        } else if (value instanceof ObjectNode map && !map.isEmpty()) {
            int begin = out.append(" ".repeat(indent)).append(key).append('\n').length();
            map.properties().forEach(entry -> entry(entry.getKey() + ":", entry.getValue(), indent + 2, out));
            if (inList && !out.substring(begin).startsWith("{{")) {
                // The first entry stands beside the dash.
                out.replace(begin - 1, begin + indent + 2, " ");
            }
        } else if (value instanceof ArrayNode list && !list.isEmpty()) {
            out.append(" ".repeat(indent)).append(key).append('\n');
            list.forEach(item -> entry("-", item, inList ? indent + 2 : indent, out));
        } else {
            out.append(" ".repeat(indent)).append(key).append(' ').append(scalar(value, indent + 2)).append('\n');
        }
    }

    private static void choice(String key, JsonNode choice, int indent, StringBuilder out) {
        String condition = choice.get(IF).asText();
        out.append("{{- if ").append(choice.has(THEN) ? condition : "not (" + condition + ")").append(" }}\n");
        if (choice.has(THEN)) {
            entry(key, choice.get(THEN), indent, out);
        }
        if (choice.has(ELSE)) {
            out.append(choice.has(THEN) ? "{{- else }}\n" : "");
            entry(key, choice.get(ELSE), indent, out);
        }
        out.append("{{- end }}\n");
    }

    private static String scalar(JsonNode value, int indent) {
        String text = value.asText();
        if (!value.isTextual()) {
            return value.toString();
        }
        if (text.startsWith(TEMPLATE)) {
            return text.substring(1);
        }
        String shown = PLAIN.matcher(text).matches() ? text
                : text.matches("(?s)\\S.*\n.*\\S\n?") ? (text.endsWith("\n") ? "|\n" : "|-\n")
                        + text.lines().map(line -> line.isEmpty() ? "" : " ".repeat(indent) + line)
                                .collect(Collectors.joining("\n"))
                : Json.line(value);
        return shown.replace("{{", "{{ \"{{\" }}");
    }
}
