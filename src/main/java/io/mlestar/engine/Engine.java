package io.mlestar.engine;

import io.mlestar.event.Event;
import io.mlestar.event.Publisher;
import io.mlestar.event.StepLabels;
import io.mlestar.phase.Pipeline;
import io.mlestar.records.Journal;
import io.mlestar.records.Ledger;
import io.mlestar.records.Records;
import io.mlestar.records.RunHeader;
import io.mlestar.records.RunMarks;
import io.mlestar.records.StepRequest;
import io.mlestar.records.StepResult;
import io.mlestar.step.Agent;
import io.mlestar.step.Outcome;
import io.mlestar.step.Phase;
import io.mlestar.step.Step;
import io.mlestar.step.StepPath;
import io.mlestar.store.DamagedRecord;
import io.mlestar.task.Invalid;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Works on steps. Every call may be repeated, come late or end anywhere: what is known is never done again, and what was
/// lost is found by [Sweep]. Exceptions mean "deliver this again"; [Invalid] means "do not".
public final class Engine {
    private final Records records;
    private final Publisher publisher;
    private final InstantSource clock;
    private final Watcher watcher;
    private final Ledger ledger;
    private final Gate gate;
    private final StepWork stepWork;
    private final Briefs briefs;
    private final Publication publication;
    private final ScriptSlots slots;
    private final KnownRuns runs;
    private final BeingDone beingDone = new BeingDone();
    private final Set<String> standing = ConcurrentHashMap.newKeySet();

