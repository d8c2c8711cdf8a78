package io.mlestar.app.web;

import io.mlestar.app.http.HttpError;
import io.mlestar.core.base.LruCache;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.NewerRecord;
import io.mlestar.show.view.LiveRun;
import io.mlestar.show.view.RunFigures;
import io.mlestar.show.view.SolutionHistory;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The runs that were viewed lately; all viewers of a run share one view.
@Singleton
public class LiveRunCache {
    private static final int MOST = 24;

    private final Records records;
    private final Map<String, Viewed> recent = LruCache.of(MOST);
    /// Runs that have ended do not change any more.
    private final Map<String, RunFigures> ended = new ConcurrentHashMap<>();

    private record Viewed(LiveRun live, SolutionHistory solutions) {}

    LiveRunCache(Records records) {
        this.records = records;
    }

    /// @throws HttpError if there is no such run
    LiveRun of(String run) {
        return find(StepPath.root(run).run()).orElseThrow(() -> new HttpError(404, "there is no run " + run)).live();
    }

    /// The scripts that a run has tried.
    SolutionHistory solutions(LiveRun run) {
        Viewed known = recent.get(run.run().runId());
        return known != null ? known.solutions() : new SolutionHistory(records, run.run());
    }

    private Optional<Viewed> find(String run) {
        Viewed known = recent.get(run);
        Optional<Viewed> found = known != null ? Optional.of(known) : records.header(run)
                .map(header -> recent.computeIfAbsent(run, id -> new Viewed(new LiveRun(records, header), new SolutionHistory(records, header))));
        found.ifPresent(viewed -> viewed.live().refresh());
        return found;
    }

    /// Runs by the time when they were started, the last one first; one that cannot be read stands at the end.
    public List<String> newestFirst() {
        record Begun(String run, Instant at) {}
        Set<String> runs = Set.copyOf(records.runs());
        // Runs that were deleted from the store are forgotten.
        ended.keySet().retainAll(runs);
        recent.keySet().retainAll(runs);
        return runs.stream().flatMap(run -> begunAt(run).map(at -> new Begun(run, at)).stream())
                .sorted(Comparator.comparing(Begun::at).reversed()).map(Begun::run).toList();
    }

    private Optional<Instant> begunAt(String run) {
        RunFigures known = ended.get(run);
        if (known != null) {
            return Optional.of(known.startedAt());
        }
        try {
            return records.header(run).map(RunHeader::startedAt);
        } catch (DamagedRecord | NewerRecord e) {
            return Optional.of(Instant.EPOCH);
        }
    }

    /// The figures of a run, or why they cannot be read; empty if there is no such run.
    public Optional<RunFigures> figures(String run) {
        RunFigures known = ended.get(run);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<RunFigures> figures;
        try {
            figures = DamagedRecord.unlessRead("runs/" + run, () -> find(run).map(viewed -> viewed.live().figures()));
        } catch (DamagedRecord | NewerRecord e) {
            return Optional.of(RunFigures.unread(run, e));
        }
        figures.filter(found -> !found.isRunning()).ifPresent(found -> ended.put(run, found));
        return figures;
    }
}
