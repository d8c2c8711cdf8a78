package io.mlestar.show.telemetry;

import io.mlestar.core.base.BestEffort;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.LruCache;
import io.mlestar.core.base.ProxyRules;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Trace;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.StepPath;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Distributed tracing: one trace per run, a span per step, and the trace context on every event
/// and every call to a model. Off unless `OTEL_EXPORTER_OTLP_ENDPOINT` says where a collector
/// listens.
public final class Tracing implements Watcher, AutoCloseable {
    private static final int MOST_REMEMBERED = 256;

    private final Records records;
    private final Optional<Spans> spans;
    private final Map<String, Trace> traces = LruCache.of(MOST_REMEMBERED);

    /// @param environment where the standard variables of OpenTelemetry are read
    /// @throws Invalid if they cannot be used
    public Tracing(Records records, Map<String, String> environment) {
        this.records = records;
        this.spans = spans(environment);
    }

    /// @throws Invalid if the standard variables ask for a protocol that is not supported, or hold
    ///   a value that OpenTelemetry refuses
    public static void check(Map<String, String> environment) {
        spans(environment).ifPresent(Spans::close);
    }

    private static Optional<Spans> spans(Map<String, String> environment) {
        for (String variable : List.of("OTEL_EXPORTER_OTLP_PROTOCOL",
                "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")) {
            String protocol = environment.getOrDefault(variable, "");
            if (isOn(environment) && !protocol.isBlank() && !protocol.equals("http/protobuf")) {
                throw new Invalid(
                        variable + " must be http/protobuf or not set; it is \"" + protocol + "\"");
            }
        }
        try {
            return isOn(environment)
                    ? Optional.of(new Spans(ProxyRules.of(environment)))
                    : Optional.empty();
        } catch (RuntimeException e) {
            throw new Invalid("the OTEL_… variables cannot be used: " + e.getMessage());
        }
    }

    private static boolean isOn(Map<String, String> environment) {
        return Stream.of("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
                .anyMatch(variable -> !environment.getOrDefault(variable, "").isBlank())
                && !environment.getOrDefault("OTEL_SDK_DISABLED", "").equalsIgnoreCase("true")
                && !environment.getOrDefault("OTEL_TRACES_EXPORTER", "").equalsIgnoreCase("none");
    }

    /// Names the outcome of a step, in one word.
    static String outcome(StepRequest request, StepResult result) {
        if (result.sharedWith() != null) {
            return "shared";
        }
        return switch (result.ending()) {
            case StepResult.Failed failed -> "failed";
            case StepResult.Stopped stopped -> "stopped";
            case StepResult.Done done when request.isScript()
                    && done.execution() instanceof Execution.Failed failed ->
                failed.isError() ? "crashed" : "rejected";
            case StepResult.Done done -> "done";
        };
    }

    /// Adds the trace context of the event's step (CloudEvents' extension for distributed tracing).
    public Event carry(Event event) {
        return spans.isEmpty() || event.subject().isEmpty()
                ? event
                : event.with(context(StepPath.parse(event.subject())));
    }

    /// The trace context for a call on behalf of a step; empty without tracing.
    public Map<String, String> context(StepPath step) {
        return spans.isEmpty()
                ? Map.of()
                : BestEffort.LOGGED.get("tracing failed",
                        () -> trace(step.run()).map(trace -> trace.context(step)).orElse(Map.of()))
                        .orElse(Map.of());
    }

    @Override
    public void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {
        spans.ifPresent(all -> trace(run.runId())
                .ifPresent(trace -> all.ended(trace, run, step, request, result)));
    }

    private Optional<Trace> trace(String run) {
        Optional<Trace> found = Optional.ofNullable(traces.get(run)).or(() -> records.trace(run));
        found.ifPresent(trace -> traces.put(run, trace));
        return found;
    }

    @Override
    public void close() {
        spans.ifPresent(Spans::close);
    }
}
