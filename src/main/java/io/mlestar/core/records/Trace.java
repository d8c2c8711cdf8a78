package io.mlestar.core.records;

import io.mlestar.core.base.Sha256;
import io.mlestar.core.step.StepPath;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The distributed trace of a run, by the rules of W3C Trace Context. All of it is computed from
/// the records of the run, so that all processes name the same spans: the span of a step comes from
/// its path, its parent is the span of the phase that asked for it.
///
/// @param id 32 hexadecimal digits
/// @param caller span in which the run was asked for, 16 hexadecimal digits; empty if unknown
/// @param sampled whether the caller records the trace
/// @param state `tracestate` of the caller; empty if there is none
public record Trace(String id, Optional<String> caller, boolean sampled, String state) {
    private static final Pattern PARENT = Pattern.compile(
            "(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
    private static final int LONGEST_STATE = 512;
    private static final int SAMPLED = 1;

    /// The trace of a run without a caller. A run of the same name in another store has another
    /// one.
    public static Trace of(RunHeader run) {
        String id = Sha256.digits(run.runId() + " " + run.startedAt(), 32);
        return new Trace(id, Optional.empty(), true, "");
    }

    /// The trace that the headers, or the extensions of an event, belong to; empty if they are
    /// missing or malformed.
    public static Optional<Trace> parse(@Nullable String traceparent, @Nullable String tracestate) {
        String given = traceparent == null ? "" : traceparent.strip();
        Matcher parent = PARENT.matcher(given);
        if (!parent.matches() || parent.group(4) != null && given.startsWith("00")) {
            return Optional.empty();
        }
        String state =
                tracestate != null && tracestate.length() <= LONGEST_STATE
                        && tracestate.matches("[\\x20-\\x7e]*")
                                ? tracestate.strip()
                                : "";
        return Optional.of(new Trace(parent.group(1), Optional.of(parent.group(2)),
                (Integer.parseInt(parent.group(3), 16) & SAMPLED) != 0, state));
    }

    /// The span of a step, 16 hexadecimal digits.
    public String span(StepPath step) {
        return Sha256.digits(id + " " + step, 16);
    }

    /// The span above that of a step; empty for a run without a caller.
    public Optional<String> parent(StepPath step) {
        return step.parent().map(this::span).or(() -> caller);
    }

    /// `traceparent`, and `tracestate` if there is one, for the calls made for a step.
    public Map<String, String> context(StepPath step) {
        Map<String, String> context = new LinkedHashMap<>();
        context.put("traceparent", traceparent(span(step)));
        if (!state.isEmpty()) {
            context.put("tracestate", state);
        }
        return context;
    }

    /// The `traceparent` that the caller gave.
    String traceparent() {
        return traceparent(caller.orElseThrow());
    }

    private String traceparent(String span) {
        return "00-" + id + "-" + span + (sampled ? "-01" : "-00");
    }
}
