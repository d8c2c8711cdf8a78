package io.mlestar.app.mcp;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.mlestar.adapter.tool.RecordTool;
import io.mlestar.adapter.tool.ToolRefused;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.show.render.Formats;
import io.mlestar.show.view.RunSteps;
import io.mlestar.show.view.StepFigures;
import io.mlestar.show.view.WholeStep;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `step`: one step of a run, with the beginnings of its texts and the steps below it; or one of its texts, piece by piece.
record StepTool(Records records) implements RecordTool<StepTool.Place> {
    private static final int MOST_BELOW = 100;
    private static final int BEGINNING = 1_500;
    private static final int PIECE = 20_000;

    /// @param text which of the step's texts; empty for all that is known of the step in short
    /// @param from character of the text, from 0
    @RegisterForReflection
    record Place(@JsonPropertyDescription("id of a run in the store") String runId,
            @JsonPropertyDescription("path of the step in the run, e.g. phase2-path0/block0/attempt1/coder; empty or left out for the run itself") Optional<String> step,
            @JsonPropertyDescription("prompt, answer, script, output, traceback or another text of the step, to be shown whole") Optional<String> text,
            @JsonPropertyDescription("from which character on, if the text is long") Optional<Integer> from) {}

    @Override
    public String name() {
        return "step";
    }

    @Override
    public String description() {
        return "Shows a step of a run: what it was, how it ended, its score and cost, the beginnings of its texts, and the steps below it. With text, one of the texts, "
                + PIECE + " characters at a time.";
    }

    @Override
    public Class<Place> arguments() {
        return Place.class;
    }

    @Override
    public String use(Place place) {
        NamedRun.header(records, place.runId());
        StepPath path =
                place.step().filter(step -> !step.isBlank()).map(step -> new StepPath(place.runId(), step)).orElseGet(() -> StepPath.root(place.runId()));
        KnownStep known = records.known(path).orElseThrow(() -> new ToolRefused("there is no step " + path));
        Map<String, String> texts = WholeStep.of(records, path).orElseThrow().texts();
        return place.text().isPresent() ? piece(texts, place.text().get(), place.from().orElse(0)) : inShort(known, texts);
    }

    private static String piece(Map<String, String> texts, String name, int from) {
        String text = texts.get(name);
        if (text == null) {
            throw new ToolRefused("the step has no text \"" + Formats.line(name, 60) + "\"; it has " + String.join(", ", texts.keySet()));
        }
        if (from < 0 || from > text.length()) {
            throw new ToolRefused("from must be 0 to " + text.length());
        }
        String piece = text.substring(from, Math.min(text.length(), from + PIECE));
        int left = text.length() - from - piece.length();
        return left == 0 ? piece : piece + "\n[" + left + " more characters; ask with from " + (from + PIECE) + "]";
    }

    /// A model's name, too, is as long as somebody has made it.
    private static ObjectNode figures(KnownStep known) {
        ObjectNode figures = (ObjectNode) Json.tree(StepFigures.of(known));
        figures.properties().forEach(field -> {
            if (field.getValue().isTextual()) {
                field.setValue(TextNode.valueOf(Formats.clip(field.getValue().asText(), BEGINNING)));
            }
        });
        return figures;
    }

    private String inShort(KnownStep known, Map<String, String> texts) {
        ObjectNode answer = figures(known);
        ObjectNode beginnings = answer.putObject("texts");
        texts.forEach((name, text) -> beginnings.put(name, text.length() <= BEGINNING ? text
                : text.substring(0, BEGINNING) + " [" + (text.length() - BEGINNING) + " more characters; ask with text " + name + "]"));
        if (known.request().isPhase()) {
            List<KnownStep> below = new RunSteps(records).readable(known.path());
            ArrayNode shown = answer.put("steps_below", below.size()).putArray("below");
            below.stream().limit(MOST_BELOW).map(StepFigures::of).forEach(step -> shown.addObject().put("step", step.path()).put("outcome", step.outcome())
                    .put("score", step.score()).put("note", step.note()));
        }
        return Json.line(answer);
    }
}
