package io.mlestar.core.engine;

import io.mlestar.core.base.Unavailable;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.records.Invocations.Invocation;
import io.mlestar.core.records.Invocations;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.steering.Allowance;
import io.mlestar.core.steering.Notes;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.StepStopped;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Does one step that costs something: within its window and the budgets, with its beginning on
/// record. Failures become results; only what may succeed later is thrown.
record StepExecutor(
        Records records,
        Performer performer,
        InstantSource clock,
        Watcher watcher,
        Gate gate,
        @Nullable DailyBudget day) {
    /// A script of another process counts as alive until so long after its time limit.
    private static final Duration MARGIN = Duration.ofMinutes(2);

    /// @return empty if another process is doing it, or if it may begin later
    /// @throws Unavailable if it may succeed later
    Optional<StepResult> perform(
            CurrentLimits limits,
            RunMarks seen,
            StepPath path,
            StepRequest request,
            Step<?> step) {
        Instant begin = clock.instant();
        StepInFlight doing = new StepInFlight(limits, path, request, begin);
        Optional<String> refusal = gate.refusal(limits, seen, path, request, begin);
        if (refusal.isPresent()) {
            return Optional.of(doing.refused(refusal.get()));
        }
        try {
            return switch (step) {
                case Agent<?> agent -> Optional.of(doing.ask(agent));
                case RunScript script -> doing.run(script);
                case Arithmetic<?> arithmetic -> Optional.of(doing.compute(arithmetic));
                case Phase<?> phase ->
                    throw new IllegalStateException("a phase is played, not performed");
            };
        } catch (StepFailed e) {
            return Optional.of(doing.result(new Outcome.Failed<>(e.getMessage()), e.billedUsd()));
        } catch (StepStopped e) {
            return doing.mayBeginLater()
                    ? Optional.empty()
                    : Optional.of(doing.result(new Outcome.Stopped<>(e.getMessage()), 0.0));
        } catch (Unavailable e) {
            throw e;
        } catch (RuntimeException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return Optional
                    .of(doing.result(new Outcome.Failed<>("it cannot be done: " + reason(e)), 0.0));
        }
    }

    /// The cost of earlier attempts that gave no result, or what they may cost if they never ended,
    /// because an event came twice or a process died: the step's result includes it. Null if one
    /// that ended has no known price.
    private static @Nullable Double paid(List<Invocation> before) {
        double sum = 0;
        for (Invocation earlier : before) {
            Double usd = earlier.maySpendUsd();
            if (usd == null && !earlier.isOpen()) {
                return null;
            }
            sum += usd == null ? 0 : usd;
        }
        return sum;
    }

    private static String reason(Throwable failure) {
        String said = failure.getMessage() == null
                ? failure.getClass().getSimpleName()
                : failure.getMessage();
        Throwable cause = failure.getCause();
        return cause == null || cause.getMessage() == null || said.contains(cause.getMessage())
                ? said
                : said + ": " + reason(cause);
    }

    /// One step, being done.
    private final class StepInFlight {
        private final RunHeader run;
        private final CurrentLimits limits;
        private final StepPath path;
        private final StepRequest request;
        private volatile Instant begin;
        private volatile boolean begun;
        /// Earlier attempts; null until they are looked at.
        private @Nullable List<Invocation> before;

        StepInFlight(CurrentLimits limits, StepPath path, StepRequest request, Instant begin) {
            this.run = limits.run();
            this.limits = limits;
            this.path = path;
            this.request = request;
            this.begin = begin;
        }

        private List<Invocation> before() {
            before = before == null ? records.invocations().of(path) : before;
            return before;
        }

        /// The result, if another process has done the step meanwhile: it began before.
        private Optional<StepResult> knownMeanwhile() {
            return before().isEmpty() ? Optional.empty() : records.result(path);
        }

        StepResult refused(String reason) {
            return result(new Outcome.Stopped<>(reason), 0.0);
        }

        StepResult ask(Agent<?> agent) {
            Instant asked = begin;
            RunContext context = RunContexts.of(records, run);
            OptionalDouble estimate = limits.budgetUsd() == null && day == null
                    ? OptionalDouble.empty()
                    : performer.estimate(agent, context);
            MeteredCall paid = new MeteredCall(limits, path, request, records, gate, day, clock,
                    performer.worker());
            Optional<String> exceeded =
                    paid.begin(asked, estimate.isPresent() ? estimate.getAsDouble() : null);
            int attempt = paid.attempt();
            // Nothing comes before the first attempt, so nothing has to be read.
            before = attempt == 1
                    ? List.of()
                    : before().stream().filter(earlier -> earlier.number() < attempt).toList();
            Optional<StepResult> known = knownMeanwhile();
            if (known.isPresent()) {
                paid.ended(0.0);
                return known.get();
            }
            if (exceeded.isPresent()) {
                paid.ended(0.0);
                return refused(exceeded.get());
            }
            begun = true;
            watcher.started(run, path, request);
            Duration time = Gate.agentTime(limits, request, asked);
            CancelWatch watch =
                    new CancelWatch(() -> !request.essential() && records.isCancelled(path.run()));
            try {
                RunContext told =
                        agent.receivesNotes()
                                ? context.with(new Notes(records.store()).heardBy(run))
                                : context;
                RunContext now = told.seen(DataFinding.told(records, run, path, agent.type()))
                        .after(Duration.between(run.startedAt(), asked), limits.time());
                Answer answer = performer.ask(path, agent, now, time, paid);
                watch.end();
                paid.ended(answer.usage().costUsd());
                return result(new Outcome.Done<>(answer), answer.usage().costUsd());
            } catch (ModelUnavailable e) {
                paid.ended(e.billedUsd());
                return watch.end()
                        ? result(new Outcome.Stopped<>(Gate.CANCELLED), e.billedUsd())
                        : unanswered(e, paid, asked.plus(time));
            } catch (StepFailed e) {
                paid.ended(e.billedUsd());
                throw e;
            } finally {
                watch.end();
            }
        }

        /// A provider's fault is retried as long as there is time.
        private StepResult unanswered(ModelUnavailable fault, MeteredCall paid, Instant end) {
            if (Thread.currentThread().isInterrupted()) {
                throw fault;
            }
            Instant now = clock.instant();
            paid.abort(now, fault.getMessage(), fault.billedUsd());
            if (Gate.window(limits, request).isOpen(now) && now.isBefore(end)) {
                throw fault;
            }
            Outcome<?> outcome = request.essential()
                    ? new Outcome.Failed<>("there was no answer in time: " + fault.getMessage())
                    : new Outcome.Stopped<>(
                            fault.getMessage() + "; " + gate.deadlineReason(limits, request, now));
            return result(outcome, fault.billedUsd());
        }

        Optional<StepResult> run(RunScript script) {
            Instant now = begin;
            Optional<StepResult> known = knownMeanwhile();
            if (known.isPresent()) {
                return known;
            }
            List<Invocation> open = before().stream().filter(Invocation::isOpen).toList();
            if (open.stream()
                    .anyMatch(earlier -> !earlier.worker().equals(performer.worker())
                            && !Invocations.isOver(earlier.at(),
                                    longest(limits, request, script, earlier.at()).plus(MARGIN),
                                    now))) {
                return Optional.empty();
            }
            Optional<Execution> verdict = performer.verdict(script, open);
            if (verdict.isPresent()) {
                return Optional.of(result(new Outcome.Done<>(verdict.get()), 0.0));
            }
            Execution ran = performer.run(path, script, RunContexts.ofPhase(records, run),
                    Gate.window(limits, request), this::begin);
            return Optional.of(result(new Outcome.Done<>(ran), 0.0));
        }

        private int begin() {
            begun = true;
            begin = clock.instant();
            int attempt = records.invocations().begin(path, begin, performer.worker(), 0.0);
            watcher.started(run, path, request);
            return attempt;
        }

        /// Another process that does the same comes to the same result.
        StepResult compute(Arithmetic<?> arithmetic) {
            return knownMeanwhile().orElseGet(() -> {
                begin();
                return result(new Outcome.Done<>(
                        performer.harness(path, RunContexts.ofPhase(records, run))
                                .compute(arithmetic)),
                        0.0);
            });
        }

        /// True if a step that could not begin has time to do so later, since the run was extended
        /// meanwhile.
        boolean mayBeginLater() {
            RunMarks marks = records.marks(path.run());
            return !begun && !marks.isCancelled() && marks.isExtended()
                    && Gate.window(Allowance.of(records.store(), path.run(), marks).onto(run),
                            request).isOpen(clock.instant());
        }

        StepResult result(Outcome<?> outcome, @Nullable Double costUsd) {
            Double paidBefore = paid(before());
            return StepResult.of(outcome, begin, clock.instant(),
                    costUsd == null || paidBefore == null ? null : costUsd + paidBefore);
        }
    }

    /// The most that a script may take if it begins at a certain time.
    static Duration longest(
            CurrentLimits limits,
            StepRequest request,
            RunScript script,
            Instant begin) {
        Duration left = Gate.window(limits, request).left(begin);
        Duration most = Duration.ofSeconds(script.timeoutSeconds());
        return most.compareTo(left) < 0 ? most : left;
    }
}
