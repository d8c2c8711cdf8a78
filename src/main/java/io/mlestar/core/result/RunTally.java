package io.mlestar.core.result;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.ProgramVersion;
import io.mlestar.core.phase.InitialSolution;
import io.mlestar.core.phase.Refinement;
import io.mlestar.core.phase.ScriptSearch;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Ledger;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Scoring;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Totals;
import io.mlestar.core.records.Walk;
import io.mlestar.core.steering.Allowance;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The sums of a run, counted once at its end, so that its state can be shown later without reading
/// its steps.
///
/// @param answers questions that were answered for this run
/// @param scripts that were run for it
/// @param paths per path of Phase 2 `completed`, `failed` or `cancelled`: stopped before its last
///   step
/// @param cancelled whether it had been asked to finish
/// @param extensions what it had been given beyond the limits that it began with
/// @param endedBy version of the program that ended it
/// @param reached how far it came
public record RunTally(
        int answers,
        int scripts,
        List<String> paths,
        boolean cancelled,
        List<Extension> extensions,
        String endedBy,
        Reached reached) {
    private static final String NAME = "tally.json";

    /// The facts that the result of a run does not tell if it failed, or if a price is unknown.
    ///
    /// @param part [Phase#part] of the last phase that was asked for
    /// @param title of that phase
    /// @param bestScore of all that stand, those of the run that it comes from included; null if
    ///   none does
    /// @param knownCostUsd as far as prices are known
    /// @param crash how most of its scripts failed; null unless the run failed
    public record Reached(
            String part,
            String title,
            @Nullable Double bestScore,
            double knownCostUsd,
            @Nullable Crash crash) {
        public Reached {
            Invalid.required("part", part);
            Invalid.required("title", title);
            Invalid.usd("known_cost_usd", knownCostUsd);
        }

        public Reached(String part, String title, @Nullable Double bestScore, double knownCostUsd) {
            this(part, title, bestScore, knownCostUsd, null);
        }
    }

    /// @throws Invalid if something is missing or negative
    public RunTally {
        if (answers < 0 || scripts < 0) {
            throw new Invalid("answers and scripts must be 0 or more");
        }
        paths = Invalid.elements("paths", paths);
        extensions = Invalid.elements("extensions", extensions);
        Invalid.required("ended_by", endedBy);
        Invalid.required("reached", reached);
    }

    /// The same of a run that failed.
    RunTally failedBy(@Nullable Crash crash) {
        return new RunTally(answers, scripts, paths, cancelled, extensions, endedBy, new Reached(
                reached.part, reached.title, reached.bestScore, reached.knownCostUsd, crash));
    }

    public Allowance allowance() {
        return new Allowance(extensions);
    }

    /// The sums of a run; empty if it has not ended or has damaged records.
    public static Optional<RunTally> of(Store store, String run) {
        return ChecksummedJson.read(store, Records.key(run, NAME), RunTally.class);
    }

    /// Keeps it; the first count stays.
    public void keep(Store store, String run) {
        store.create(Records.key(run, NAME), ChecksummedJson.bytes(this));
    }

    /// The tally of a run as it is now.
    ///
    /// @param top the steps right below the pipeline
    public static RunTally count(
            Records records,
            RunHeader run,
            List<KnownStep> top,
            boolean cancelled,
            Allowance allowance) {
        StepPath root = run.root();
        Totals totals = new Ledger(records).of(root).totals();
        Double best = run.task()
                .metricDirection()
                .best(Walk.scorings(records, root).toList(), Scoring::score)
                .map(Scoring::score)
                .orElse(null);
        List<Phase<?>> phases = new ArrayList<>(List.of(new InitialSolution()));
        Map<Integer, String> paths = new TreeMap<>();
        for (KnownStep step : top) {
            Step<?> asked = step.step();
            if (asked instanceof Phase<?> phase) {
                phases.add(phase);
            }
            if (asked instanceof ScriptSearch search) {
                String status = status(step, done -> done.of(search).isWhole());
                search.starts().forEach(_ -> paths.put(paths.size(), status));
            } else if (asked instanceof Refinement path) {
                int outerSteps = run.config().paper().outerLoopSteps();
                paths.put(path.path(),
                        status(step, done -> done.of(path).stepHistory().size() >= outerSteps));
            }
        }
        return new RunTally(totals.answers(), totals.scripts(), List.copyOf(paths.values()),
                cancelled, allowance.extensions(), ProgramVersion.HERE.toString(),
                new Reached(phases.getLast().part(), phases.getLast().title(), best,
                        totals.knownUsd()));
    }

    private static String status(KnownStep step, Predicate<StepResult.Done> isWhole) {
        return step.result().map(result -> switch (result.ending()) {
            case StepResult.Failed failed -> "failed";
            case StepResult.Stopped stopped -> "cancelled";
            case StepResult.Done done -> isWhole.test(done) ? "completed" : "cancelled";
        }).orElse("running");
    }
}
