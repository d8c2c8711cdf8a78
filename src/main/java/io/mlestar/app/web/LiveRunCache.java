package io.mlestar.app.web;

import io.mlestar.app.http.HttpError;
import io.mlestar.core.base.LruCache;
import io.mlestar.core.records.Records;
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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The runs that were viewed lately; all viewers of a run share one view.
@Singleton
public class LiveRunCache {
    private static final int MOST = 24;

    private final Records records;
    private final Map<String, ViewedRun> recent = LruCache.of(MOST);
    /// Runs that have ended do not change any more.
    private final Map<String, RunFigures> ended = new ConcurrentHashMap<>();

    private record ViewedRun(LiveRun live, SolutionHistory solutions) {}

    LiveRunCache(Records records) {
        this.records = records;
    }

    /// @throws HttpError if there is no such run
    LiveRun of(String run) {
        return find(StepPath.root(run).run())
                .orElseThrow(() -> new HttpError(404, "there is no run " + run))
                .live();
    }

    /// The scripts that a run has tried.
    SolutionHistory solutions(LiveRun run) {
        ViewedRun known = recent.get(run.run().runId());
        return known != null ? known.solutions() : new SolutionHistory(records, run.run());
    }

    private Optional<ViewedRun> find(String run) {
        ViewedRun known = recent.get(run);
        Optional<ViewedRun> found = known != null
                ? Optional.of(known)
                : records.header(run)
                        .map(header -> recent.computeIfAbsent(run,
                                id -> new ViewedRun(new LiveRun(records, header),
                                        new SolutionHistory(records, header))));
        found.ifPresent(viewed -> viewed.live().refresh());
        return found;
    }

    /// Runs by the time when they were started, the last one first; one that cannot be read stands
    /// at the end.
    ///
    /// @param text part of the run's or its task's name; empty for all
    public List<String> newestFirst(String text) {
        Set<String> runs = Set.copyOf(records.runs());
        // Runs that were deleted from the store are forgotten.
        ended.keySet().retainAll(runs);
        recent.keySet().retainAll(runs);
        return runs.stream()
                .flatMap(run -> begun(run).stream())
                .filter(begun -> begun.isNamed(text))
                .sorted(Comparator.comparing(Begun::at).reversed())
                .map(Begun::run)
                .toList();
    }

    private record Begun(String run, String task, Instant at) {
        private boolean isNamed(String text) {
            return (run + "\n" + task).toLowerCase(Locale.ROOT)
                    .contains(text.toLowerCase(Locale.ROOT));
        }
    }

    private Optional<Begun> begun(String run) {
        RunFigures known = ended.get(run);
        if (known != null) {
            return Optional.of(new Begun(run, known.competitionId(), known.startedAt()));
        }
        try {
            return records.header(run)
                    .map(header -> new Begun(run, header.task().competitionId(),
                            header.startedAt()));
        } catch (DamagedRecord | NewerRecord e) {
            return Optional.of(new Begun(run, "", Instant.EPOCH));
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
            figures = DamagedRecord.unlessRead("runs/" + run,
                    () -> find(run).map(viewed -> viewed.live().figures()));
        } catch (DamagedRecord | NewerRecord e) {
            return Optional.of(RunFigures.unread(run, e));
        }
        figures.filter(found -> !found.isRunning()).ifPresent(found -> ended.put(run, found));
        return figures;
    }
}
