package io.mlestar.core.engine;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.event.Publisher;
import io.mlestar.core.event.StepLabels;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.records.Ledger;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.DamagedRecord;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Works on steps. Every call may be repeated, come late or end anywhere: what is known is never done again, and what was
/// lost is found by [Sweep]. Exceptions mean "deliver this again"; [Invalid] means "do not".
public final class Engine {
    private final Records records;
    private final Publisher publisher;
    private final InstantSource clock;
    private final Watcher watcher;
    private final StepExecutor stepExecutor;
    private final PhaseExecutor phaseExecutor;
    private final StepCompletion completion;
    private final Ledger ledger;
    private final Gate gate;
    private final KnownRuns runs;
    private final InFlightSteps inFlight = new InFlightSteps();
    private final Set<String> standing = ConcurrentHashMap.newKeySet();

    public Engine(Records records, Publisher publisher, Performer performer, InstantSource clock, Watcher watcher) {
        this.records = records;
        this.publisher = publisher;
        this.clock = clock;
        this.watcher = watcher;
        this.runs = new KnownRuns(records, performer);
        this.ledger = new Ledger(records);
        this.gate = new Gate(ledger);
        Briefs briefs = new Briefs(records);
        OptionalDouble perDay = performer.budgetPerDay();
        DailyBudget day = perDay.isPresent() ? new DailyBudget(records.store(), perDay.getAsDouble()) : null;
        this.completion = new StepCompletion(records, publisher, watcher, runs, day);
        this.stepExecutor = new StepExecutor(records, performer, clock, watcher, gate, briefs, runs, day);
        this.phaseExecutor = new PhaseExecutor(records, clock, watcher, gate, briefs, publisher, completion);
    }

    /// Begins a run, or does nothing if it has begun.
    public void start(RunHeader header) {
        records.create(header);
        StepPath root = StepPath.root(header.runId());
        StepRequest request = first(header);
        if (records.create(root, request)) {
            watcher.asked(header, root, request);
        }
        publisher.publish(request.event(root, "start"));
    }

    private static StepRequest first(RunHeader header) {
        return StepRequest.of(new Pipeline(), null, header.startedAt(), header.deadline());
    }

    /// Does what can be done of one step: a phase goes on as far as it can, an agent is asked, a script is run.
    ///
    /// @throws Invalid if there is no such run or step
    public void work(StepPath path) {
        StepLabels.during(path, () -> workOn(path));
    }

    private void workOn(StepPath path) {
        RunHeader run = runs.header(path.run());
        StepRequest request = records.request(path).orElseThrow(() -> new Invalid("step " + path + " was never asked for"));
        if (!request.isScript()) {
            runs.checkPrompts(run);
        }
        if (request.isPhase()) {
            goOn(run, path, request);
        } else {
            inFlight.once(path, () -> goOn(run, path, request));
        }
    }

    private void goOn(RunHeader begun, StepPath path, StepRequest request) {
        RunMarks marks = records.marks(path.run());
        if (marks.hasEnded()) {
            if (path.inside().isEmpty()) {
                completion.announce(begun);
            }
            return;
        }
        if (marks.isPaused()) {
            standing.add(path.run());
            return;
        }
        if (!request.isPhase() && records.result(path).isPresent()) {
            completion.wakeParent(path, request);
            return;
        }
        RunHeader run = runs.limited(begun, marks);
        Optional<StepResult> shared = ResultReuse.known(records, run, path, request);
        if (shared.isPresent()) {
            completion.finish(run, path, request, shared.get());
            return;
        }
        Step<?> step = request.step(path.plainName());
        if (step instanceof Phase<?> phase) {
            phaseExecutor.play(run, marks, path, request, phase);
        } else {
            stepExecutor.perform(run, marks, path, request, step)
                    .ifPresentOrElse(result -> completion.finish(run, path, request, result), () -> standing.add(path.run()));
        }
    }

    /// Runs of which this process has let an event go, since they were paused or since another process was at it. Once such a run may go on, it has
    /// to be swept.
    public Set<String> standing() {
        return standing;
    }

    /// Whether the step is being done by this very process.
    boolean isUnderWay(StepPath path) {
        return inFlight.contains(path);
    }

    /// Gives up on a step that could not be done: the phase that asked goes on by its own rules.
    public void fail(StepPath path, String reason) {
        StepLabels.during(path, () -> end(path, new Outcome.Failed<>(reason)));
    }

    /// Ends a step whose time is over, wherever it is being done: whoever does it still comes too late with a result.
    void stop(StepPath path, StepRequest request) {
        StepLabels.during(path, () -> end(path, new Outcome.Stopped<>(gate.tooLate(runs.limited(path.run()), request, clock.instant()))));
    }

    private void end(StepPath path, Outcome<?> outcome) {
        RunHeader run = runs.limited(path.run());
        runs.checkPrompts(run);
        StepRequest request;
        try {
            request = records.request(path).orElseThrow(() -> new Invalid("step " + path + " was never asked for"));
        } catch (DamagedRecord damaged) {
            // What was asked is not known any more, so whoever asked cannot go on either. The run itself is always asked for alike.
            if (path.parent().isPresent()) {
                end(path.parent().get(), new Outcome.Failed<>(damaged.getMessage()));
                return;
            }
            request = first(run);
        }
        if (request.isPhase() && !path.inside().isEmpty()) {
            // Before it has ended: so that it is not gone on with, nor anything in it begun, by whoever is woken for it still.
            records.close(path);
        }
        Instant now = clock.instant();
        Ledger.Account spent = ledger.of(path);
        completion.finish(run, path, request, StepResult.of(outcome, now, now, spent.usd(), null, request.isPhase() ? spent.measured() : null));
    }

    KnownRuns runs() {
        return runs;
    }
}
