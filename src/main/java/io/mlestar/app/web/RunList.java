package io.mlestar.app.web;

import io.mlestar.core.base.Sha256;
import io.mlestar.show.view.RunFigures;
import io.mlestar.show.view.RunSelection;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A page of the list of runs. To sort and to choose, the figures of all runs are needed: of very many, only the newest are looked at.
///
/// @param more how many come after these
/// @param next number of the first run of the next page
/// @param overlooked how many older runs were not looked at
public record RunList(List<RunFigures> runs, RunSelection selection, int more, int next, int overlooked) {
    private static final int PAGE = 100;
    private static final int MOST = 1_000;

    static RunList of(LiveRunCache cache, RunSelection selection, int first, Instant now) {
        List<String> all = cache.newestFirst();
        if (selection.isAll()) {
            return page(all, page -> figures(cache, page), selection, first, 0);
        }
        List<String> looked = all.subList(0, Math.min(MOST, all.size()));
        return page(selection.of(figures(cache, looked), now), page -> page, selection, first, all.size() - looked.size());
    }

    private static <T> RunList page(List<T> all, Function<List<T>, List<RunFigures>> figures, RunSelection selection, int first, int overlooked) {
        int from = Math.min(first, all.size());
        int next = Math.min(from + PAGE, all.size());
        return new RunList(figures.apply(all.subList(from, next)), selection, all.size() - next, next, overlooked);
    }

    private static List<RunFigures> figures(LiveRunCache cache, List<String> runs) {
        return runs.stream().map(cache::figures).flatMap(Optional::stream).toList();
    }

    public List<RunSelection.Column> columns() {
        return List.of(RunSelection.Column.values());
    }

    public List<String> states() {
        return RunSelection.states();
    }

    /// A digest of all that it shows, but how long runs have lasted.
    String version() {
        return Sha256.hex(toString().getBytes(StandardCharsets.UTF_8));
    }

    /// True if the store has no run.
    public boolean isEmpty() {
        return runs.isEmpty() && selection.isAll();
    }
}
