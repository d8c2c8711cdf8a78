package io.mlestar.bench;

import io.mlestar.grade.Grade;
import io.mlestar.render.Formats;
import io.mlestar.report.Report;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The table of a benchmark as a page, ready for the template, which reads the records by reflection.
///
/// @param said one sentence on how much of the table is filled
/// @param titles of the splits
/// @param standings a line for each contestant
/// @param rows a line for each cell that anybody has run or shall run
/// @param replayed runs of recorded answers, which count nowhere
@RegisterForReflection(targets = {BenchPage.class, BenchPage.Standing.class, BenchPage.CellRow.class, BenchPage.Replayed.class})
public record BenchPage(String said, List<String> titles, List<Standing> standings, List<CellRow> rows, List<Replayed> replayed) {
    private static final int LONGEST_NOTE = 200;
    private static final double SECONDS_OF_AN_HOUR = 3600;

    /// A contestant as the leaderboard has it.
    ///
    /// @param shares with any medal, by split; empty texts where no seed is complete
    public record Standing(String contestant, String models, List<String> shares, String valid, String aboveMedian, String hours, String dollars) {}

    /// A cell. All texts but the first three are empty if nobody has run it.
    ///
    /// @param thresholds what gold, silver, bronze and the median ask
    public record CellRow(String contestant, String competition, int seed, String state, String valid, String score, String thresholds, String medal,
            String hours, String dollars, String tokens, String note) {}

    /// What a replayed run shows of the machinery.
    public record Replayed(String competition, int seed, String score, String time, String note) {}

    static BenchPage of(BenchTable table) {
        List<CellRow> rows = table.contestants().stream().flatMap(contestant -> table.competitions().stream()
                .flatMap(competition -> IntStream.rangeClosed(1, table.seeds()).mapToObj(seed -> row(table, contestant, competition, seed)))).toList();
        List<Replayed> replayed = table.cells().stream().filter(cell -> !cell.counts()).map(cell -> new Replayed(cell.competition(), cell.seed(),
                number(cell.assessment().score()), Formats.duration(cell.hours() * SECONDS_OF_AN_HOUR), note(cell))).toList();
        long done = rows.stream().filter(row -> row.state().equals("done")).count();
        return new BenchPage(done + " of " + rows.size() + " cells have a result", table.splits().stream().map(Split::title).toList(),
                table.contestants().stream().map(contestant -> standing(table, contestant)).toList(), rows, replayed);
    }

    private static Standing standing(BenchTable table, String contestant) {
        return new Standing(contestant, table.models(contestant),
                table.splits().stream().map(split -> table.medals(contestant, split).map(Share::words).orElse("")).toList(),
                Share.of(table.of(contestant), table.competitions(), cell -> cell.assessment().valid()).map(Share::words).orElse(""),
                Share.of(table.of(contestant), table.competitions(), cell -> cell.submitted() ? cell.assessment().aboveMedian() : Boolean.FALSE)
                        .map(Share::words).orElse(""),
                table.hours(contestant), table.dollars(contestant).map(Formats::dollars).orElse(""));
    }

    private static CellRow row(BenchTable table, String contestant, String competition, int seed) {
        Cell cell = table.cell(contestant, competition, seed).orElse(null);
        if (cell == null || !cell.counts()) {
            return new CellRow(contestant, competition, seed, cell == null ? "" : "recorded", "", "", "", "", "", "", "", "");
        }
        Assessment assessment = cell.assessment();
        return new CellRow(contestant, competition, seed, "done",
                !cell.submitted() ? "none" : assessment.valid() == null ? "unknown" : assessment.valid() ? "valid" : "invalid",
                number(assessment.score()), thresholds(assessment.thresholds()),
                assessment.medal() != null ? assessment.medal() : assessment.thresholds() == null ? "" : "none",
                String.format(Locale.ROOT, "%.2f", cell.hours()), Formats.dollars(cell.costUsd()),
                String.format(Locale.ROOT, "%,d + %,d", cell.inputTokens(), cell.outputTokens()), note(cell));
    }

    private static String note(Cell cell) {
        return Formats.line(cell.assessment().note(), LONGEST_NOTE);
    }

    private static String number(@Nullable Double score) {
        return score == null ? "" : Formats.score(score);
    }

    private static String thresholds(Grade.@Nullable Medals at) {
        if (at == null) {
            return "";
        }
        List<String> said = new ArrayList<>();
        Stream.of(at.gold(), at.silver(), at.bronze(), at.median()).forEach(score -> said.add(score == null ? "–" : Formats.score(score)));
        return String.join(" / ", said);
    }

    /// One file that opens from disk.
    public static String html(BenchTable table) {
        return Report.page("bench.html", "bench", of(table));
    }
}
