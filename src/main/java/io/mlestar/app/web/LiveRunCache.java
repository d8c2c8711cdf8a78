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

/// The runs that were looked at lately; one serves all viewers of a run.
@Singleton
public class LiveRunCache {
    private static final int MOST = 24;

    private final Records records;
    private final Map<String, LiveRun> recent = LruCache.of(MOST);
    private final Map<String, SolutionHistory> histories = LruCache.of(MOST);
    /// Runs that have ended do not change any more.
    private final Map<String, RunFigures> ended = new ConcurrentHashMap<>();
    private final Map<String, Instant> begun = new ConcurrentHashMap<>();
    private final SingleFlight<List<String>> sorted = new SingleFlight<>(this::sort);

    LiveRunCache(Records records) {
        this.records = records;
    }

    /// @throws HttpError if there is no such run
    LiveRun of(String run) {
        return find(StepPath.root(run).run()).orElseThrow(() -> new HttpError(404, "there is no run " + run));
    }

    /// What a run has tried.
    SolutionHistory solutions(LiveRun run) {
        return histories.computeIfAbsent(run.run().runId(), id -> new SolutionHistory(records, run.run()));
    }

    private Optional<LiveRun> find(String run) {
        LiveRun known = recent.get(run);
        Optional<LiveRun> found = known != null ? Optional.of(known)
                : records.header(run).map(header -> recent.computeIfAbsent(run, id -> new LiveRun(records, header)));
        found.ifPresent(LiveRun::refresh);
        return found;
    }

    /// Runs by the time when they were started, the last one first; one that cannot be read stands at the end.
    public List<String> newestFirst() {
        return sorted.get();
    }

    private List<String> sort() {
        record Begun(String run, Instant at) {}
        Set<String> runs = Set.copyOf(records.runs());
        // What was deleted from the store is not remembered for ever.
        begun.keySet().retainAll(runs);
        ended.keySet().retainAll(runs);
        recent.keySet().retainAll(runs);
        histories.keySet().retainAll(runs);
        return runs.stream().flatMap(run -> begunAt(run).map(at -> new Begun(run, at)).stream())
                .sorted(Comparator.comparing(Begun::at).reversed()).map(Begun::run).toList();
    }

    private Optional<Instant> begunAt(String run) {
        Instant known = begun.get(run);
        if (known != null) {
            return Optional.of(known);
        }
        try {
            Optional<Instant> at = records.header(run).map(RunHeader::startedAt);
            at.ifPresent(found -> begun.put(run, found));
            return at;
        } catch (DamagedRecord | NewerRecord e) {
            return Optional.of(Instant.EPOCH);
        }
    }

    /// Of a run that cannot be read, that it cannot; empty if there is no such run.
    public Optional<RunFigures> figures(String run) {
        RunFigures known = ended.get(run);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<RunFigures> figures;
        try {
            figures = DamagedRecord.unlessRead("runs/" + run, () -> find(run).map(LiveRun::figures));
        } catch (DamagedRecord | NewerRecord e) {
            return Optional.of(RunFigures.unread(run, e));
        }
        figures.filter(found -> !found.isRunning()).ifPresent(found -> ended.put(run, found));
        return figures;
    }
}
