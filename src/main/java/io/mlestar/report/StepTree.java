package io.mlestar.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.run.Records;
import io.mlestar.run.Scored;
import io.mlestar.run.StepResult;
import io.mlestar.run.StepResult.Status;
import io.mlestar.step.Answer;
import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/// The steps of a run as text.
public final class StepTree {
    private StepTree() {}

    /// One line per step, indented: score, duration, cost, and what went wrong.
    public static String of(Records records, String run) {
        StringBuilder text = new StringBuilder(run).append('\n');
        add(records, StepPath.root(run), 1, text);
        return text.toString().stripTrailing();
    }

    private static void add(Records records, StepPath phase, int depth, StringBuilder text) {
        for (Records.Known step : records.below(phase)) {
            text.append(String.format(Locale.ROOT, "%-46s %s%n", "  ".repeat(depth) + step.path().name(), summary(step)));
            if (step.request().isPhase()) {
                add(records, step.path(), depth + 1, text);
            }
        }
    }

    private static String summary(Records.Known step) {
        if (step.result().isEmpty()) {
            return "under way";
        }
        StepResult result = step.result().get();
        double seconds = Duration.between(result.startedAt(), result.endedAt()).toMillis() / 1000.0;
        Double score = Scored.of(result);
        String outcome = switch (result.status()) {
            case FAILED -> "failed: " + result.reason();
            case STOPPED -> "left out: " + result.reason();
            case DONE -> result.value().path("evaluation").path("is_error").asBoolean()
                    ? "crashed: " + result.value().path("bug").asText().strip().lines().reduce((a, b) -> b).orElse("")
                    : score != null ? "score " + score : shortfall(result.value());
        };
        String cost = result.costUsd() == null ? "cost unknown" : result.costUsd() == 0 ? ""
                : String.format(Locale.ROOT, "$%.4f", result.costUsd());
        String shared = result.sharedWith() == null ? "" : " (shared with " + result.sharedWith() + ")";
        return String.format(Locale.ROOT, "%7.1f s  %-8s %s%s", seconds, cost, outcome.replaceAll("\\s+", " "), shared).stripTrailing();
    }

    /// All that is known of one step: what was asked, with the prompt, and what came back.
    ///
    /// @throws Invalid if there is no such step
    public static String one(Records records, StepPath path) {
        var request = records.request(path).orElseThrow(() -> new Invalid("there is no step " + path));
        StringBuilder text = new StringBuilder("# ").append(path).append("\n\ntype   ").append(request.type())
                .append("\nasked  ").append(request.askedAt()).append('\n');
        Optional<StepResult> result = records.result(path);
        if (result.isEmpty()) {
            return text.append("status under way\n\n## Input\n\n").append(Json.text(request.input())).toString();
        }
        text.append("status ").append(result.get().status().name().toLowerCase(Locale.ROOT)).append('\n');
        if (result.get().status() != Status.DONE) {
            return text.append("reason ").append(result.get().reason()).append("\n\n## Input\n\n")
                    .append(Json.text(request.input())).toString();
        }
        var value = result.get().value();
        if (request.isAgent()) {
            section(text, "Prompt", value.path("prompt").asText());
            section(text, "Answer", value.path("text").asText());
            section(text, "What is missing", shortfall(value));
            section(text, "Usage", Json.text(value.path("usage")));
        } else if (request.isScript()) {
            section(text, "Script", request.input().path("content").asText());
            section(text, "Output", value.path("evaluation").path("stdout").asText());
            section(text, "Errors", value.path("evaluation").path("stderr").asText());
        } else {
            section(text, "Input", Json.text(request.input()));
            section(text, "Result", Json.text(value));
        }
        return text.toString().stripTrailing();
    }

    /// Why the model's answer is not whole; empty if it is.
    private static String shortfall(JsonNode value) {
        return value.hasNonNull("shortfall") ? Json.read(value.get("shortfall"), Answer.Shortfall.class).toString() : "";
    }

    private static void section(StringBuilder text, String heading, String content) {
        if (!content.isBlank()) {
            text.append("\n## ").append(heading).append("\n\n").append(content.stripTrailing()).append('\n');
        }
    }
}
