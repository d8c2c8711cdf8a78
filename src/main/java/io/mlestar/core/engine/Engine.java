package io.mlestar.core.engine;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.event.Publisher;
import io.mlestar.core.event.StepLabels;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.records.Invocations.Invocation;
import io.mlestar.core.records.Invocations;
import io.mlestar.core.records.Ledger.Account;
import io.mlestar.core.records.Ledger;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.steering.Allowance;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.StoreUnavailable;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jboss.logging.Logger;

/// Works on steps. Every call is idempotent and may end anywhere: a step with a result is never
/// done again, and [Sweep] finds what was lost. Exceptions mean "deliver this again"; [Invalid]
/// means "do not".
public final class Engine {
    private static final Logger LOG = Logger.getLogger("mle_star");

    private final Records records;
    private final Publisher publisher;
    private final Performer performer;
    private final InstantSource clock;
    private final Watcher watcher;
    private final StepExecutor stepExecutor;
    private final PhaseExecutor phaseExecutor;
    private final StepCompletion completion;
    private final Ledger ledger;
    private final Gate gate;
    private final InFlightSteps inFlight = new InFlightSteps();

    public Engine(
            Records records,
            Publisher publisher,
            Performer performer,
            InstantSource clock,
            Watcher watcher) {
        this.records = records;
        this.publisher = publisher;
        this.clock = clock;
        this.watcher = watcher;
        this.performer = performer;
        this.ledger = new Ledger(records);
        this.gate = new Gate(ledger);
        OptionalDouble perDay = performer.budgetPerDay();
        DailyBudget day =
                perDay.isPresent() ? new DailyBudget(records.store(), perDay.getAsDouble()) : null;
        this.completion = new StepCompletion(records, publisher, watcher, day);
        this.stepExecutor = new StepExecutor(records, performer, clock, watcher, gate, day);
        this.phaseExecutor =
                new PhaseExecutor(records, clock, watcher, gate, publisher, completion);
    }

    /// Begins a run, or does nothing if it has begun.
    public void start(RunHeader header) {
        records.create(header);
        StepPath root = header.root();
        StepRequest request = first(header);
        if (records.create(root, request)) {
            watcher.asked(header, root, request);
        }
        publisher.publish(request.event(root, "start"));
    }

    private static StepRequest first(RunHeader header) {
        return StepRequest.of(new Pipeline(), header.startedAt(), header.deadline());
    }

    /// Does one step: plays a phase as far as it can go, asks an agent, runs a script, or computes.
    ///
    /// @throws Invalid if there is no such run or step
    public void work(StepPath path) {
        StepLabels.during(path, () -> workOn(path));
    }

    private void workOn(StepPath path) {
        RunHeader run = header(path.run());
        StepRequest request = request(path);
        if (request.isPhase()) {
            advance(run, path, request);
        } else {
            inFlight.once(path, () -> advance(run, path, request));
        }
    }

    private void advance(RunHeader run, StepPath path, StepRequest request) {
        RunMarks marks = records.marks(path.run());
        if (marks.hasEnded()) {
            if (path.inside().isEmpty()) {
                completion.announce(run);
            }
            return;
        }
        if (!request.isPhase() && records.result(path).isPresent()) {
            completion.wakeParent(path, request);
            return;
        }
        Optional<StepResult> shared = ResultReuse.known(records, run, path, request);
        if (shared.isPresent()) {
            completion.finish(run, path, request, shared.get());
            return;
        }
        CurrentLimits limits = limits(run, marks);
        Step<?> step = request.step(path.plainName());
        if (step instanceof Phase<?> phase) {
            phaseExecutor.play(limits, marks, path, request, phase);
        } else if (!isHalted(marks, path, step)) {
            stepExecutor.perform(limits, marks, path, request, step)
                    .ifPresent(result -> completion.finish(run, path, request, result));
        }
    }

    /// True if this very process is doing the step.
    boolean isInFlight(StepPath path) {
        return inFlight.all().contains(path);
    }

