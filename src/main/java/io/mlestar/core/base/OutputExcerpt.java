package io.mlestar.core.base;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// An excerpt of what a script printed, within bounds. Each line appears once, since libraries
/// print the same warning for every fit.
public final class OutputExcerpt {
    private static final int LONGEST_LINE = 300;
    /// A row of the tables that `variants.py` prints begins with the score of a variant and its
    /// gain.
    private static final String NUMBER = "\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?";
    private static final String GAIN = "([+-]" + NUMBER + ") ± (" + NUMBER + ")";
    private static final Pattern ROW = Pattern.compile("-?" + NUMBER + " +(?:first|" + GAIN + ")");
    /// Their last line but one names the variants that lead by more than luck does.
    private static final String SHOWN = "; shown to be better: ";
    private static final String LEFT_OUT = "… (least gain, left out: ";
    private static final Pattern BETWEEN_WORDS = Pattern.compile("\\W+");
    /// A part ends with empty lines, and before a line that ends with a colon.
    private static final Pattern BETWEEN_PARTS = Pattern.compile("\n{2,}|\n(?=.*:(?:\n|$))");
    private static final int BEST_ROWS = 3;
    /// No more rows than these are left out; a study prints 25.
    private static final int MOST_ROWS = 99;
    /// The share of the room that names of rows take which are left out: one of so many parts.
    private static final int NAMES = 4;

    private OutputExcerpt() {}

    /// Shortens an output to `most` characters. The rows of its tables that gained least on
    /// the first variant go first; their names stay, so that no agent tries them again. Then lines
    /// of the middle go: what a script concludes, such as means of several variants, can only come
    /// last.
    public static String of(String printed, int most) {
        List<String> lines = lines(printed);
        List<String> rows = leastGainFirst(lines);
        List<String> kept = lines;
        for (int out = 1; length(kept) > most && out <= rows.size() - BEST_ROWS; out++) {
            kept = without(rows.subList(0, out), lines, most);
        }
        return ends(kept, most);
    }

    /// Without these rows, and without code (`idle = log1p(days)`) whose name no other line has.
    private static List<String> without(List<String> rows, List<String> lines, int most) {
        List<String> kept = new ArrayList<>(lines);
        kept.removeAll(new HashSet<>(rows));
        Map<String, Long> words = kept.stream()
                .flatMap(BETWEEN_WORDS::splitAsStream)
                .collect(Collectors.groupingBy(word -> word, Collectors.counting()));
        kept.removeIf(line -> line.contains(" = ")
                && words.getOrDefault(line.split(" = ", 2)[0], 2L) == 1);
        String names = rows.stream().map(OutputExcerpt::name).collect(Collectors.joining(", "));
        kept.add(LEFT_OUT + Excerpt.clip(names, most / NAMES) + ")");
        return kept;
    }

    /// The name of a variant, which is the last column, and its gain, which is the second.
    private static String name(String row) {
        return row.substring(row.lastIndexOf("  ") + 2) + " " + row.split(" +", 3)[1];
    }

    /// The rows of tables of the module `variants` that have a gain, by it in errors.
    private static List<String> leastGainFirst(List<String> lines) {
        return lines.stream()
                .filter(OutputExcerpt::hasGain)
                .sorted(Comparator.comparingDouble(OutputExcerpt::gain))
                .limit(MOST_ROWS)
                .toList();
    }

    private static boolean hasGain(String line) {
        Matcher row = ROW.matcher(line);
        return row.lookingAt() && row.group(1) != null;
    }

    private static double gain(String line) {
        Matcher row = ROW.matcher(line);
        row.lookingAt();
        return Double.parseDouble(row.group(1)) / Double.parseDouble(row.group(2));
    }

    /// The rows of tables go before what explains them, of which the first and the last lines stay.
    private static String ends(List<String> lines, int most) {
        // A little more than `most` is allowed: a note on what is missing would be as long.
        if (length(lines) <= most + most / 8) {
            return String.join("\n", lines);
        }
        List<String> rows =
                fitting(lines.stream().filter(OutputExcerpt::isOfTable).toList(), most);
        List<String> others = lines.stream().filter(line -> !isOfTable(line)).toList();
        int room = most - length(rows);
        List<String> last = fitting(others.reversed(), room / 3);
        Set<String> kept = new HashSet<>(fitting(others, room - length(last)));
        kept.addAll(rows);
        kept.addAll(last);
        String gap = "… (" + (lines.size() - kept.size()) + " lines left out)";
        return lines.stream()
                .map(line -> kept.contains(line) ? line : gap)
                .distinct()
                .collect(Collectors.joining("\n"));
    }

    private static boolean isOfTable(String line) {
        return ROW.matcher(line).lookingAt() || line.startsWith("score  ")
                || line.startsWith(LEFT_OUT) || line.contains(SHOWN);
    }

    /// The first lines, as many as fit into `most` characters.
    private static List<String> fitting(List<String> lines, int most) {
        int end = 0;
        for (int room = most; end < lines.size() && lines.get(end).length() < room; end++) {
            room -= lines.get(end).length() + 1;
        }
        return lines.subList(0, end);
    }

    /// Whole parts, as many as there is room for: a heading goes with the lines under it or not at
    /// all. One part that is longer than the room is told as [#of].
    public static String parts(String printed, int most) {
        String text = plain(printed).strip()
                .lines()
                .map(OutputExcerpt::told)
                .collect(Collectors.joining("\n"));
        List<String> kept = new ArrayList<>();
        int left = 0;
        for (String part : BETWEEN_PARTS.split(text, -1)) {
            if (length(kept) + part.length() < most) {
                kept.add(part);
            } else {
                left++;
            }
        }
        if (kept.isEmpty()) {
            return of(printed, most);
        }
        return String.join("\n", kept) + (left == 0 ? "" : "\n… (parts left out: " + left + ")");
    }

    private static String plain(String printed) {
        return printed.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}&&[^\n\t]]+", "").replace('`', '\'');
    }

    private static List<String> lines(String printed) {
        return plain(printed).lines()
                .map(OutputExcerpt::told)
                .filter(line -> !line.isBlank())
                .distinct()
                .toList();
    }

    /// The columns of a table need no more than two blanks between them.
    private static String told(String line) {
        String bare = isOfTable(line) ? line.replaceAll(" {3,}", "  ") : line;
        return Excerpt.clip(bare.stripTrailing(), LONGEST_LINE);
    }

    /// Counts the variants that an output compares with a first one.
    public static int compared(String printed) {
        return (int) printed.lines().filter(OutputExcerpt::hasGain).count();
    }

    /// True if it compares variants with a first one, and names none as better.
    public static boolean isNull(String printed) {
        return printed.contains(SHOWN) && !printed.replace(SHOWN + "none\n", "").contains(SHOWN);
    }

    private static int length(List<String> lines) {
        return lines.stream().mapToInt(line -> line.length() + 1).sum();
    }
}
