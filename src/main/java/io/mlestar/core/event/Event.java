package io.mlestar.core.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.StepPath;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A CloudEvent 1.0 with JSON data. A claim check: it names a run and a step, what is to be done
/// lies in the store.
///
/// @param id deterministic: the same cause gives the same id
/// @param subject the step's path
/// @param extensions more attributes, by names that CloudEvents allows
public record Event(
        String type,
        String id,
        String subject,
        JsonNode data,
        Map<String, String> extensions) {
    /// The source of all events. It has no slashes, since a JobSink makes a label of it.
    public static final String SOURCE = "mlestar";
    public static final String RUN_REQUESTED = "io.mlestar.run.requested";
    public static final String RUN_CANCELLED = "io.mlestar.run.cancelled";
    public static final String RUN_COMPLETED = "io.mlestar.run.completed";
    public static final String RUN_FAILED = "io.mlestar.run.failed";
    public static final String SCRIPT = "io.mlestar.script.run";
    public static final String DEAD_LETTER = "io.mlestar.dead-letter";
    /// Extension of the events that ask for scripts: on which kind of machine.
    public static final String HARDWARE = "hardware";
    /// The only type of event that a `PingSource`, the clock of Knative, sends.
    public static final String SWEEP = "dev.knative.sources.ping";

    /// An event without extensions.
    public Event(String type, String id, String subject, JsonNode data) {
        this(type, id, subject, data, Map.of());
    }

    /// The same event with these extensions beside those it has.
    public Event with(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(extensions);
        all.putAll(more);
        return new Event(type, id, subject, data, Map.copyOf(all));
    }

    /// The value of an attribute or an extension, for the filter of a trigger.
    ///
    /// @param name of an attribute or an extension
    /// @return empty if it has none of that name
    public String attribute(String name) {
        return switch (name) {
            case "type" -> type;
            case "id" -> id;
            case "subject" -> subject;
            case "source" -> SOURCE;
            default -> extensions.getOrDefault(name, "");
        };
    }

    /// "Work on this step", the only kind of event inside a run.
    ///
    /// @param cause what makes the id unique: the step that woke it, or the number of the attempt
    public static Event work(String type, StepPath step, String cause) {
        ObjectNode data = Json.object().put("run_id", step.run()).put("step", step.toString());
        return new Event(type, step + "#" + cause, step.toString(), data);
    }

    /// True for the last event of a run: it completed, or it failed.
    public boolean endsRun() {
        return type.equals(RUN_COMPLETED) || type.equals(RUN_FAILED);
    }

    public static String agentType(String agent) {
        return "io.mlestar.agent." + agent;
    }

    public static String phaseType(String kind) {
        return "io.mlestar.phase." + kind;
    }

    /// The step that an event's data names.
    ///
    /// @throws Invalid if it names none
    public static StepPath stepOf(@Nullable JsonNode data) {
        String step = data == null ? null : data.path("step").textValue();
        if (data == null || step == null || step.isEmpty()) {
            throw new Invalid("the event's data must name a run_id and a step, as texts");
        }
        StepPath path = StepPath.parse(step);
        if (data.has("run_id") && !runOf(data).equals(path.run())) {
            throw new Invalid(
                    "the event's run_id \"" + runOf(data) + "\" is not the run of step " + path);
        }
        return path;
    }

    /// The run that an event's data names. What is no text is no name: a number in its place may be
    /// a mistake.
    ///
    /// @throws Invalid if it names none
    public static String runOf(@Nullable JsonNode data) {
        JsonNode run = data == null ? null : data.get("run_id");
        if (run == null || !run.isTextual()) {
            throw new Invalid("run_id must be a text"
                    + (run == null
                            ? ""
                            : ", but is " + run.getNodeType().name().toLowerCase(Locale.ROOT)));
        }
        return run.textValue();
    }

    /// Attributes as HTTP headers, binary content mode. No `time`: with zero seconds some senders
    /// shorten it and brokers refuse it.
    public Map<String, String> headers() {
        Map<String, String> headers =
                new LinkedHashMap<>(
                        Map.of("ce-specversion", "1.0", "ce-type", type, "ce-id", id, "ce-source",
                                SOURCE, "ce-subject", subject, "Content-Type", "application/json"));
        extensions.forEach((name, value) -> headers.put("ce-" + name, value));
        return headers;
    }
}
