package io.mlestar.core.base;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
    private static final Pattern ROW =
            Pattern.compile("(-?" + NUMBER + ") +(first|[+-]" + NUMBER + "(?= ±)) ");
    /// Their last line but one names the variants that lead by more than luck does.
    private static final String SHOWN = "; shown to be better: ";
    private static final String NONE = SHOWN + "none\n";
    private static final int BEST_ROWS = 3;
    /// The share of the room that names of rows take which are left out: one of so many parts.
    private static final int NAMES = 5;

    private OutputExcerpt() {}

    /// Shortens an output to `most` characters. The rows of its tables that gained least on
    /// the first variant go first; their names stay, so that no agent tries them again. Then lines
    /// of the middle go: what a script concludes, such as means of several variants, can only come
    /// last.
    public static String of(String printed, int most) {
        List<String> lines = lines(printed);
        List<String> rows = leastGainFirst(lines);
        Set<String> leftOut = new LinkedHashSet<>();
        int length = length(lines);
        for (String row : rows.subList(0, Math.max(0, rows.size() - BEST_ROWS))) {
            if (length <= most) {
                break;
            }
            leftOut.add(row);
            length -= row.length() + 1;
        }
        List<String> kept = new ArrayList<>(lines);
        kept.removeIf(leftOut::contains);
        if (!leftOut.isEmpty()) {
            String names =
                    leftOut.stream().map(OutputExcerpt::name).collect(Collectors.joining(", "));
            kept.add("… (least gain, left out: " + Excerpt.clip(names, most / NAMES) + ")");
        }
        return ends(kept, most);
    }

    /// The name of a variant, which is the last column, and its gain, which is the second.
    private static String name(String row) {
        return row.substring(row.lastIndexOf("  ") + 2) + " " + row.split(" +", 3)[1];
    }

    /// The rows of tables of the module `variants`, by their gain as a share of its first score.
    private static List<String> leastGainFirst(List<String> lines) {
        Map<String, Double> gains = new LinkedHashMap<>();
        double first = 1;
        for (String line : lines) {
            Matcher row = ROW.matcher(line);
            if (!row.lookingAt()) {
                continue;
            }
            if (row.group(2).equals("first")) {
                first = Math.max(Double.MIN_NORMAL, Math.abs(Double.parseDouble(row.group(1))));
            } else {
                gains.put(line, Double.parseDouble(row.group(2)) / first);
            }
        }
        return gains.entrySet()
                .stream()
                .sorted(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .toList();
    }

    /// The rows of tables go before what explains them, of which the first and the last lines stay.
    private static String ends(List<String> lines, int most) {
        // A little more than `most` is allowed: a note on what is missing would be as long.
        if (length(lines) <= most + most / 8) {
            return String.join("\n", lines);
        }
        List<String> table = lines.stream().filter(OutputExcerpt::isOfTable).toList();
        List<String> rows = table.subList(0, fitting(table, most));
        List<String> others = lines.stream().filter(line -> !isOfTable(line)).toList();
        int room = most - length(rows);
        int last = others.size() - fitting(others.reversed(), room / 3);
        int first = fitting(others.subList(0, last),
                room - length(others.subList(last, others.size())));
        Set<String> kept = new HashSet<>(rows);
        kept.addAll(others.subList(0, first));
        kept.addAll(others.subList(last, others.size()));
        String gap = "… (" + (lines.size() - kept.size()) + " lines left out)";
        return lines.stream()
                .map(line -> kept.contains(line) ? line : gap)
                .distinct()
                .collect(Collectors.joining("\n"));
    }

    private static boolean isOfTable(String line) {
        return ROW.matcher(line).lookingAt() || line.startsWith("score  ");
    }

    /// Counts the first lines that fit into `most` characters.
    private static int fitting(List<String> lines, int most) {
        int end = 0;
        for (int room = most; end < lines.size() && lines.get(end).length() < room; end++) {
            room -= lines.get(end).length() + 1;
        }
        return end;
    }

    /// Whole parts, as many as there is room for: a heading goes with the lines under it or not at
    /// all. One part that is longer than the room is told as [#of].
    public static String parts(String printed, int most) {
        List<List<String>> parts = parts(plain(printed));
        List<String> kept = new ArrayList<>();
        int room = most;
        int left = 0;
        for (List<String> part : parts) {
            if (length(part) > room) {
                left++;
                continue;
            }
            kept.addAll(part);
            room -= length(part);
        }
        if (kept.isEmpty()) {
            return of(printed, most);
        }
        return String.join("\n", kept) + (left == 0 ? "" : "\n… (parts left out: " + left + ")");
    }

    /// A part ends with an empty line, and before a line that ends with a colon.
    private static List<List<String>> parts(String text) {
        List<List<String>> parts = new ArrayList<>();
        boolean isNew = true;
        for (String line : text.lines().map(OutputExcerpt::told).toList()) {
            if (isNew || line.endsWith(":")) {
                parts.add(new ArrayList<>());
            }
            isNew = line.isEmpty();
            if (!isNew) {
                parts.getLast().add(line);
            }
        }
        return parts;
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
        return (int) printed.lines()
                .filter(line -> isOfTable(line) && line.contains("±"))
                .count();
    }

    /// True if it compares variants with a first one, and names none as better.
    public static boolean isNull(String printed) {
        return printed.contains(NONE) && !printed.replace(NONE, "").contains(SHOWN);
    }

    private static int length(List<String> lines) {
        return lines.stream().mapToInt(line -> line.length() + 1).sum();
    }
}
