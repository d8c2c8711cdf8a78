package io.mlestar.core.records;

import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.EnumNaming;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.phase.Phases;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Execution.Submission;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.task.EvaluationResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The result of a step: the second of its two objects in the store.
///
/// @param value what was given, an agent's is the model's raw answer; null unless done
/// @param reason why it was not done; null if it was
/// @param costUsd of the step and all below it; null if a price is unknown
/// @param sharedWith path of the step of another run whose result this is; null if this run did the
///   step
/// @param totals what the steps in a phase came to; null unless it is a phase
/// @param scorings the evaluations in a phase; null unless it is one that ended by itself
public record StepResult(
        Status status,
        @Nullable JsonNode value,
        @Nullable String reason,
        Instant startedAt,
        Instant endedAt,
        @Nullable Double costUsd,
        @Nullable String sharedWith,
        @Nullable Totals totals,
        @Nullable List<Scoring> scorings) {
    /// Reason of a step that was not begun, since a phase around it had ended.
    public static final String PHASE_ENDED = "the phase that it is part of has ended";

    /// The endings of a step as the store writes them; stopped if the run had to finish.
    @EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
    public enum Status { DONE, FAILED, STOPPED }

    /// @throws Invalid naming what is missing
    public StepResult {
        Invalid.required("status", status);
        Invalid.required("started_at", startedAt);
        Invalid.required("ended_at", endedAt);
        Invalid.usd("cost_usd", costUsd);
        if (status == Status.DONE) {
            Invalid.required("value", value);
        } else {
            value = null;
            reason = Objects.requireNonNullElse(reason, "");
        }
    }

    /// The ending of a step, with its result or reason.
    public sealed interface Ending {}

    /// The step has a result.
    public record Done(JsonNode value) implements Ending {
        /// The answer of an agent.
        public Answer answer() {
            return Json.read(value, Answer.class);
        }

        /// The result of running a script.
        public Execution execution() {
            return Json.read(value, StoredExecution.class).execution();
        }

        /// The result of a phase.
        public <R> R of(Phase<R> phase) {
            return of(Phases.resultType(phase));
        }

        /// The result of arithmetic or of a phase, read as its type.
        public <R> R of(Class<R> type) {
            return Json.read(value, type);
        }
    }

    /// The step has no result.
    public sealed interface Unfinished extends Ending {
        String reason();
    }

    /// The step failed by its own fault or its tool's.
    public record Failed(String reason) implements Unfinished {}

    /// The step was not done since the run has to finish.
    public record Stopped(String reason) implements Unfinished {}

    /// The JSON form of an [Execution].
    public record StoredExecution(
            EvaluationResult evaluation,
            boolean timedOut,
            @Nullable Submission submission,
            @Nullable String bug) {
        static StoredExecution of(Execution execution) {
            boolean timedOut = execution instanceof Execution.TimedOut;
            Submission left =
                    execution.trusted() instanceof Execution.Ended ended
                            ? ended.submission()
                            : null;
            String bug = execution instanceof Execution.Failed failed ? failed.bug() : null;
            return new StoredExecution(execution.evaluation(), timedOut, left, bug);
        }

        Execution execution() {
            return Execution.of(evaluation, timedOut, submission, bug);
        }
    }

    /// @param outcome whose value, if any, is what the store keeps
    public static StepResult of(
            Outcome<?> outcome,
            Instant startedAt,
            Instant endedAt,
            @Nullable Double costUsd) {
        Status status = switch (outcome) {
            case Outcome.Done<?> _ -> Status.DONE;
            case Outcome.Failed<?> _ -> Status.FAILED;
            case Outcome.Stopped<?> _ -> Status.STOPPED;
        };
        JsonNode value = outcome instanceof Outcome.Done<?>(Object result) ? stored(result) : null;
        String reason =
                outcome instanceof Outcome.NoResult<?> unfinished ? unfinished.reason() : null;
        return new StepResult(status, value, reason, startedAt, endedAt, costUsd, null, null, null);
    }

    private static JsonNode stored(Object result) {
        return Json.tree(
                result instanceof Execution execution ? StoredExecution.of(execution) : result);
    }

    /// The same of a phase.
    public StepResult with(Totals sums) {
        return with(sums, scorings);
    }

    /// The same of a phase that ended by itself.
    public StepResult with(Totals sums, @Nullable List<Scoring> found) {
        return new StepResult(status, value, reason, startedAt, endedAt, costUsd, sharedWith, sums,
                found);
    }

    /// The same in another run, which pays nothing for it.
    public StepResult sharedWith(StepPath there) {
        return new StepResult(status, value, reason, startedAt, endedAt, 0.0, there.toString(),
                totals == null ? null : totals.shared(), scorings);
    }

    public Ending ending() {
        return switch (status) {
            case DONE -> new Done(Objects.requireNonNull(value));
            case FAILED -> new Failed(Objects.requireNonNull(reason));
            case STOPPED -> new Stopped(Objects.requireNonNull(reason));
        };
    }

    /// The result, if the step was done.
    public Optional<Done> done() {
        return ending() instanceof Done done ? Optional.of(done) : Optional.empty();
    }

    public boolean isDone() {
        return status == Status.DONE;
    }

    public boolean isStopped() {
        return status == Status.STOPPED;
    }

    /// The path below which its steps lie: in another run, if the result is shared with that.
    ///
    /// @param step whose result it is
    public StepPath place(StepPath step) {
        return sharedWith == null ? step : StepPath.parse(sharedWith);
    }

    /// The wall-clock time of the step.
    public Duration took() {
        return Duration.between(startedAt, endedAt);
    }

    /// The outcome as the phase that asked sees it.
    @SuppressWarnings("unchecked")
    public <R> Outcome<R> outcome(Step<R> step) {
        return switch (ending()) {
            case Failed failed -> new Outcome.Failed<>(failed.reason());
            case Stopped stopped -> new Outcome.Stopped<>(stopped.reason());
            case Done done -> switch (step) {
                case Agent<R> agent -> read(agent, done.answer());
                case RunScript script -> new Outcome.Done<>((R) done.execution());
                case Arithmetic<R> arithmetic ->
                    new Outcome.Done<>(done.of(arithmetic.resultType()));
                case Phase<R> phase -> new Outcome.Done<>(done.of(phase));
            };
        };
    }

    private static <R> Outcome<R> read(Agent<R> agent, Answer answer) {
        try {
            return new Outcome.Done<>(answer.readBy(agent));
        } catch (UnreadableAnswer e) {
            return new Outcome.Failed<>(String.valueOf(e.getMessage()), true);
        }
    }
}
