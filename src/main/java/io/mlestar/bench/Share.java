package io.mlestar.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A share of a split's competitions, in percent, as MLE-bench's leaderboard gives it: the mean over seeds, and its standard error.
///
/// @param standardError of the mean, by the sample's deviation; null with one seed, which says nothing of it
/// @param seeds that have a result in each of the competitions
public record Share(double mean, @Nullable Double standardError, int seeds) {
    private static final double PERCENT = 100;

    /// @param cells of one contestant
    /// @param competitions of the split
    /// @param is whether a cell is one of those that are counted; null if nobody can tell
    /// @return empty if no seed is complete
    static Optional<Share> of(Collection<Cell> cells, List<String> competitions, Function<Cell, @Nullable Boolean> is) {
        Map<Integer, List<Cell>> bySeed = cells.stream().filter(cell -> cell.counts() && competitions.contains(cell.competition()))
                .collect(Collectors.groupingBy(Cell::seed, TreeMap::new, Collectors.toList()));
        List<Double> shares = new ArrayList<>();
        for (List<Cell> seed : bySeed.values()) {
            List<Boolean> known = seed.stream().map(is).filter(Objects::nonNull).toList();
            if (!competitions.isEmpty() && known.size() == competitions.size()) {
                shares.add(PERCENT * known.stream().filter(Boolean::booleanValue).count() / competitions.size());
            }
        }
        return of(shares);
    }

    static Optional<Share> of(List<Double> values) {
        if (values.isEmpty()) {
            return Optional.empty();
        }
        double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        double squares = values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
        int count = values.size();
        return Optional.of(new Share(mean, count == 1 ? null : Math.sqrt(squares / (count - 1) / count), count));
    }

    /// As a leaderboard shows it, e.g. `68.18 ± 2.62`.
    public String words() {
        return String.format(Locale.ROOT, "%.2f", mean) + (standardError == null ? "" : String.format(Locale.ROOT, " ± %.2f", standardError));
    }
}
