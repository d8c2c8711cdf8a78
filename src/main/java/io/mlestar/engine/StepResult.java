package io.mlestar.engine;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.step.Agent;
import io.mlestar.step.Answer;
import io.mlestar.step.Execution;
import io.mlestar.step.Outcome;
import io.mlestar.step.Phase;
import io.mlestar.step.RunScript;
import io.mlestar.step.Step;
import io.mlestar.step.StepPath;
import io.mlestar.step.UnreadableAnswer;
import io.mlestar.task.Json;
import java.time.Instant;

/// What came back: the second of the two objects of a step. An agent's value is the model's raw answer.
///
/// @param value null unless done
/// @param reason why it failed or was stopped; null if done
/// @param costUsd of the step and all below it; null if a price is unknown
/// @param sharedWith path of the step of another run whose result this is; null if this run did the step
public record StepResult(
        Status status, JsonNode value, String reason, Instant startedAt, Instant endedAt, Double costUsd, String sharedWith) {
    /// How the step ended; see [Outcome].
    public enum Status {
        @JsonProperty("done")
        DONE,
        @JsonProperty("failed")
        FAILED,
        @JsonProperty("stopped")
        STOPPED
    }

    /// @param outcome whose value, if any, is what the store keeps
    public static StepResult of(Outcome<?> outcome, Instant startedAt, Instant endedAt, Double costUsd) {
        return switch (outcome) {
            case Outcome.Done<?>(Object value) ->
                new StepResult(Status.DONE, Json.tree(value), null, startedAt, endedAt, costUsd, null);
            case Outcome.Failed<?>(String reason, boolean unreadable) -> new StepResult(Status.FAILED, null, reason, startedAt, endedAt, costUsd, null);
            case Outcome.Stopped<?>(String reason) -> new StepResult(Status.STOPPED, null, reason, startedAt, endedAt, costUsd, null);
        };
    }

    /// The same in another run, which pays nothing for it.
    StepResult sharedWith(StepPath there) {
        return new StepResult(status, value, reason, startedAt, endedAt, 0.0, there.toString());
    }

    /// The outcome as the phase that asked sees it.
    @SuppressWarnings("unchecked")
    public <R> Outcome<R> outcome(Step<R> step) {
        return switch (status) {
            case FAILED -> new Outcome.Failed<>(reason);
            case STOPPED -> new Outcome.Stopped<>(reason);
            case DONE -> switch (step) {
                case Agent<R> agent -> read(agent);
                case RunScript script -> new Outcome.Done<>((R) Json.read(value, Execution.class));
                case Phase<R> phase -> new Outcome.Done<>(Json.read(value, phase.resultType()));
            };
        };
    }

    private <R> Outcome<R> read(Agent<R> agent) {
        try {
            return new Outcome.Done<>(Json.read(value, Answer.class).readBy(agent));
        } catch (UnreadableAnswer e) {
            return new Outcome.Failed<>(e.getMessage(), true);
        }
    }
}
