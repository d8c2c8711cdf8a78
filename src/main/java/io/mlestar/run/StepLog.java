package io.mlestar.run;

import io.mlestar.event.Event;
import io.mlestar.run.StepResult.Status;
import io.mlestar.step.StepPath;
import java.time.Duration;
import java.util.Locale;
import org.jboss.logging.Logger;

/// One structured line for each thing that happens to a step: asked, started, ended (the log tables of the parts). What a
/// phase finds out is logged when it is stored, so a replay never logs twice.
public final class StepLog implements Watcher {
    private static final Logger LOG = Logger.getLogger("mle_star");

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
        if (result.value() != null && LOG.isDebugEnabled() && request.type().startsWith(Event.agentType(""))) {
            LOG.debugf("prompt of %s:%n%s%nanswer:%n%s", step, result.value().path("prompt").asText(), result.value().path("text").asText());
        }
    }

    private static String details(StepRequest request, StepResult result) {
        if (result.value() == null) {
            return " reason=\"" + result.reason() + "\"";
        }
        if (request.type().equals(Event.SCRIPT)) {
            var evaluation = result.value().path("evaluation");
            return " exit_code=" + evaluation.path("exit_code").asInt() + " is_error=" + evaluation.path("is_error").asBoolean()
                    + " timed_out=" + result.value().path("timed_out").asBoolean() + " score=" + evaluation.path("score").asText("none")
                    + (evaluation.path("is_error").asBoolean() ? " error=\"" + lastLine(result.value().path("bug").asText()) + "\"" : "");
        }
        Double score = Scored.of(result);
        return request.type().startsWith(Event.agentType(""))
                ? " answer_length=" + result.value().path("text").asText().length()
                : score == null ? "" : " score=" + score;
    }

    private static String lastLine(String text) {
        return text.strip().lines().reduce((first, second) -> second).orElse("");
    }
}
