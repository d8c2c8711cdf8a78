package io.mlestar.records;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.agent.Agents;
import io.mlestar.event.Event;
import io.mlestar.phase.Phases;
import io.mlestar.step.Agent;
import io.mlestar.step.Phase;
import io.mlestar.step.RunScript;
import io.mlestar.step.Step;
import io.mlestar.task.Json;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What was asked: the first of the two objects of a step.
///
/// @param type of the event that asks for the step; says which function does it
/// @param input the step's record
/// @param wakes type of the event that wakes the phase that asked; null for the pipeline
/// @param askedAt when; not part of the comparison
/// @param deadline until when the phase it belongs to should be done; not part of the comparison
/// @param essential whether it is, or is part of, a phase that is [Phase#essential]; not part of the comparison, and false where a record does not say
public record StepRequest(String type, JsonNode input, @Nullable String wakes, Instant askedAt, Instant deadline, @Nullable Boolean essential) {
    public StepRequest {
        essential = essential != null && essential;
    }

    /// Of a step that is part of no essential phase.
    public StepRequest(String type, JsonNode input, @Nullable String wakes, Instant askedAt, Instant deadline) {
        this(type, input, wakes, askedAt, deadline, false);
    }

    public static StepRequest of(Step<?> step, @Nullable String wakes, Instant now, Instant deadline) {
        return new StepRequest(type(step), input(step), wakes, now, deadline, step instanceof Phase<?> phase && phase.essential());
    }

    /// What this phase asks for.
    public StepRequest asking(Step<?> step, Instant now, Instant end) {
        return new StepRequest(type(step), input(step), type, now, end, makesEssential(step));
    }

    /// Whether what this phase asks for is essential.
    public boolean makesEssential(Step<?> step) {
        return Boolean.TRUE.equals(essential) || step instanceof Phase<?> phase && phase.essential();
    }

    private static String type(Step<?> step) {
        return switch (step) {
            case Agent<?> agent -> Event.agentType(agent.type().id());
            case RunScript script -> Event.SCRIPT;
            case Phase<?> phase -> Event.phaseType(Phases.kind(phase));
        };
    }

    private static JsonNode input(Step<?> step) {
        return Json.tree(step);
    }

    public boolean isPhase() {
        return type.startsWith(Event.phaseType(""));
    }

    public boolean isAgent() {
        return type.startsWith(Event.agentType(""));
    }

    public boolean isScript() {
        return type.equals(Event.SCRIPT);
    }

    /// Whether this is what `step` asks for.
    public boolean asksFor(Step<?> step) {
        return type.equals(type(step)) && input.equals(input(step));
    }

    /// Whether both ask for the same.
    public boolean asksTheSame(StepRequest other) {
        return type.equals(other.type) && input.equals(other.input);
    }

    /// The kind of phase, or the agent's type, or `run`.
    public String kind() {
        return lastPart(type);
    }

    private static String lastPart(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }

    /// Whether a phase of that type asked for the step.
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
            return Json.read(input, Objects.requireNonNull(Phases.BY_KIND.get(kind()), type));
        }
        return Json.read(input, Objects.requireNonNull(Agents.BY_NAME.get(name), name));
    }
}
