package io.mlestar.show.view;

import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.task.Score;
import io.mlestar.show.render.Formats;
import java.util.Locale;
import java.util.Optional;

/// One step, as read from its two records: what was asked, and what came of it. It may hold whole
/// scripts and answers: to keep many steps, keep a [StepRow] of each.
public record StepView(KnownStep known, Step<?> step, Found found) {
    /// The outcome of a step, as far as it is known.
    public sealed interface Found {}

    /// It has not ended.
    public record Pending() implements Found {}

    /// It failed or was left out.
    public record NotDone(StepResult.Unfinished result) implements Found {}

    /// An agent answered.
    public record Replied(Agent<?> agent, Answer answer) implements Found {
        /// The reason why the model's answer is not whole; empty if it is.
        String shortfall() {
            return answer.shortfall() == null ? "" : answer.shortfall().toString();
        }

        /// E.g. `8,123 + 1,204 tokens`, in and out.
        String tokens() {
            return String.format(Locale.ROOT, "%,d + %,d tokens", answer.usage().inputTokens(),
                    answer.usage().outputTokens());
        }

        /// The reason why the phase that asked cannot read it; empty if it can.
        public Optional<String> unreadable() {
            try {
                answer.readBy(agent);
                return Optional.empty();
            } catch (UnreadableAnswer e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }
    }

    /// A script was run.
    public record Executed(RunScript script, Execution execution) implements Found {}

    /// The harness computed something with predictions.
    public record Computed<R>(Arithmetic<R> arithmetic, R value) implements Found {
        static <R> Computed<R> of(Arithmetic<R> arithmetic, StepResult.Done done) {
            return new Computed<>(arithmetic, done.of(arithmetic.resultType()));
        }

        public String summary() {
            return arithmetic.summary(value);
        }

        Score score() {
            return arithmetic.score(value);
        }
    }

    /// A phase came to its end.
    public record Returned<R>(Phase<R> phase, R value) implements Found {
        static <R> Returned<R> of(Phase<R> phase, StepResult.Done done) {
            return new Returned<>(phase, done.of(phase));
        }

        public PhaseReport report() {
            return phase.report(value);
        }
    }

    public static StepView of(KnownStep known) {
        Step<?> step = known.step();
        return new StepView(known, step,
                known.result().map(result -> found(step, result)).orElseGet(Pending::new));
    }

    private static Found found(Step<?> step, StepResult result) {
        return switch (result.ending()) {
            case StepResult.Unfinished missed -> new NotDone(missed);
            case StepResult.Done done -> switch (step) {
                case Agent<?> agent -> new Replied(agent, done.answer());
                case RunScript script -> new Executed(script, done.execution());
                case Arithmetic<?> arithmetic -> Computed.of(arithmetic, done);
                case Phase<?> phase -> Returned.of(phase, done);
            };
        };
    }

    public StepPath path() {
        return known.path();
    }

    /// The report of a phase that has ended; an empty one for any other step.
    public PhaseReport report() {
        return found instanceof Returned<?> returned ? returned.report() : PhaseReport.NONE;
    }

    /// The text before and after a phase; empty if it changed nothing, or left no text.
    public Optional<PhaseReport.Revision> revision() {
        return report().revision()
                .filter(made -> !made.after().isEmpty() && !made.after().equals(made.before()));
    }

    /// Empty while it is open.
    public Optional<StepResult> result() {
        return known.result();
    }

    /// The score that it gave. An ablation study has none, nor has a probe, whatever it printed;
    /// the run of the last script has none by the harness, since it saw all rows, but its phase has
    /// that of the chosen script.
    public Score score() {
        return switch (found) {
            case Executed(RunScript script, Execution.Scored scored) when script.kind()
                    .isScored() ->
                scored.evaluation().score();
            case Returned<?> gave -> gave.report().score();
            case Computed<?> computed -> computed.score();
            case Executed ran -> Score.NONE;
            case Replied answered -> Score.NONE;
            case NotDone missed -> Score.NONE;
            case Pending open -> Score.NONE;
        };
    }

    /// True if this is a script that is run for its score: a run's best score is one of these.
    public boolean isSolution() {
        return step instanceof RunScript script && script.kind() == RunScript.Kind.SOLUTION;
    }

    public StepState state() {
        return switch (found) {
            case Pending open -> StepState.RUNNING;
            case NotDone(StepResult.Failed failed) -> StepState.FAILED;
            case NotDone(StepResult.Stopped stopped) -> StepState.SKIPPED;
            case Executed(RunScript script, Execution.Failed failed) -> StepState.FAILED;
            case Returned<?> gave when gave.report().isRequired()
                    && gave.report().score().equals(Score.NONE) ->
                StepState.FAILED;
            case Executed ran -> StepState.DONE;
            case Computed<?> computed -> StepState.DONE;
            case Returned<?> gave -> StepState.DONE;
            case Replied answered -> StepState.DONE;
        };
    }

    /// True if this run did the step, and did not take it over from the run that it comes from.
    public boolean isOwn(String run) {
        return path().run().equals(run) && result().map(StepResult::sharedWith).isEmpty();
    }

    /// True if a phase of that type asked for it.
    public boolean isAskedBy(Class<? extends Phase<?>> phase) {
        return known.request().isAskedBy(phase);
    }

    /// The seconds from when it was asked for until it ended; 0 while it is open.
    public double seconds() {
        return result().map(ended -> Formats.seconds(known.request().askedAt(), ended.endedAt()))
                .orElse(0.0);
    }
}
