package io.mlestar.show.view;

import io.mlestar.core.records.Ledger;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.LocalLock;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.steering.Extensions;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.NewerRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The states of all runs of a store, and the money that they may still spend, for metrics that are
/// asked for often: the store is read once in a while only.
public final class StoreSummary {
    private final Records records;
    private final InstantSource clock;
    private final Duration freshness;
    /// The status of ended runs: each entry saves a listing and a result that may be large at every
    /// look.
    private final Map<String, RunStatus> ended = new HashMap<>();
    private Sums latest = new Sums(Map.of(), 0, 0);
    private Instant looked = Instant.MIN;

    /// @param runs how many are in each state
    /// @param budgetUsd of the running runs that have a budget
    /// @param budgetLeftUsd what these may still spend
    public record Sums(Map<RunStatus, Integer> runs, double budgetUsd, double budgetLeftUsd) {}

    /// @param freshness how old an answer may be
    public StoreSummary(Records records, InstantSource clock, Duration freshness) {
        this.records = records;
        this.clock = clock;
        this.freshness = freshness;
    }

    /// @throws io.mlestar.core.store.StoreUnavailable if the store is out of reach
    public synchronized Sums sums() {
        Instant now = clock.instant();
        if (now.minus(freshness).isAfter(looked)) {
            latest = look();
            looked = now;
        }
        return latest;
    }

    private Sums look() {
        Map<RunStatus, Integer> runs = new EnumMap<>(RunStatus.class);
        double budget = 0;
        double left = 0;
        for (String run : records.runs()) {
            try {
                Optional<RunHeader> header = records.header(run);
                if (header.isPresent()) {
                    RunStatus state = state(header.get());
                    Double most = state == RunStatus.RUNNING
                            ? new Extensions(records.store()).onto(header.get()).budgetUsd()
                            : null;
                    if (most != null) {
                        left += Math.max(0, most - new Ledger(records).spent(run));
                        budget += most;
                    }
                    runs.merge(state, 1, Integer::sum);
                }
            } catch (DamagedRecord | NewerRecord e) {
                runs.merge(RunStatus.of(e), 1, Integer::sum);
            }
        }
        return new Sums(Map.copyOf(runs), budget, left);
    }

    private RunStatus state(RunHeader header) {
        String run = header.runId();
        RunStatus known = ended.get(run);
        if (known != null) {
            return known;
        }
        RunMarks marks = records.marks(run);
        Optional<StepResult> end =
                marks.hasEnded() ? records.result(StepPath.root(run)) : Optional.empty();
        RunStatus status = RunStatus.of(end, marks.halt().isPresent(),
                () -> LocalLock.isLeft(records, header));
        if (end.isPresent()) {
            ended.put(run, status);
        }
        return status;
    }
}
