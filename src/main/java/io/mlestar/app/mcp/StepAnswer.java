package io.mlestar.app.mcp;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.mlestar.adapter.tool.ToolRefused;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.show.render.Formats;
import io.mlestar.show.view.StepRow;
import io.mlestar.show.view.StepView;
import java.util.List;
import java.util.Map;

/// The answer of the tool `step`: a step in short, or a piece of one of its texts.
record StepAnswer(Records records, KnownStep known, Map<String, String> texts) {
    /// Characters of a text that one answer shows.
    static final int PIECE = 20_000;
    private static final int MOST_BELOW = 100;
    private static final int BEGINNING = 1_500;

    /// The step with the beginnings of its texts, and the steps below it.
    String inShort() {
        ObjectNode answer = (ObjectNode) Json.tree(StepRow.of(StepView.of(known)));
        // Any text may be long, even the name of a model.
        answer.properties()
                .stream()
                .filter(field -> field.getValue().isTextual())
                .forEach(field -> field.setValue(
                        TextNode.valueOf(Excerpt.clip(field.getValue().asText(), BEGINNING))));
        ObjectNode beginnings = answer.putObject("texts");
        texts.forEach((name, text) -> beginnings.put(name, text.length() <= BEGINNING
                ? text
                : text.substring(0, BEGINNING) + " [" + (text.length() - BEGINNING)
                        + " more characters; ask with text "
                        + name + "]"));
        if (known.request().isPhase()) {
            List<KnownStep> below = records.readable(known.path());
            ArrayNode shown = answer.put("steps_below", below.size()).putArray("below");
            below.stream()
                    .limit(MOST_BELOW)
                    .map(StepView::of)
                    .map(StepRow::of)
                    .forEach(
                            step -> shown.addObject()
                                    .put("step", step.path())
                                    .put("outcome", step.outcome().toString())
                                    .put("score", step.score())
                                    .put("note", step.note()));
        }
        return Json.line(answer);
    }

    /// A piece of one text.
    ///
    /// @param from which character on
    String piece(String name, int from) {
        String text = texts.get(name);
        if (text == null) {
            throw new ToolRefused("the step has no text \"" + Formats.line(name, 60) + "\"; it has "
                    + String.join(", ", texts.keySet()));
        }
        if (from < 0 || from > text.length()) {
            throw new ToolRefused("from must be 0 to " + text.length());
        }
        String piece = text.substring(from, Math.min(text.length(), from + PIECE));
        int left = text.length() - from - piece.length();
        return left == 0
                ? piece
                : piece + "\n[" + left + " more characters; ask with from " + (from + PIECE) + "]";
    }
}
