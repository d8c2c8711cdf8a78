package io.mlestar.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.engine.Records;
import io.mlestar.engine.StepRequest;
import io.mlestar.engine.StepResult;
import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The texts of one step that people read: prompt and answer of an agent, script and output of a run, the script and the
/// block that a phase gave.
///
/// @param texts by heading; those that are empty are left out
public record StepTexts(StepPath step, Map<String, String> texts) {
    private static final List<String> SCRIPTS = List.of("/script/content", "/solution/content", "/content", "/initial_solution/content",
            "/best_solution/content", "/best_ensemble/content", "/final_solution/content");

    /// @throws Invalid if there is no such step
    public static StepTexts of(Records records, StepPath step) {
        StepRequest request = records.request(step).orElseThrow(() -> new Invalid("there is no step " + step));
        JsonNode value = records.result(step).map(StepResult::value).orElse(Json.object());
        Map<String, String> texts = new LinkedHashMap<>();
        if (request.isAgent()) {
            texts.put("Prompt", value.path("prompt").asText());
            texts.put("Answer", value.path("text").asText());
        } else if (request.isScript()) {
            texts.put("Script", request.input().path("content").asText());
            texts.put("Output", value.path("evaluation").path("stdout").asText());
            texts.put("Errors", value.path("evaluation").path("stderr").asText());
        } else {
            texts.put("Script", SCRIPTS.stream().map(value::at).filter(JsonNode::isTextual).map(JsonNode::asText).findFirst().orElse(""));
            texts.put("Block", value.path("record").path("code_block").asText());
            texts.put("Plan", value.at("/record/plan").asText(value.path("plan").asText()));
        }
        texts.values().removeIf(String::isBlank);
        return new StepTexts(step, texts);
    }

    /// The differences to another step as `diff -u` writes them, text by text; empty if the texts are the same.
    ///
    /// @throws Invalid if the steps have no kind of text in common
    public List<String> differences(StepTexts other) {
        List<String> common = texts.keySet().stream().filter(other.texts::containsKey).toList();
        if (common.isEmpty()) {
            throw new Invalid("nothing to compare: " + step + " has " + named(texts) + ", " + other.step + " has " + named(other.texts));
        }
        List<String> lines = new ArrayList<>();
        common.forEach(name -> lines.addAll(Diffs.unified(step.inside() + " (" + name.toLowerCase(java.util.Locale.ROOT) + ")", texts.get(name),
                other.step.inside() + " (" + name.toLowerCase(java.util.Locale.ROOT) + ")", other.texts.get(name))));
        return lines;
    }

    private static String named(Map<String, String> texts) {
        return texts.isEmpty() ? "no text" : String.join(", ", texts.keySet()).toLowerCase(java.util.Locale.ROOT);
    }
}
