package io.mlestar.core.engine;

import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.Journal;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Steps;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Runs a phase as far as its journal reaches: steps that are known return at once, the first
/// unknown one ends the replay. Pure: no I/O, no clock.
final class Replay implements Steps {
    /// The point that the phase reached: its outcome, or the steps that it waits for.
    sealed interface ReplayResult<R> {
        record Finished<R>(Outcome<R> outcome) implements ReplayResult<R> {}

        /// @param unasked the steps to be asked for now, by name; empty if all steps that it waits
        ///   for have been requested
        record Waiting<R>(Map<String, Step<?>> unasked) implements ReplayResult<R> {}
    }

    /// Ends a replay. An error, so that no `catch (Exception e)` of a phase keeps it.
    private static final class Suspension extends Error {
        @SuppressWarnings("StaticAssignmentOfThrowable")
        static final Suspension SIGNAL = new Suspension();

        private Suspension() {
            super("the phase waits for a step", null, false, false);
        }
    }

    /// The phase asks something else than it did before: its code, its prompts or its inputs have
    /// changed.
    static final class Divergence extends RuntimeException {
        private static final int SHOWN = 300;

        Divergence(String step, StepRequest recorded, Step<?> attempted) {
            super("step " + step + " is recorded as " + recorded.work() + " with "
                    + Excerpt.line(recorded.input().toString(), SHOWN)
                    + " but is now asked as " + Excerpt.line(attempted.toString(), SHOWN)
                    + "; the program has changed since the run began. `mlestar resume` carries what still matches into a new run");
        }
    }

    private final RunContext context;
    private final Journal journal;
    private final Map<String, Integer> uses = new HashMap<>();
    private final Map<String, Step<?>> unasked = new LinkedHashMap<>();
    private final Set<String> reached = new HashSet<>();

    private Replay(RunContext context, Journal journal) {
        this.context = context;
        this.journal = journal;
    }

    /// @throws Divergence if the journal was written by another program
    static <R> ReplayResult<R> play(Phase<R> phase, RunContext context, Journal journal) {
        Replay replay = new Replay(context, journal);
        try {
            return new ReplayResult.Finished<>(replay.outcome(phase));
        } catch (Suspension e) {
            return new ReplayResult.Waiting<>(replay.unasked);
        }
    }

    /// Names of the steps that a phase comes to with the results that a journal holds.
    static Set<String> reached(Phase<?> phase, RunContext context, Journal journal) {
        Replay replay = new Replay(context, journal);
        try {
            replay.outcome(phase);
        } catch (Suspension | Divergence e) {
            // The phase goes no further: the names up to here are the result.
        }
        return replay.reached;
    }

    private <R> Outcome<R> outcome(Phase<R> phase) {
        try {
            return new Outcome.Done<>(phase.run(this));
        } catch (StepStopped e) {
            return new Outcome.Stopped<>(e.getMessage());
        } catch (StepFailed | Invalid e) {
            return new Outcome.Failed<>(Objects.requireNonNull(e.getMessage()));
        }
    }

    @Override
    public RunContext context() {
        return context;
    }

    @Override
    public <R> List<Outcome<R>> callAll(List<? extends Step<R>> steps) {
        List<Optional<Outcome<R>>> asked = steps.stream().map(this::ask).toList();
        return asked.stream().map(outcome -> outcome.orElseThrow(() -> Suspension.SIGNAL)).toList();
    }

    private <R> Optional<Outcome<R>> ask(Step<R> step) {
        String name = unique(step.name());
        reached.add(name);
        return known(name, step);
    }

    /// The outcome of a step; empty if it has not ended. A step that is not recorded yet will be
    /// requested.
    private <R> Optional<Outcome<R>> known(String name, Step<R> step) {
        KnownStep known = journal.steps().get(name);
        if (known == null) {
            unasked.put(name, step);
            return Optional.empty();
        }
        if (!known.request().asksFor(step)) {
            throw new Divergence(name, known.request(), step);
        }
        return known.result().map(result -> result.outcome(step));
    }

    private String unique(String name) {
        int use = uses.merge(name, 1, Integer::sum);
        return use == 1 ? name : name + "-" + use;
    }
}