    public Engine(Records records, Publisher publisher, Performer performer, InstantSource clock, Watcher watcher) {
        this.records = records;
        this.publisher = publisher;
        this.clock = clock;
        this.watcher = watcher;
        this.ledger = new Ledger(records);
        this.gate = new Gate(ledger);
        this.briefs = new Briefs(records);
        this.runs = new KnownRuns(records, performer);
        this.stepWork = new StepWork(records, performer, clock, watcher, gate, briefs, runs);
        this.publication = new Publication(records, publisher, watcher);
        this.slots = new ScriptSlots(records, publisher, clock);
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
            beingDone.once(path, () -> goOn(run, path, request));
        }
    }

    private void goOn(RunHeader begun, StepPath path, StepRequest request) {
        if (records.result(path).isPresent()) {
            if (path.inside().isEmpty()) {
                publication.announce(begun);
            }
            wakeParent(path, request);
            return;
        }
        RunMarks marks = records.marks(path.run());
        if (marks.hasEnded()) {
            return;
        }
        if (marks.isPaused()) {
            standing.add(path.run());
            return;
        }
        RunHeader run = runs.limited(path.run(), marks);
        Optional<StepResult> shared = shared(run, path, request);
        if (shared.isPresent()) {
            finish(run, path, request, shared.get());
            return;
        }
        Step<?> step = step(path, request);
        if (step instanceof Phase<?> phase) {
            play(run, marks, path, request, phase);
        } else {
            stepWork.perform(run, marks, path, request, step)
                    .ifPresentOrElse(result -> finish(run, path, request, result), () -> standing.add(path.run()));
        }
    }

    /// Runs of which this process has let an event go, since they were paused or since another process was at it. Once such a run may go on, it has
    /// to be swept.
    public Set<String> standing() {
        return standing;
    }

    ScriptSlots slots() {
        return slots;
    }

    /// Whether the step is being done by this very process.
    boolean isUnderWay(StepPath path) {
        return beingDone.contains(path);
    }

    /// Gives up on a step that could not be done: the phase that asked goes on by its own rules.
    public void fail(StepPath path, String reason) {
        StepLabels.during(path, () -> end(path, new Outcome.Failed<>(reason)));
    }

    /// Ends a step whose time is over, wherever it is being done: whoever does it still comes too late with a result.
    void stop(StepPath path, StepRequest request) {
        StepLabels.during(path, () -> end(path, new Outcome.Stopped<>(Gate.tooLate(runs.limited(path.run()), request, clock.instant()))));
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
        Instant now = clock.instant();
        finish(run, path, request, StepResult.of(outcome, now, now, 0.0));
    }

    private static Step<?> step(StepPath path, StepRequest request) {
        return request.step(path.plainName());
    }

    KnownRuns runs() {
        return runs;
    }

    private <R> void play(RunHeader run, RunMarks marks, StepPath path, StepRequest request, Phase<R> phase) {
        Instant now = clock.instant();
        Journal journal = records.journal(path);
        Optional<String> refusal = journal.isEmpty() ? gate.refuses(run, marks, path, request, now) : Optional.empty();
        if (refusal.isPresent()) {
            finish(run, path, request, StepResult.of(new Outcome.Stopped<>(refusal.get()), now, now, 0.0));
            return;
        }
        Replay.ReplayResult<R> turn;
        try {
            turn = Replay.play(phase, briefs.of(run), journal);
        } catch (Replay.Diverged e) {
            StepPath root = StepPath.root(path.run());
            finish(run, root, records.request(root).orElseThrow(), StepResult.of(
                    new Outcome.Failed<>("in " + path + ": " + e.getMessage()), run.startedAt(), now, ledger.spent(path.run())));
            return;
        }
        if (journal.entries().values().stream().anyMatch(entry -> entry.request().isScript())) {
            slots.askForNext(run);
        }
        switch (turn) {
            case Replay.ReplayResult.Finished<R>(Outcome<R> outcome) ->
                finish(run, path, request, StepResult.of(outcome, request.askedAt(), now, journal.costUsd()));
            case Replay.ReplayResult.Waiting<R>(Map<String, Step<?>> unasked, Set<String> unneeded) -> {
                unneeded.forEach(name -> giveUp(run, path.child(name), Objects.requireNonNull(journal.entries().get(name)).request()));
                unasked.forEach((name, step) -> StepLabels.during(path.child(name), () -> ask(run, path, request, name, step)));
            }
        }
    }

    /// Gives up a step that its phase goes on without. A script ends now: whoever runs it finds that out, or comes too late with a result. An
    /// answer is paid for, and is waited for. In a phase nothing more begins; it is done again at each replay until the phase has ended, so that
    /// a process that died, or one that asked for more at the same moment, leaves nothing running.
    private void giveUp(RunHeader run, StepPath path, StepRequest request) {
        if (request.isPhase()) {
            records.giveUp(path);
            stopScripts(run, path);
        } else if (request.isScript()) {
            stopScript(run, path, request);
        }
    }

    private void stopScripts(RunHeader run, StepPath phase) {
        records.readable(phase).stream().filter(step -> step.result().isEmpty()).forEach(step -> {
            if (step.request().isPhase()) {
                stopScripts(run, step.path());
            } else if (step.request().isScript()) {
                stopScript(run, step.path(), step.request());
            }
        });
    }

    private void stopScript(RunHeader run, StepPath path, StepRequest request) {
        Instant now = clock.instant();
        finish(run, path, request, StepResult.of(new Outcome.Stopped<>(Gate.UNNEEDED), now, now, 0.0));
    }

    private void ask(RunHeader run, StepPath parent, StepRequest parentRequest, String name, Step<?> step) {
        Instant now = clock.instant();
        StepPath path = parent.child(name);
        StepRequest request = parentRequest.asking(step, now, Gate.deadline(run, parentRequest, step, now));
        if (records.create(path, request)) {
            watcher.asked(run, path, request);
            shared(run, path, request).ifPresentOrElse(known -> finish(run, path, request, known),
                    () -> slots.ask(run, path, request));
        }
    }

    /// What the run that this one comes from knows of the same step.
    private Optional<StepResult> shared(RunHeader run, StepPath path, StepRequest request) {
        return run.origin() == null || path.inside().isEmpty() ? Optional.empty() : new Sharing(records, run.origin()).of(path, request);
    }

    /// Stores a result, unless there is one, and wakes whoever waits for it.
    private void finish(RunHeader run, StepPath path, StepRequest request, StepResult result) {
        boolean root = path.inside().isEmpty();
        if (root) {
            // The result tells of the limits that the run began with, whoever writes it.
            publication.publish(runs.header(run.runId()), result);
        }
        if (records.create(path, result)) {
            if (!request.isPhase() && result.costUsd() != null) {
                ledger.warn(run, result.costUsd());
            }
            if (request.isAgent() && step(path, request) instanceof Agent<?> agent
                    && result.outcome(agent) instanceof Outcome.Failed<?>(String reason, boolean unreadable)
                    && unreadable) {
                watcher.unreadable(run, path, reason);
            }
            watcher.ended(run, path, request, result);
        }
        if (root) {
            publication.announce(run);
            runs.forget(run.runId());
            briefs.forget(run.runId());
        } else {
            wakeParent(path, request);
        }
    }

    private void wakeParent(StepPath path, StepRequest request) {
        request.wakeUp(path).ifPresent(publisher::publish);
    }
}
