package io.mlestar.core.records;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.agent.Agents;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.phase.Finalization;
import io.mlestar.core.phase.Phases;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepPath;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The request for a step: the first of its two objects in the store.
///
/// @param work which work it is: `script`, `arithmetic/NAME`, `agent/NAME` or `phase/KIND`; says
///   which function does it
/// @param input the step's record
/// @param wakes the work of the phase that asked, which is replayed when the step has ended; null
///   for the pipeline
/// @param askedAt not part of the comparison
/// @param deadline until when the phase it belongs to should be done, without what extensions add;
///   not part of the comparison
/// @param essential whether it is, or is part of, [Finalization]; not part of the comparison
public record StepRequest(
        String work,
        JsonNode input,
        @Nullable String wakes,
        Instant askedAt,
        Instant deadline,
        Boolean essential) {
    static final String SCRIPT = "script";
    static final String ARITHMETIC = "arithmetic/";
    static final String AGENT = "agent/";
    static final String PHASE = "phase/";

    public StepRequest {
        Invalid.required("work", work);
        Invalid.required("input", input);
        Invalid.required("asked_at", askedAt);
        Invalid.required("deadline", deadline);
        Invalid.required("essential", essential);
    }

    /// The request for a step that no phase asks for: the pipeline's.
    public static StepRequest of(Step<?> step, Instant now, Instant deadline) {
        return new StepRequest(work(step), Json.tree(step), null, now, deadline,
                step instanceof Finalization);
    }

    /// The request for a step of this phase.
    public StepRequest asking(Step<?> step, Instant now, Instant end) {
        return new StepRequest(work(step), Json.tree(step), work, now, end, makesEssential(step));
    }

    /// True if a step of this phase is essential.
    public boolean makesEssential(Step<?> step) {
        return essential() || step instanceof Finalization;
    }

    private static String work(Step<?> step) {
        return switch (step) {
            case Agent<?> agent -> AGENT + agent.type().id();
            case RunScript script -> SCRIPT;
            case Arithmetic<?> arithmetic -> ARITHMETIC + arithmetic.name();
            case Phase<?> phase -> PHASE + Phases.kind(phase);
        };
    }

    /// True if this program knows how to do it.
    boolean isKnown() {
        return isWorkOfScripts() || isAgent() || isPhase() && Phases.BY_KIND.containsKey(kind());
    }

    public boolean isPhase() {
        return work.startsWith(PHASE);
    }

    public boolean isAgent() {
        return work.startsWith(AGENT);
    }

    public boolean isScript() {
        return work.equals(SCRIPT);
    }

    /// True if it is done where scripts run.
    public boolean isWorkOfScripts() {
        return isScript() || work.startsWith(ARITHMETIC);
    }

    /// True if this is a request for `step`.
    public boolean asksFor(Step<?> step) {
        return asksFor(work(step), Json.tree(step));
    }

    /// True if both ask for the same work with the same input.
    public boolean asksTheSame(StepRequest other) {
        return asksFor(other.work, other.input);
    }

    private boolean asksFor(String other, JsonNode asked) {
        return work.equals(other)
                && (input.equals(asked) || said(input).equals(said(asked)));
    }

    /// The input without its own fields that are null: a request of a version that does not have
    /// them says the same.
    private static JsonNode said(JsonNode input) {
        return input instanceof ObjectNode fields
                ? fields.deepCopy().removeIf(JsonNode::isNull)
                : input;
    }

    /// The kind of phase or of arithmetic, or the agent's type, or `script`.
    public String kind() {
        return lastPart(work);
    }

    private static String lastPart(String work) {
        return work.substring(work.lastIndexOf('/') + 1);
    }

    /// The event that asks for the step.
    ///
    /// @param cause what makes it unique, as in [Event#work]
    public Event event(StepPath path, String cause) {
        return Event.work(eventType(), path, cause);
    }

    /// The event that wakes the phase that asked; empty for the pipeline.
    public Optional<Event> wakeUp(StepPath path) {
        return path.parent()
                .map(parent -> Event.work(
                        Event.phaseType(lastPart(Objects.requireNonNull(wakes, "wakes"))), parent,
                        path.name()));
    }

    private String eventType() {
        if (isWorkOfScripts()) {
            return Event.SCRIPT;
        }
        return isAgent() ? Event.agentType(kind()) : Event.phaseType(kind());
    }

    /// True if a phase of that type asked for the step.
    public boolean isAskedBy(Class<? extends Phase<?>> phase) {
        return wakes != null && Phases.BY_KIND.get(lastPart(wakes)) == phase;
    }

    /// The step's record.
    ///
    /// @param name the step's name, without a number
    public Step<?> step(String name) {
        if (isScript()) {
            return Json.read(input, RunScript.class);
        }
        if (isPhase()) {
            return Json.read(input, Objects.requireNonNull(Phases.BY_KIND.get(kind()), work));
        }
        if (work.startsWith(ARITHMETIC)) {
            return Json.read(input, Objects.requireNonNull(Arithmetic.KINDS.get(kind()), work));
        }
        return Json.read(input, Objects.requireNonNull(Agents.BY_NAME.get(name), name));
    }
}
