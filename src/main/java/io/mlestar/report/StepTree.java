package io.mlestar.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.engine.Records;
import io.mlestar.engine.RunHeader;
import io.mlestar.engine.Scored;
import io.mlestar.engine.StepResult.Status;
import io.mlestar.engine.StepResult;
import io.mlestar.step.Answer;
import io.mlestar.step.Execution;
import io.mlestar.step.StepPath;
import io.mlestar.task.Controls;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.MetricDirection;
import io.mlestar.view.Words;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The steps of a run as text.
public final class StepTree {
    private static final int NAME = 36;
    private static final int LONGEST = 400;
    private static final List<String> PLANS = List.of("/record/plan", "/plan");

    /// How the text is shown.
    ///
    /// @param width most characters of a line
    /// @param colours whether it may hold colours for a terminal
    public record Look(int width, boolean colours) {
        public static final Look PLAIN = new Look(LONGEST, false);

        private String paint(String text, String code) {
            String shown = Controls.shown(text);
            return colours && !text.isEmpty() && !code.isEmpty() ? "\033[" + code + "m" + shown + "\033[0m" : shown;
        }
    }

    private final Records records;
    private final MetricDirection direction;
    private final Look look;
    private final StringBuilder text = new StringBuilder();

    private StepTree(Records records, RunHeader run, Look look) {
        this.records = records;
        this.direction = run.task().metricDirection();
        this.look = look;
        text.append(look.paint(run.runId(), "1")).append(look.paint("  " + run.task().competitionId() + ", "
                + Words.line(run.task().evaluationMetric(), 60) + ", " + direction.better() + " is better", "")).append('\n');
    }

    /// One line per step, indented: duration, cost, score, gain, plan, and what went wrong.
    public static String of(Records records, RunHeader run, Look look) {
        StepTree tree = new StepTree(records, run, look);
        tree.add(StepPath.root(run.runId()), 1);
        return tree.text.toString().stripTrailing();
    }

    private void add(StepPath phase, int depth) {
        for (Records.Known step : records.below(phase)) {
            text.append(line(step, depth).stripTrailing()).append('\n');
            if (step.request().isPhase()) {
                add(step.path(), depth + 1);
            }
        }
    }

    private String line(Records.Known step, int depth) {
        String name = String.format(Locale.ROOT, "%-" + NAME + "s", "  ".repeat(depth) + step.path().name());
        String shown = step.request().isPhase() ? name : look.paint(name, "2");
        if (step.result().isEmpty()) {
            return shown + " " + look.paint("under way", "36");
        }
        StepResult result = step.result().get();
        String cost = result.costUsd() == null ? "unpriced" : result.costUsd() == 0 ? "" : Words.dollars(result.costUsd());
        String numbers = String.format(Locale.ROOT, " %10s  %-8s ",
                Words.duration(Duration.between(result.startedAt(), result.endedAt()).toMillis() / 1000.0), cost);
        return shown + look.paint(numbers, "2") + outcome(step, result, Math.max(20, look.width() - name.length() - numbers.length()));
    }

    private String outcome(Records.Known step, StepResult result, int room) {
        if (result.status() != Status.DONE) {
            boolean failed = result.status() == Status.FAILED;
            return look.paint(Words.line((failed ? "failed: " : "left out: ") + result.reason(), room - 1), failed ? "31" : "33");
        }
        JsonNode value = result.value();
        if (value.path("evaluation").path("is_error").asBoolean()) {
            return look.paint(Words.line("crashed: " + Execution.lastLine(value.path("bug").asText()), room - 1), "31");
        }
        Double score = Scored.of(step.path(), result);
        String said = score == null ? shortfall(value) : "score " + score;
        JsonNode best = step.request().input().path("best");
        boolean better = false;
        if (score != null && best.isNumber()) {
            said += " (" + Words.gain(score - best.asDouble()) + ")";
            better = direction.isImprovement(score, best.asDouble());
        }
        String plan = PLANS.stream().map(value::at).filter(JsonNode::isTextual).map(JsonNode::asText).findFirst()
                .orElseGet(() -> step.request().input().at("/model/model_name").asText());
        said = said.isEmpty() && !plan.isBlank() ? "no score" : said;
        said += result.sharedWith() == null ? "" : " (shared with " + result.sharedWith() + ")";
        String rest = plan.isBlank() || said.length() > room - 12 ? "" : Words.line(plan, room - said.length() - 3);
        return look.paint(said, better ? "32" : "") + (rest.isEmpty() ? "" : "  " + look.paint(rest, "2"));
    }

    /// All that is known of one step: what was asked, with the prompt, and what came back.
    ///
    /// @throws Invalid if there is no such step
    public static String one(Records records, StepPath path) {
        var request = records.request(path).orElseThrow(() -> new Invalid("there is no step " + path));
        StringBuilder text = new StringBuilder("# ").append(path).append("\n\ntype   ").append(request.type())
                .append("\nasked  ").append(request.askedAt()).append('\n');
        Optional<StepResult> result = records.result(path);
        text.append("status ").append(result.map(known -> known.status().name().toLowerCase(Locale.ROOT)).orElse("under way")).append('\n');
        result.map(StepResult::reason).ifPresent(reason -> text.append("reason ").append(reason).append('\n'));
        if (result.filter(known -> known.status() == Status.DONE).isEmpty()) {
            section(text, "Input", Json.text(request.input()));
            return text.toString().stripTrailing();
        }
        JsonNode value = result.get().value();
        if (request.isPhase()) {
            section(text, "Input", Json.text(request.input()));
            section(text, "Result", Json.text(value));
        } else {
            StepTexts.of(records, path).texts().forEach((heading, content) -> section(text, heading, content));
            if (request.isAgent()) {
                section(text, "What is missing", shortfall(value));
                section(text, "Usage", Json.text(value.path("usage")));
            }
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
