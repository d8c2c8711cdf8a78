package io.mlestar.core.result;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.ProgramVersion;
import io.mlestar.core.phase.InitialSolution;
import io.mlestar.core.phase.Refinement;
import io.mlestar.core.records.Journal;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.steering.Allowance;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.steering.Pause;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.Store;
import io.mlestar.core.task.Results.Phase2Result;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a run came to, counted once at its end, so that its state can be shown later without reading its steps.
///
/// @param answers questions that were answered for this run
/// @param scripts that were run for it
/// @param paths per path of Phase 2 `completed`, `failed` or `cancelled`: stopped before its last step
/// @param cancelled whether it had been asked to finish
/// @param extensions what it had been given beyond the limits that it began with
/// @param pauses the time of which it was given back
/// @param endedBy version of the program that ended it
/// @param reached how far it came
public record RunTally(int answers, int scripts, List<String> paths, boolean cancelled, List<Extension> extensions, List<Pause> pauses, String endedBy,
        Reached reached) {
    private static final String NAME = "tally.json";

    /// What the result of a run does not tell if it failed, or if a price is unknown.
    ///
    /// @param part [Phase#part] of the last phase that was asked for
    /// @param title of that phase
    /// @param bestScore of all that stand, those of the run that it comes from included; null if none does
    /// @param knownCostUsd as far as prices are known
    public record Reached(String part, String title, @Nullable Double bestScore, double knownCostUsd) {
        public Reached {
            Invalid.required("part", part);
            Invalid.required("title", title);
            Invalid.usd("known_cost_usd", knownCostUsd);
        }
    }

    /// @throws Invalid if something is missing or negative
    public RunTally {
        if (answers < 0 || scripts < 0) {
            throw new Invalid("answers and scripts must be 0 or more");
        }
        paths = Invalid.elements("paths", paths);
        extensions = Invalid.elements("extensions", extensions);
        pauses = Invalid.elements("pauses", pauses);
        Invalid.required("ended_by", endedBy);
        Invalid.required("reached", reached);
    }

    public Allowance allowance() {
        return new Allowance(extensions, pauses);
    }

    /// What a run came to; empty if it has not ended, has damaged records.
    public static Optional<RunTally> of(Store store, String run) {
        return ChecksummedJson.read(store, Records.key(run, NAME), RunTally.class);
    }

    /// Keeps it; the first count stays.
    public void keep(Store store, String run) {
        store.create(Records.key(run, NAME), ChecksummedJson.bytes(this));
    }

    /// Takes in the steps of a run, each once and a phase before the steps inside it, whether or not the run has ended. Of what another run did only
    /// the scores count.
    public static final class Counting {
        private final RunHeader run;
        private final Map<Integer, String> paths = new TreeMap<>();
        private final Set<StepPath> paid = new HashSet<>();
        private Phase<?> last = new InitialSolution();
        private @Nullable Double bestScore;
        private double knownCostUsd;
        private int answers;
        private int scripts;

        public Counting(RunHeader run) {
            this.run = run;
        }

        public void add(KnownStep step) {
            step.result().map(StepResult::scorings).ifPresent(told -> told.forEach(
                    one -> bestScore = run.task().metricDirection().better(bestScore, one.score())));
            if (!step.path().run().equals(run.runId())) {
                return;
            }
            pay(step);
            if (step.path().isTop() && step.step() instanceof Phase<?> phase) {
                last = phase;
                if (phase instanceof Refinement path) {
                    paths.put(path.path(), status(step, path));
                }
            } else if (!step.request().isPhase() && step.done().filter(done -> done.sharedWith() == null).isPresent()) {
                answers += step.request().isAgent() ? 1 : 0;
                scripts += step.request().isScript() ? 1 : 0;
            }
        }

        /// What has ended carries the sum of all below it.
        private void pay(KnownStep step) {
            boolean isPart = step.path().parent().filter(paid::contains).isPresent();
            if (!isPart && step.result().isPresent()) {
                Double cost = step.result().get().costUsd();
                knownCostUsd += cost == null ? 0 : cost;
            }
            if (step.request().isPhase() && (isPart || step.result().isPresent())) {
                paid.add(step.path());
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
                    yield result.stepHistory().size() < run.config().loop().outerLoopSteps() ? "cancelled" : "completed";
                }
            };
        }

        /// So far.
        public RunTally tally(boolean cancelled, Allowance allowance) {
            return new RunTally(answers, scripts, List.copyOf(paths.values()), cancelled, allowance.extensions(), allowance.pauses(),
                    ProgramVersion.HERE.toString(), new Reached(last.part(), last.title(), bestScore, Journal.rounded(knownCostUsd)));
        }
    }
}
