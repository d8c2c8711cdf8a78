package io.mlestar.core.engine;

import io.mlestar.core.engine.Replay.ReplayResult;
import io.mlestar.core.event.Publisher;
import io.mlestar.core.event.StepLabels;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.Journal;
import io.mlestar.core.records.Ledger;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Totals;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepPath;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Replays one phase as far as its journal reaches, requests the steps that it waits for, and ends
/// it.
record PhaseExecutor(
        Records records,
        InstantSource clock,
        Watcher watcher,
        Gate gate,
        Publisher publisher,
        StepCompletion completion) {
    <R> void play(
            CurrentLimits limits,
            RunMarks marks,
            StepPath path,
            StepRequest request,
            Phase<R> phase) {
        RunHeader run = limits.run();
        Instant now = clock.instant();
        Journal journal = records.journal(path);
        // Only a phase without steps or one that was closed can have ended: others end by being
        // replayed.
        if ((journal.isEmpty() || marks.isClosed(path)) && records.result(path).isPresent()) {
            completion.wakeParent(path, request);
            return;
        }
        Optional<String> refusal =
                journal.isEmpty()
                        ? gate.refusal(limits, marks, path, request, now)
                        : Optional.empty();
        if (refusal.isPresent()) {
            completion.finish(run, path, request,
                    StepResult.of(new Outcome.Stopped<>(refusal.get()), now, now, 0.0)
                            .with(Totals.NOTHING, List.of()));
            return;
        }
        ReplayResult<R> turn;
        try {
            turn = Replay.play(phase, RunContexts.ofPhase(records, run), journal);
        } catch (Replay.Divergence e) {
            if (records.result(path).isPresent()) {
                // Another version of the program has finished it.
                completion.wakeParent(path, request);
                return;
            }
            StepPath root = StepPath.root(path.run());
            completion.finish(run, root, records.request(root).orElseThrow(), StepResult.of(
                    new Outcome.Failed<>("in " + path + ": " + e.getMessage()), run.startedAt(),
                    now, new Ledger(records).spent(path.run())));
            return;
        }
        switch (turn) {
            case ReplayResult.Finished<R>(Outcome<R> outcome) -> {
                Totals totals = journal.totals(records);
                completion.finish(run, path, request,
                        StepResult.of(outcome, request.askedAt(), now, totals.costUsd())
                                .with(totals, journal.scorings(outcome)));
            }
            case ReplayResult.Waiting<R>(Map<String, Step<?>> unasked) ->
                ask(limits, path, request, unasked);
        }
    }

    private void ask(
            CurrentLimits limits,
            StepPath parent,
            StepRequest parentRequest,
            Map<String, Step<?>> steps) {
        steps.forEach((name, step) -> StepLabels.during(parent.child(name),
                () -> ask(limits, parent.child(name), parentRequest, step)));
    }

    private void ask(CurrentLimits limits, StepPath path, StepRequest parentRequest, Step<?> step) {
        RunHeader run = limits.run();
        Instant now = clock.instant();
        StepRequest request =
                parentRequest.asking(step, now, gate.deadline(limits, parentRequest, step, now));
        if (records.create(path, request)) {
            watcher.asked(run, path, request);
            ResultReuse.known(records, run, path, request)
                    .ifPresentOrElse(
                            known -> completion.finish(run, path, request, known),
                            () -> publisher.publish(request.event(path, "asked")));
        }
    }
}
