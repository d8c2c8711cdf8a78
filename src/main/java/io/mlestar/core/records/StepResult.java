package io.mlestar.core.records;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.EnumNaming;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.phase.Phases;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Arithmetic;
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
import org.jspecify.annotations.Nullable;

/// What came back: the second of the two objects of a step. It is written to and read from JSON here and nowhere else.
public sealed interface StepResult {
    /// Reason of a step that was not begun, since a phase around it had ended.
    String PHASE_ENDED = "the phase that it is part of has ended";

    Instant startedAt();

    Instant endedAt();

    /// Of the step and all below it; null if a price is unknown.
    @Nullable
    Double costUsd();

    /// Path of the step of another run whose result this is; null if this run did the step.
    @Nullable
    String sharedWith();

    /// The evaluations in a phase, as they stood when it ended, so that readers need not go through its steps; null unless it is a phase that ended by
    /// itself.
    @Nullable
    List<Scoring> scorings();

    /// What its answers and scripts have taken; null unless it is a phase.
    @Nullable
    Measured measured();

    /// It was done.
    ///
    /// @param value an agent's is the model's raw answer
    record Done(JsonNode value, Instant startedAt, Instant endedAt, @Nullable Double costUsd, @Nullable String sharedWith,
            @Nullable List<Scoring> scorings, @Nullable Measured measured) implements StepResult {
        /// What an agent answered.
        public Answer answer() {
            return Json.read(value, Answer.class);
        }

        /// What running a script showed.
        public Execution execution() {
            return Json.read(value, StoredExecution.class).execution();
        }

        /// What a phase gave.
        public <R> R of(Phase<R> phase) {
            return of(Phases.resultType(phase));
        }

        /// What arithmetic or a phase gave whose results are of that type.
        public <R> R of(Class<R> type) {
            return Json.read(value, type);
        }
    }

    /// It was not done.
    sealed interface Missed extends StepResult {
        @Override
        String reason();
    }

    /// By its own fault or its tool's.
    record Failed(String reason, Instant startedAt, Instant endedAt, @Nullable Double costUsd, @Nullable String sharedWith,
            @Nullable List<Scoring> scorings, @Nullable Measured measured) implements Missed {}

    /// Since the run has to finish.
    record Stopped(String reason, Instant startedAt, Instant endedAt, @Nullable Double costUsd, @Nullable String sharedWith,
            @Nullable List<Scoring> scorings, @Nullable Measured measured) implements Missed {}

    /// How a step ended, in a word.
    @EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
    enum Status { DONE, FAILED, STOPPED }

    /// What came back of a step, as JSON.
    ///
    /// @param value null unless done
    /// @param reason null if done
    /// @param scorings the evaluations in a phase, as they stood when it ended; null unless it is a phase that ended by itself
    /// @param measured what its answers and scripts have taken; null unless it is a phase
    record Stored(Status status, @Nullable JsonNode value, @Nullable String reason, Instant startedAt, Instant endedAt,
            @Nullable Double costUsd, @Nullable String sharedWith, @Nullable List<Scoring> scorings, @Nullable Measured measured) {}

    /// The JSON form of an [Execution].
    record StoredExecution(EvaluationResult evaluation, boolean timedOut, Execution.@Nullable Submission submission, @Nullable String bug) {
        static StoredExecution of(Execution execution) {
            return switch (execution) {
                case Execution.Ended ended -> new StoredExecution(ended.evaluation(), false, ended.submission(), null);
                case Execution.Doubtful doubtful -> new StoredExecution(doubtful.evaluation(), false, doubtful.submission(), doubtful.bug());
                case Execution.Failed failed -> new StoredExecution(failed.evaluation(), failed instanceof Execution.TimedOut, null, failed.bug());
            };
        }

        Execution execution() {
            return Execution.of(evaluation, timedOut, submission, bug);
        }
    }

