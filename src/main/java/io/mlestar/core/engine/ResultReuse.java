package io.mlestar.core.engine;

import io.mlestar.core.phase.Survey;
import io.mlestar.core.records.Journal;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader.Origin;
import io.mlestar.core.records.RunHeader.Redo;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.StepPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Takes over results from the run that this one comes from, step by step.
public record ResultReuse(Records records, Origin origin) {
    /// The result of the same step in the run that this one comes from; empty if it comes from
    /// none.
    static Optional<StepResult> known(
            Records records,
            RunHeader run,
            StepPath path,
            StepRequest request) {
        if (run.origin() == null || path.inside().isEmpty()) {
            return Optional.empty();
        }
        // By what an agent wrote in the survey rows are hidden: which these are is known after it.
        boolean mayBeShared =
                path.top().name().equals(Survey.NAME) || isScoredAlike(records, run, run.origin());
        return mayBeShared
                ? new ResultReuse(records, run.origin()).of(path, request)
                : Optional.empty();
    }

    /// Scores by other rows cannot be compared, as after a change of the data: then nothing is
    /// shared, since scores are in all that follows.
    private static boolean isScoredAlike(Records records, RunHeader run, Origin origin) {
        return RunContexts.digest(records, run.runId())
                .equals(RunContexts.digest(records, origin.run()));
    }

    /// The result that the other run has of a step that asks for the same. A step that failed there
    /// is tried again, unless the run leaves the other's way at a certain step: then all that does
    /// not depend on this step stays as it was, but for what is to be done again.
    Optional<StepResult> of(StepPath step, StepRequest request) {
        if (!request.step(step.plainName()).isReusable()) {
            return Optional.empty();
        }
        StepPath there = place(records, new StepPath(origin.run(), step.inside()));
        return records.request(there)
                .filter(request::asksTheSame)
                .flatMap(same -> records.result(there))
                .filter(known -> !known.endedAt().isAfter(origin.until()))
                .filter(known -> known.isDone() || !known.isStopped() && origin.at() != null)
                .filter(known -> origin.redo() == null
                        || !isDoneAgain(step, new KnownStep(there, request, Optional.of(known))))
                .map(known -> known.sharedWith(there));
    }

    /// True if a run has a step, itself or in a phase that it shares with another one.
    public static boolean isKnown(Records records, StepPath step) {
        return records.request(place(records, step)).isPresent();
    }

    /// A step of a run and those that depend on it: what its phase does not come to without its
    /// result, and so on outwards. By what they are, not by when they ran; each stands for all
    /// below it.
    ///
    /// @return paths inside the run
    public static List<String> dependents(Records records, RunHeader run, StepPath step) {
        List<String> found = new ArrayList<>(List.of(step.inside()));
        for (StepPath below = step; below.parent().isPresent(); below = below.parent().get()) {
            StepPath phase = below.parent().get();
            Map<String, KnownStep> known = new LinkedHashMap<>(records.journal(phase).steps());
            known.remove(below.name());
            records.request(phase)
                    .map(request -> Replay.reached((Phase<?>) request.step(phase.plainName()),
                            RunContexts.ofPhase(records, run), new Journal(known)))
                    .ifPresent(reached -> known.keySet()
                            .stream()
                            .filter(name -> !reached.contains(name))
                            .forEach(name -> found.add(phase.child(name).inside())));
        }
        return found;
    }

    /// The path at which a step is recorded: in its run, or in the one with which its run shares
    /// the phase.
    private static StepPath place(Records records, StepPath step) {
        if (records.request(step).isPresent()) {
            return step;
        }
        for (Optional<StepPath> phase = step.parent(); phase.isPresent(); phase =
                phase.get().parent()) {
            Optional<String> shared = records.result(phase.get()).map(StepResult::sharedWith);
            if (shared.isPresent()) {
                return place(records, StepPath.parse(
                        shared.get() + step.inside().substring(phase.get().inside().length())));
            }
        }
        return step;
    }

    /// A phase in which something is done again is gone through again: the steps in it are shared
    /// one by one.
    private boolean isDoneAgain(StepPath step, KnownStep known) {
        String inside = step.inside();
        return origin.redo()
                .steps()
                .stream()
                .anyMatch(redo -> inside.equals(redo) || inside.startsWith(redo + "/")
                        || redo.startsWith(inside + "/"))
                || hasFailed(known);
    }

    private boolean hasFailed(KnownStep step) {
        Redo redo = origin.redo();
        if (step.result().isEmpty() || !redo.scripts() && !redo.agents()) {
            return false;
        }
        StepResult result = step.result().get();
        if (step.request().isPhase()) {
            return records.below(step.place()).stream().anyMatch(this::hasFailed);
        }
        Outcome<?> outcome = result.outcome(step.step());
        boolean isFailed = outcome instanceof Outcome.Failed<?>
                || outcome instanceof Outcome.Done<?>(Execution.Failed _);
        return isFailed && (step.request().isWorkOfScripts() ? redo.scripts() : redo.agents());
    }
}
