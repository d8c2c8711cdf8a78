package io.mlestar.bench;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.mlestar.grade.Grade;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The table of a benchmark: what is known of each cell, and of all together. A cell that nobody has run is empty, and so is one that was replayed,
/// but that it says so.
///
/// @param competitions by name
/// @param seeds each contestant has so many cells in a competition
public record BenchTable(List<Split> splits, List<String> competitions, List<String> contestants, int seeds, List<Cell> cells) {
    /// Of the figures of each cell.
    public static final List<String> COLUMNS =
            List.of("agent", "competition", "seed", "run", "models", "state", "submission", "valid", "score", "gold", "silver",
                    "bronze", "median", "medal", "above_median", "hours", "cost_usd", "input_tokens", "output_tokens", "note");
    private static final int MODELS = 4;

    /// A cell by its place; empty if nobody has run it.
    Optional<Cell> cell(String contestant, String competition, int seed) {
        return cells.stream().filter(cell -> cell.contestant().equals(contestant) && cell.competition().equals(competition) && cell.seed() == seed).findFirst();
    }

    List<Cell> of(String contestant) {
        return cells.stream().filter(cell -> cell.contestant().equals(contestant)).toList();
    }

    /// One line for each cell, run or not.
    public String cellsCsv() {
        List<List<String>> rows = new ArrayList<>(List.of(COLUMNS));
        for (String contestant : contestants) {
            for (String competition : competitions) {
                IntStream.rangeClosed(1, seeds).mapToObj(seed -> row(contestant, competition, seed)).forEach(rows::add);
            }
        }
        return csv(rows);
    }

    private List<String> row(String contestant, String competition, int seed) {
        Cell cell = cell(contestant, competition, seed).orElse(null);
        List<String> row = new ArrayList<>(List.of(contestant, competition, String.valueOf(seed)));
        if (cell == null || !cell.counts()) {
            row.addAll(cell == null ? List.of("", "", "not run") : List.of(text(cell.run()), cell.models(), "recorded"));
        } else {
            Assessment assessment = cell.assessment();
            Grade.Medals at = assessment.thresholds();
            row.addAll(List.of(text(cell.run()), cell.models(), "done", String.valueOf(cell.submitted()), text(assessment.valid()), text(assessment.score()),
                    text(at == null ? null : at.gold()), text(at == null ? null : at.silver()), text(at == null ? null : at.bronze()),
                    text(at == null ? null : at.median()), text(assessment.medal()), text(assessment.aboveMedian()),
                    String.format(Locale.ROOT, "%.4f", cell.hours()),
                    text(cell.costUsd()), String.valueOf(cell.inputTokens()), String.valueOf(cell.outputTokens()), assessment.note()));
        }
        while (row.size() < COLUMNS.size()) {
            row.add("");
        }
        return row;
    }

    /// One line for each contestant, with the columns of MLE-bench's leaderboard that can be known here: any medal in percent, by split.
    public String leaderboardCsv() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(Stream.of(Stream.of("Agent", "LLM(s) used"), splits.stream().map(Split::title), Stream.of("Running Time (hours)", "Date"))
                .flatMap(part -> part).toList());
        contestants.forEach(contestant -> rows.add(Stream.of(Stream.of(contestant, models(contestant)), splits.stream().map(split -> medals(contestant, split)
                .map(Share::words).orElse("")), Stream.of(hours(contestant), date(contestant))).flatMap(part -> part).toList()));
        return csv(rows);
    }

    Optional<Share> medals(String contestant, Split split) {
        return Share.of(of(contestant), split.competitions(), Cell::anyMedal);
    }

    private Stream<Cell> counted(String contestant) {
        return of(contestant).stream().filter(Cell::counts);
    }

    String models(String contestant) {
        List<String> models = counted(contestant).flatMap(cell -> Arrays.stream(cell.models().split(", ", 0))).filter(name -> !name.isEmpty()).distinct()
                .sorted().toList();
        return models.stream().limit(MODELS).collect(Collectors.joining(", ")) + (models.size() > MODELS ? ", …" : "");
    }

    /// The longest of the cells that count; empty without any.
    String hours(String contestant) {
        return counted(contestant).map(Cell::hours).max(Comparator.naturalOrder()).map(hours -> String.format(Locale.ROOT, "%.2f", hours)).orElse("");
    }

    private String date(String contestant) {
        return counted(contestant).map(Cell::endedAt).max(Comparator.naturalOrder()).map(end -> LocalDate.ofInstant(end, ZoneOffset.UTC).toString()).orElse("");
    }

    /// Dollars of all cells that count; empty without any, or if a price is unknown.
    Optional<Double> dollars(String contestant) {
        List<Double> costs = new ArrayList<>(counted(contestant).map(Cell::costUsd).toList());
        return costs.isEmpty() || costs.stream().anyMatch(Objects::isNull) ? Optional.empty()
                : Optional.of(costs.stream().mapToDouble(Double::doubleValue).sum());
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    private static String csv(List<List<String>> rows) {
        StringWriter text = new StringWriter();
        try (CsvWriter writer = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(text)) {
            rows.forEach(writer::writeRecord);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
