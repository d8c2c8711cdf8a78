package io.mlestar.show.view;

import io.mlestar.show.render.Formats;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The runs of a store as a table for a terminal.
public final class RunTable {
    private static final List<String> HEAD =
            List.of("RUN", "STATE", "PHASE", "SCORE", "COST", "ELAPSED", "STARTED");
    private static final DateTimeFormatter STARTED =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

    private RunTable() {}

    /// @param zone in which the start is shown
    public static String of(List<RunState> runs, ZoneId zone) {
        List<List<String>> rows = new ArrayList<>(List.of(HEAD));
        runs.forEach(run -> rows.add(run.startedAt().isEmpty()
                ? List.of(run.runId(), run.status().toString(), "-", "-", run.cost(), "-",
                        run.error())
                : List.of(run.runId(), run.status().toString(), run.currentPhase().orElse(""),
                        Formats.score(run.bestScoreSoFar()), run.cost(),
                        Formats.duration(run.elapsedSeconds()),
                        STARTED.format(run.startedAt().get().atZone(zone)))));
        return aligned(rows);
    }

    /// Rows of as many cells each, in columns.
    static String aligned(List<List<String>> rows) {
        int[] widths = IntStream.range(0, rows.getFirst().size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream()
                .map(row -> IntStream.range(0, widths.length)
                        .mapToObj(column -> padded(row.get(column), widths[column]))
                        .collect(Collectors.joining("  "))
                        .stripTrailing())
                .collect(Collectors.joining("\n"));
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length());
    }
}
