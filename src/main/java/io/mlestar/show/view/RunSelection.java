package io.mlestar.show.view;

import io.mlestar.core.base.Invalid;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Which runs a list shows, and in which order.
///
/// @param sort by what
/// @param ascending the lowest first
/// @param state empty for all
/// @param text part of the run's or the task's name; empty for all
public record RunSelection(Column sort, boolean ascending, String state, String text) {
    private static final int LONGEST = 100;

    /// What a list of runs is sorted by.
    public enum Column {
        RUN("Run", true), STATE("State", true), PHASE("Phase", true), SCORE("Score", false), COST("Cost", false), ELAPSED("Elapsed", false),
        STARTED("Started", false);

        private final String title;
        /// Whether the first click sorts the lowest first.
        private final boolean upwards;

        Column(String title, boolean upwards) {
            this.title = title;
            this.upwards = upwards;
        }

        private Comparator<RunFigures> order(Instant now) {
            return switch (this) {
                case RUN -> Comparator.comparing(RunFigures::runId, String.CASE_INSENSITIVE_ORDER);
                case STATE -> Comparator.comparing(RunFigures::stateWords);
                case PHASE -> Comparator.comparing(RunFigures::phaseTitle);
                case SCORE -> Comparator.comparing(RunFigures::bestScoreSoFar, Comparator.nullsFirst(Comparator.naturalOrder()));
                case COST -> Comparator.comparingDouble(RunFigures::knownCostUsd);
                case ELAPSED -> Comparator.comparingDouble(run -> run.elapsedSeconds(now));
                case STARTED -> Comparator.comparing(RunFigures::startedAt);
            };
        }

        public String title() {
            return title;
        }

        public String parameter() {
            return name().toLowerCase(Locale.ROOT);
        }

        public boolean isNumber() {
            return this == SCORE || this == COST || this == ELAPSED;
        }
    }

    /// All, the newest first.
    public static final RunSelection ALL = new RunSelection(Column.STARTED, false, "", "");

    /// As an address says it.
    ///
    /// @param sort null or empty for the time of the start
    /// @param order `asc`, `desc`, or null or empty for what suits the column
    /// @throws Invalid if it says something else
    public static RunSelection of(@Nullable String sort, @Nullable String order, @Nullable String state, @Nullable String text) {
        Column column = given(sort).isEmpty() ? Column.STARTED : Arrays.stream(Column.values()).filter(one -> one.parameter().equals(sort)).findFirst()
                .orElseThrow(
                        () -> new Invalid("sort must be one of " + Arrays.stream(Column.values()).map(Column::parameter).collect(Collectors.joining(", "))));
        boolean ascending = switch (given(order)) {
            case "" -> column.upwards;
            case "asc" -> true;
            case "desc" -> false;
            default -> throw new Invalid("order must be asc or desc");
        };
        if (!given(state).isEmpty() && !states().contains(given(state))) {
            throw new Invalid("state must be one of " + String.join(", ", states()));
        }
        if (given(text).length() > LONGEST) {
            throw new Invalid("text may have " + LONGEST + " characters at most");
        }
        return new RunSelection(column, ascending, given(state), given(text).strip());
    }

    private static String given(@Nullable String value) {
        return value == null ? "" : value;
    }

    public static List<String> states() {
        return Arrays.stream(RunStatus.values()).map(RunStatus::toString).toList();
    }

    /// Whether all runs are shown, the newest first: then only those of one page need to be looked at.
    public boolean isAll() {
        return equals(ALL);
    }

    /// Those that it selects, in order.
    public List<RunFigures> of(List<RunFigures> runs, Instant now) {
        String part = text.toLowerCase(Locale.ROOT);
        Comparator<RunFigures> order = ascending ? sort.order(now) : sort.order(now).reversed();
        return runs.stream().filter(run -> state.isEmpty() || run.state().toString().equals(state))
                .filter(run -> run.runId().toLowerCase(Locale.ROOT).contains(part) || run.competitionId().toLowerCase(Locale.ROOT).contains(part))
                .sorted(order.thenComparing(Comparator.comparing(RunFigures::startedAt).reversed())).toList();
    }

    /// The same, sorted by a column; again by the same column means the other way round.
    public RunSelection by(Column column) {
        return new RunSelection(column, column == sort ? !ascending : column.upwards, state, text);
    }

    /// As part of an address.
    public String query() {
        return "sort=" + sort.parameter() + "&order=" + (ascending ? "asc" : "desc") + "&state=" + state + "&text="
                + URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /// The value of `aria-sort` of a column.
    public String ariaSort(Column column) {
        return column != sort ? "none" : ascending ? "ascending" : "descending";
    }
}
