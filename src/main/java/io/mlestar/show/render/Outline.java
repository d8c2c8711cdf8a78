package io.mlestar.show.render;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/// JSON as people read it: one value a line under its name, and texts of several lines with real
/// line breaks. Not for programs, which cannot read it back.
public final class Outline {
    private static final String DEEPER = "  ";

    private Outline() {}

    public static String of(JsonNode value) {
        StringBuilder text = new StringBuilder();
        if (value.isContainerNode()) {
            inside(value, "", text);
        } else {
            text.append(value.asText());
        }
        return text.toString().stripTrailing();
    }

    private static void inside(JsonNode value, String indent, StringBuilder text) {
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            named(indent + field.getKey() + ":", field.getValue(), indent, text);
        }
        if (value.isArray()) {
            value.forEach(item -> named(indent + "-", item, indent, text));
        }
    }

    private static void named(String name, JsonNode value, String indent, StringBuilder text) {
        if (value.isContainerNode() && !value.isEmpty()) {
            text.append(name).append('\n');
            inside(value, indent + DEEPER, text);
        } else if (value.isTextual() && value.asText().contains("\n")) {
            text.append(name).append('\n');
            value.asText()
                    .lines()
                    .forEach(line -> text.append(line.isBlank() ? "" : indent + DEEPER + line)
                            .append('\n'));
        } else {
            text.append(name)
                    .append(' ')
                    .append(value.isContainerNode() ? value.toString() : value.asText())
                    .append('\n');
        }
    }
}