    /// @throws Invalid naming what is missing
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static StepResult read(Stored stored) {
        Invalid.required("status", stored.status());
        Invalid.required("started_at", stored.startedAt());
        Invalid.required("ended_at", stored.endedAt());
        Invalid.usd("cost_usd", stored.costUsd());
        String reason = Objects.requireNonNullElse(stored.reason(), "");
        return switch (stored.status()) {
            case DONE -> new Done(Invalid.required("value", stored.value()), stored.startedAt(), stored.endedAt(), stored.costUsd(), stored.sharedWith(),
                    stored.scorings(), stored.measured());
            case FAILED -> new Failed(reason, stored.startedAt(), stored.endedAt(), stored.costUsd(), stored.sharedWith(), stored.scorings(),
                    stored.measured());
            case STOPPED -> new Stopped(reason, stored.startedAt(), stored.endedAt(), stored.costUsd(), stored.sharedWith(), stored.scorings(),
                    stored.measured());
        };
    }

    @JsonValue
    default Stored stored() {
        return new Stored(status(), this instanceof Done done ? done.value() : null, reason(), startedAt(), endedAt(), costUsd(), sharedWith(), scorings(),
                measured());
    }

    default Status status() {
        return switch (this) {
            case Done done -> Status.DONE;
            case Failed failed -> Status.FAILED;
            case Stopped stopped -> Status.STOPPED;
        };
    }

    /// Why it was not done; null if it was.
    default @Nullable String reason() {
        return null;
    }

    /// @param outcome whose value, if any, is what the store keeps
    static StepResult of(Outcome<?> outcome, Instant startedAt, Instant endedAt, @Nullable Double costUsd) {
        return of(outcome, startedAt, endedAt, costUsd, null, null);
    }

    /// Of a phase.
    static StepResult of(Outcome<?> outcome, Instant startedAt, Instant endedAt, @Nullable Double costUsd, @Nullable List<Scoring> scorings,
            @Nullable Measured measured) {
        return switch (outcome) {
            case Outcome.Done<?>(Object value) -> new Done(Json.tree(value instanceof Execution execution ? StoredExecution.of(execution) : value),
                    startedAt, endedAt, costUsd, null, scorings, measured);
            case Outcome.Failed<?>(String reason, boolean unreadable) -> new Failed(reason, startedAt, endedAt, costUsd, null, scorings, measured);
            case Outcome.Stopped<?>(String reason) -> new Stopped(reason, startedAt, endedAt, costUsd, null, scorings, measured);
        };
    }

    /// The same in another run, which pays nothing for it.
    default StepResult sharedWith(StepPath there) {
        return switch (this) {
            case Done done -> new Done(done.value(), startedAt(), endedAt(), 0.0, there.toString(), scorings(), measured());
            case Failed failed -> new Failed(failed.reason(), startedAt(), endedAt(), 0.0, there.toString(), scorings(), measured());
            case Stopped stopped -> new Stopped(stopped.reason(), startedAt(), endedAt(), 0.0, there.toString(), scorings(), measured());
        };
    }

    /// Where the steps below it lie: in another run, if the result is shared with that.
    ///
    /// @param step whose result it is
    default StepPath place(StepPath step) {
        String there = sharedWith();
        return there == null ? step : StepPath.parse(there);
    }

    /// How long the step took.
    default Duration took() {
        return Duration.between(startedAt(), endedAt());
    }

    /// The outcome as the phase that asked sees it.
    @SuppressWarnings("unchecked")
    default <R> Outcome<R> outcome(Step<R> step) {
        return switch (this) {
            case Failed failed -> new Outcome.Failed<>(failed.reason());
            case Stopped stopped -> new Outcome.Stopped<>(stopped.reason());
            case Done done -> switch (step) {
                case Agent<R> agent -> read(agent, done.answer());
                case RunScript script -> new Outcome.Done<>((R) done.execution());
                case Arithmetic<R> arithmetic -> new Outcome.Done<>(done.of(arithmetic.resultType()));
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