    /// Before this process ends, since its node is drained or its runs go on elsewhere: records
    /// that its scripts are not to blame. Whoever takes up a run begins them again at once, and
    /// does not wait for all the time that they may take.
    public void leave() {
        Invocations invocations = records.invocations();
        for (StepPath path : inFlight.all()) {
            try {
                if (request(path).isScript() && records.result(path).isEmpty()) {
                    invocations.of(path)
                            .stream()
                            .filter(attempt -> attempt.isOpen()
                                    && attempt.worker().equals(worker()))
                            .forEach(attempt -> invocations.abort(path, attempt.number(),
                                    clock.instant(), "the pod was stopped", 0.0));
                }
            } catch (StoreUnavailable | DamagedRecord e) {
                // It counts as a death.
            }
        }
    }

    /// The name of this process, see [Performer#worker].
    String worker() {
        return performer.worker();
    }

    /// Gives up on a step that could not be done: the phase that asked goes on by its own rules.
    public void fail(StepPath path, String reason) {
        StepLabels.during(path, () -> end(path, new Outcome.Failed<>(reason)));
    }

    /// Gives up on a step that a broker could not deliver. If its model does not answer, the run
    /// waits instead: the sweep sends the step again, as long as there is time for it.
    public void undelivered(StepPath path, String reason) {
        List<Invocation> attempts = records.invocations().of(path);
        if (attempts.isEmpty() || attempts.getLast().isOpen() || !request(path).isAgent()) {
            fail(path, reason);
        }
    }

    /// Ends a step whose deadline has passed. A process that is still doing it comes too late with
    /// its result.
    void stop(CurrentLimits limits, StepPath path, StepRequest request) {
        StepLabels.during(path,
                () -> end(path, new Outcome.Stopped<>(
                        gate.deadlineReason(limits, request, clock.instant()))));
    }

    private void end(StepPath path, Outcome<?> outcome) {
        RunHeader run = header(path.run());
        StepRequest request;
        try {
            request = request(path);
        } catch (DamagedRecord damaged) {
            // Without the request the phase that asked cannot go on either. The request of a run
            // itself is always the same.
            if (path.parent().isPresent()) {
                end(path.parent().get(), new Outcome.Failed<>(damaged.getMessage()));
                return;
            }
            request = first(run);
        }
        if (request.isPhase() && !path.inside().isEmpty()) {
            // Before it has ended, so that no event that still arrives continues it or begins a
            // step in it.
            records.close(path);
        }
        Instant now = clock.instant();
        Account spent = ledger.of(path);
        StepResult result = StepResult.of(outcome, now, now, spent.usd());
        completion.finish(run, path, request,
                request.isPhase() ? result.with(spent.totals().costing(spent.usd())) : result);
    }

    /// The header of a run, before anything is done by it.
    ///
    /// @throws Invalid if there is no such run, or this process does not work on it
    public RunHeader header(String run) {
        RunHeader header =
                records.header(run).orElseThrow(() -> new Invalid("there is no run " + run));
        performer.admit(header);
        return header;
    }

    private StepRequest request(StepPath path) {
        return records.request(path)
                .orElseThrow(() -> new Invalid("step " + path + " was never asked for"));
    }

    private CurrentLimits limits(RunHeader run, RunMarks marks) {
        return Allowance.of(records.store(), run.runId(), marks).onto(run);
    }

    /// True if the step has to wait, since its agent has other prompts here than those it was first
    /// asked with in the run. Its event counts as done: to refuse it would fail the step. The sweep
    /// sends it again.
    private boolean isHalted(RunMarks marks, StepPath path, Step<?> step) {
        if (!(step instanceof Agent<?> agent)) {
            return false;
        }
        Optional<String> reason =
                records.promptChange(path.run(), marks, agent.type(),
                        performer.promptDigest(agent.type()));
        reason.ifPresent(why -> LOG.warnf("step %s waits: %s", path, why));
        return reason.isPresent();
    }
}
