package io.mlestar.records;

import io.mlestar.phase.Refinement;
import io.mlestar.store.ProgramVersion;
import io.mlestar.store.Sealed;
import io.mlestar.store.Store;
import io.mlestar.task.Json;
import io.mlestar.task.Results.Phase2Result;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What a run that ended well came to, counted once at its end: whoever asks for its state later need not go through its steps.
///
/// @param answers questions that were answered for this run
/// @param scripts that were run for it
/// @param paths per path of Phase 2 `completed`, `failed` or `cancelled`: stopped before its last step
/// @param cancelled whether it had been asked to finish
/// @param extensions what it had been given beyond the limits that it began with
/// @param pauses the time of which it was given back
/// @param endedBy version of the program that ended it
public record RunTally(int answers, int scripts, List<String> paths, boolean cancelled, List<Extension> extensions, List<Pause> pauses, String endedBy) {
    private static final String NAME = "tally.json";

    public Allowance allowance() {
        return new Allowance(extensions, pauses);
    }

    /// What a run came to; empty if it has not ended well, or a program ended it that did not count.
    public static Optional<RunTally> of(Store store, String run) {
        String key = Records.key(run, NAME);
        return store.read(key).map(bytes -> Json.read(Sealed.read(key, bytes), RunTally.class));
    }

    /// Keeps it; the first count stays.
    public void keep(Store store, String run) {
        store.create(Records.key(run, NAME), Sealed.bytes(this));
    }

    /// Takes in the steps of a run, each once, whether or not the run has ended. What another run did does not count.
    public static final class Counting {
        private final RunHeader run;
        private final Map<Integer, String> paths = new TreeMap<>();
        private int answers;
        private int scripts;

        public Counting(RunHeader run) {
            this.run = run;
        }

        public void add(KnownStep step) {
            if (step.request().isPhase()) {
                if (step.path().isTop() && step.step() instanceof Refinement path) {
                    paths.put(path.path(), status(step, path));
                }
            } else if (step.done().filter(done -> done.sharedWith() == null).isPresent()) {
                answers += step.request().isAgent() ? 1 : 0;
                scripts += step.request().isScript() ? 1 : 0;
            }
        }

        private String status(KnownStep step, Refinement path) {
            if (step.result().isEmpty()) {
                return "running";
            }
            return switch (step.result().get()) {
                case StepResult.Failed failed -> "failed";
                case StepResult.Stopped stopped -> "cancelled";
                case StepResult.Done done -> {
                    Phase2Result result = done.of(path);
                    yield result.stepHistory().size() < run.config().outerLoopSteps() ? "cancelled" : "completed";
                }
            };
        }

        /// So far.
        public RunTally tally(boolean cancelled, Allowance allowance) {
            return new RunTally(answers, scripts, List.copyOf(paths.values()), cancelled, allowance.extensions(), allowance.pauses(),
                    ProgramVersion.HERE.toString());
        }
    }
}
