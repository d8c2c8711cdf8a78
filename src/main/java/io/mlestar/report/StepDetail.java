package io.mlestar.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.engine.Records;
import io.mlestar.engine.StepRequest;
import io.mlestar.engine.StepResult;
import io.mlestar.step.StepPath;
import io.mlestar.task.Json;
import io.mlestar.view.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// All that is known of one step, to be read by people.
///
/// @param facts short values by their names
/// @param texts prompt, answer, script, output, traceback: what there is of them
/// @param more what few will want to see: the step's input, and a phase's result
public record StepDetail(StepRow row, Map<String, String> facts, List<Text> texts, List<Text> more) {
    private static final int LONGEST = 1 << 20;

    /// What a text is, and so how it is shown: prose is wrapped, code has line numbers.
    public enum Form {
        PROSE, CODE, OUTPUT
    }

    /// @param cut characters that are not shown
    public record Text(String heading, Form form, String content, int cut) {
        static Optional<Text> of(String heading, Form form, String content) {
            return content.isBlank() ? Optional.empty() : Optional.of(new Text(heading, form,
                    Words.clip(content.stripTrailing(), LONGEST), Math.max(0, content.length() - LONGEST)));
        }

        public boolean isCode() {
            return form == Form.CODE;
        }

        public List<String> lines() {
            return content.lines().toList();
        }

        public String formName() {
            return form.name().toLowerCase(Locale.ROOT);
        }
    }

    /// Empty if there is no such step.
    public static Optional<StepDetail> of(Records records, Outline outline, StepPath path) {
        return outline.row(path).map(row -> {
            StepRequest request = records.request(path).orElseThrow();
            JsonNode value = records.result(path).map(StepResult::value).orElse(Json.object());
            List<Text> texts = request.isAgent() ? answered(value) : request.isScript() ? ran(request, value) : found(value);
            List<Text> more = new ArrayList<>();
            Text.of("Input", Form.PROSE, request.isScript() ? "" : Json.text(request.input())).ifPresent(more::add);
            Text.of("Result", Form.PROSE, request.isPhase() && !value.isEmpty() ? Json.text(value) : "").ifPresent(more::add);
            return new StepDetail(row, facts(request, value), texts, more);
        });
    }

    private static List<Text> answered(JsonNode value) {
        List<Text> texts = new ArrayList<>();
        add(texts, "Answer", Form.PROSE, value.path("text"));
        add(texts, "Prompt", Form.PROSE, value.path("prompt"));
        add(texts, "System prompt", Form.PROSE, value.path("system"));
        return texts;
    }

    private static List<Text> ran(StepRequest request, JsonNode value) {
        List<Text> texts = new ArrayList<>();
        JsonNode evaluation = value.path("evaluation");
        JsonNode traceback = evaluation.path("error_traceback").isTextual() ? evaluation.path("error_traceback") : value.path("bug");
        add(texts, "Traceback", Form.OUTPUT, traceback);
        add(texts, "Output", Form.OUTPUT, evaluation.path("stdout"));
        if (!evaluation.path("stderr").asText().strip().equals(traceback.asText().strip())) {
            add(texts, "Errors", Form.OUTPUT, evaluation.path("stderr"));
        }
        add(texts, "Script", Form.CODE, request.input().path("content"));
        return texts;
    }

    private static List<Text> found(JsonNode value) {
        List<Text> texts = new ArrayList<>();
        add(texts, "What went wrong", Form.PROSE, value.path("failure"));
        add(texts, "Plan", Form.PROSE, value.at("/record/plan"));
        add(texts, "Plan", Form.PROSE, value.path("plan"));
        add(texts, "Ablation summary", Form.PROSE, value.at("/record/ablation_summary"));
        add(texts, "Code block", Form.CODE, value.at("/record/code_block"));
        return texts;
    }

    private static void add(List<Text> texts, String heading, Form form, JsonNode content) {
        Text.of(heading, form, content.asText("")).ifPresent(texts::add);
    }

    private static Map<String, String> facts(StepRequest request, JsonNode value) {
        Map<String, String> facts = new LinkedHashMap<>();
        if (request.isAgent() && value.has("usage")) {
            JsonNode usage = value.path("usage");
            facts.put("Model", usage.path("model").asText());
            facts.put("Tokens in", String.format(Locale.ROOT, "%,d", usage.path("input_tokens").asLong()));
            facts.put("Tokens out", String.format(Locale.ROOT, "%,d", usage.path("output_tokens").asLong()));
            facts.put("From cache", String.format(Locale.ROOT, "%,d", usage.path("cached_tokens").asLong()));
        } else if (request.isScript()) {
            facts.put("Kind", request.input().path("kind").asText().toLowerCase(Locale.ROOT));
            facts.put("Time limit", Words.duration(request.input().path("timeout_seconds").asDouble()));
            if (value.path("evaluation").has("exit_code")) {
                facts.put("Exit code", value.path("evaluation").path("exit_code").asText());
            }
        }
        return facts;
    }
}
