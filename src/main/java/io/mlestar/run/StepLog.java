package io.mlestar.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.run.StepResult.Status;
import io.mlestar.step.Execution;
import io.mlestar.step.StepPath;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.jboss.logging.Logger;

/// One structured line for each thing that happens to a step: asked, started, ended (the log tables of the parts). What a
/// phase finds out is logged when it is stored, so a replay never logs twice.
public final class StepLog implements Watcher {
    private static final Logger LOG = Logger.getLogger("mle_star");
    private static final int EXCERPT = 200;
    private static final Set<String> LONG = Set.of("stdout", "stderr", "error_traceback", "code_block", "content", "ablation_summary");

    @Override
    public void asked(RunHeader run, StepPath step, StepRequest request) {
        if (step.parent().filter(parent -> parent.inside().isEmpty()).isPresent()) {
            LOG.infof("=== %s: %s ===", run.runId(), step.name());
        }
        LOG.debugf("event=asked step=%s type=%s", step, request.type());
    }

    @Override
    public void started(RunHeader run, StepPath step, StepRequest request) {
        LOG.infof("event=started step=%s type=%s input_length=%d", step, request.type(), request.input().toString().length());
    }

    @Override
    public void unreadable(RunHeader run, StepPath step, String reason) {
        LOG.warnf("event=unreadable step=%s reason=\"%s\"", step, reason.replaceAll("\\s+", " "));
    }

    @Override
    public void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {
        String line = String.format(Locale.ROOT, "event=ended step=%s status=%s duration=%.3f cost_usd=%s%s", step,
                result.status().name().toLowerCase(Locale.ROOT),
                Duration.between(result.startedAt(), result.endedAt()).toMillis() / 1000.0, result.costUsd(), details(request, result));
        if (result.status() == Status.DONE && !line.contains("is_error=true")) {
            LOG.info(line);
        } else {
            LOG.warn(line);
        }
        if (result.value() != null && LOG.isDebugEnabled() && request.isAgent()) {
            LOG.debugf("prompt of %s:%n%s%nanswer:%n%s", step, result.value().path("prompt").asText(), result.value().path("text").asText());
        }
    }

    private static String details(StepRequest request, StepResult result) {
        JsonNode value = result.value();
        if (value == null) {
            return said("reason", result.reason());
        }
        if (request.isScript()) {
            JsonNode evaluation = value.path("evaluation");
            boolean error = evaluation.path("is_error").asBoolean();
            return scalars(evaluation) + " timed_out=" + value.path("timed_out").asBoolean()
                    + (error ? said("error", Execution.lastLine(value.path("bug").asText())) : "");
        }
        if (request.isAgent()) {
            String answer = value.path("text").asText();
            return " model=" + value.path("usage").path("model").asText() + " answer_length=" + answer.length() + said("answer", answer);
        }
        Double score = Scored.of(result);
        return (score == null ? "" : " score=" + score) + scalars(value) + scalars(value.path("record"));
    }

    /// What a result says in single values; scripts and outputs are left to the store.
    private static String scalars(JsonNode value) {
        StringBuilder text = new StringBuilder();
        value.properties().stream().filter(field -> field.getValue().isValueNode() && !LONG.contains(field.getKey()))
                .forEach(field -> text.append(said(field.getKey(), field.getValue().asText())));
        return text.toString();
    }

    private static String said(String name, String value) {
        String line = value == null ? "" : value.strip().replaceAll("\\s+", " ");
        String shown = line.length() > EXCERPT ? line.substring(0, EXCERPT) + "…" : line;
        return " " + name + "=" + (shown.contains(" ") ? "\"" + shown + "\"" : shown);
    }
}
