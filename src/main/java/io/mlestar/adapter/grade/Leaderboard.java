package io.mlestar.adapter.grade;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.task.MetricDirection;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A competition's final ranking, from which MLE-bench takes the scores that earn a medal (arXiv:2410.07095, section 2.2; Kaggle's own rules by
/// the number of teams).
///
/// @param what it is called in messages
/// @param scores of the teams, the winner's first; NaN for a team without one
public record Leaderboard(String what, List<Double> scores) {
    private static final String SCORE = "score";

    /// Reads a CSV file with a column `score`, or `Score` as Kaggle writes it, the winner in the first row.
    ///
    /// @throws Invalid if it is no such file
    public static Leaderboard read(Path file) {
        return of("leaderboard " + file, Table.open("leaderboard " + file, file));
    }

    static Leaderboard of(String what, InputStream csv) {
        List<List<String>> lines = new ArrayList<>();
        Table.lines(what, csv, null, line -> lines.add(line.getFields()));
        int column = lines.isEmpty() ? -1 : lines.getFirst().stream().map(name -> name.strip().toLowerCase(Locale.ROOT)).toList().indexOf(SCORE);
        if (column < 0) {
            throw new Invalid(what + " has no column score");
        }
        if (lines.size() == 1) {
            throw new Invalid(what + " holds no team");
        }
        return new Leaderboard(what, lines.stream().skip(1)
                .map(fields -> column < fields.size() ? Submissions.number(fields.get(column).strip()) : Double.NaN).toList());
    }

    /// Which scores the ranking puts first; empty if the first and the last are equal.
    public Optional<MetricDirection> direction() {
        double best = scores.getFirst();
        double worst = scores.getLast();
        return best < worst ? Optional.of(MetricDirection.MINIMIZE) : best > worst ? Optional.of(MetricDirection.MAXIMIZE) : Optional.empty();
    }

    /// What earns medals in a competition of this metric.
    ///
    /// @throws Invalid if the ranking puts other scores first than the metric does
    public Grade.Medals medals(MetricDirection metric) {
        if (direction().filter(ranked -> ranked != metric).isPresent()) {
            throw new Invalid(what + " ranks " + direction().orElseThrow().better() + " scores first, but the metric says that a " + metric.better()
                    + " one is better");
        }
        int teams = scores.size();
        // The shares are cut off, as the benchmark does it: 0.2 of 14 teams are two.
        int tenth = (int) (teams * 0.1);
        int fifth = (int) (teams * 0.2);
        int more = (int) (teams * 0.002);
        return teams < 100 ? medals(tenth, fifth, (int) (teams * 0.4)) : teams < 250 ? medals(10, fifth, (int) (teams * 0.4))
                : teams < 1000 ? medals(10 + more, 50, 100) : medals(10 + more, (int) (teams * 0.05), tenth);
    }

    private Grade.Medals medals(int gold, int silver, int bronze) {
        double[] sorted = scores.stream().mapToDouble(Double::doubleValue).filter(score -> !Double.isNaN(score)).sorted().toArray();
        Double median = sorted.length == 0 ? null : Arrays.stream(sorted, (sorted.length - 1) / 2, sorted.length / 2 + 1).average().orElseThrow();
        return new Grade.Medals(at(gold), at(silver), at(bronze), median);
    }

    /// @param rank the first place stands for every smaller one
    private @Nullable Double at(int rank) {
        double score = scores.get(Math.max(1, rank) - 1);
        return Double.isNaN(score) ? null : score;
    }
}
