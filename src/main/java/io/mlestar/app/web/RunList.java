package io.mlestar.app.web;

import io.mlestar.core.base.Sha256;
import io.mlestar.show.view.RunFigures;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// The newest runs of all, or of those with a text in their or their tasks' names.
///
/// @param text empty for all runs
/// @param more how many come after these
public record RunList(List<RunFigures> runs, String text, int more) {
    static final int SHORT = 100;

    static RunList of(LiveRunCache cache, String text, int limit) {
        List<String> found = cache.newestFirst(text);
        List<RunFigures> shown =
                found.stream().limit(limit).map(cache::figures).flatMap(Optional::stream).toList();
        return new RunList(shown, text, Math.max(0, found.size() - limit));
    }

    /// A digest of all that it shows, but how long runs have lasted.
    String version() {
        return Sha256.hex(toString().getBytes(StandardCharsets.UTF_8));
    }

    /// The address of the same list with more runs.
    public String longer() {
        return "/?text=" + URLEncoder.encode(text, StandardCharsets.UTF_8) + "&limit="
                + (runs.size() + SHORT);
    }

    /// True if the store has no run.
    public boolean isEmpty() {
        return runs.isEmpty() && more == 0 && text.isEmpty();
    }
}
