package io.mlestar.core.task;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Finds a code block that an agent copied out of a script, and fits what takes its place. Models
/// add and lose line ends and the indentation of the first line; neither may join lines of the
/// script, or leave a line half replaced.
public final class Blocks {
    private Blocks() {}

    /// The block as it stands in the script, without the line ends around it. Whole lines come
    /// first, since `x = 1` is a part of `max = 1`, too: equal but for white space at the ends of
    /// lines (REQ-P2O-018), or else but for the indentation of the first line, which then belongs
    /// to the block. What stands only within lines is taken exactly (REQ-P2O-017).
    public static Optional<String> locate(String copied, String script) {
        String bare = bare(copied);
        if (bare.isEmpty()) {
            return Optional.empty();
        }
        String[] wanted = stripped(bare);
        String[] lines = script.split("\n", -1);
        String[] stripped = stripped(script);
        return lines(wanted, stripped, lines, String::equals)
                .or(() -> lines(wanted, stripped, lines,
                        (line, first) -> line.endsWith(first)
                                && line.substring(0, line.length() - first.length()).isBlank()))
                .or(() -> Optional.of(bare).filter(block -> isWithin(block, lines)));
    }

    /// True if the block stands among the lines exactly, though it begins or ends in the middle of
    /// one.
    private static boolean isWithin(String block, String[] lines) {
        String[] wanted = block.split("\n", -1);
        int last = wanted.length - 1;
        if (last == 0) {
            return Arrays.stream(lines).anyMatch(line -> line.contains(block));
        }
        int[] places = places(Arrays.copyOf(wanted, last), lines, String::endsWith);
        return Arrays.stream(places)
                .anyMatch(at -> at + last < lines.length
                        && lines[at + last].startsWith(wanted[last]));
    }

    private static Optional<String> lines(
            String[] wanted,
            String[] stripped,
            String[] lines,
            BiPredicate<String, String> isFirst) {
        int[] places = places(wanted, stripped, isFirst);
        return places.length == 0
                ? Optional.empty()
                : Optional.of(withoutReturn(
                        String.join("\n",
                                Arrays.copyOfRange(lines, places[0], places[0] + wanted.length))));
    }

    /// The indices at which the wanted lines stand among others, by Knuth, Morris and Pratt: linear
    /// time even for texts that repeat themselves.
    ///
    /// @param isFirst whether a line may stand for the first of those wanted; all the others have
    ///   to be equal
    static int[] places(String[] wanted, String[] lines, BiPredicate<String, String> isFirst) {
        String[] rest = Arrays.copyOfRange(wanted, 1, wanted.length);
        int[] borders = borders(rest);
        IntStream.Builder places = IntStream.builder();
        int matched = 0;
        for (int at = 0; at < lines.length; at++) {
            if (at > 0 || rest.length == 0) {
                matched = next(rest, borders, matched, lines[at]);
            }
            int first = at - rest.length;
            if (matched == rest.length && first >= 0 && isFirst.test(lines[first], wanted[0])) {
                places.add(first);
            }
        }
        return places.build().toArray();
    }

    /// The failure function of the search: for each beginning of the lines the length of the
    /// longest shorter beginning that also ends it.
    private static int[] borders(String[] lines) {
        int[] borders = new int[lines.length];
        for (int at = 1; at < lines.length; at++) {
            borders[at] = next(lines, borders, borders[at - 1], lines[at]);
        }
        return borders;
    }

    /// The number of wanted lines that are matched after one more line.
    private static int next(String[] wanted, int[] borders, int before, String line) {
        int matched = before;
        while (matched > 0 && (matched == wanted.length || !wanted[matched].equals(line))) {
            matched = borders[matched - 1];
        }
        return matched < wanted.length && wanted[matched].equals(line) ? matched + 1 : matched;
    }

    /// The index of a block in a script: the first place where it stands as whole lines, else its
    /// first place of all; -1 if it is empty or not there.
    public static int indexOf(String block, String script) {
        String lines = "\n" + script;
        for (int at = lines.indexOf("\n" + block); at >= 0 && !block.isEmpty(); at =
                lines.indexOf("\n" + block, at + 1)) {
            if (isOfLines(block, at, script)) {
                return at;
            }
        }
        return block.isEmpty() ? -1 : script.indexOf(block);
    }

    /// True if the block stands there as whole lines.
    public static boolean isOfLines(String block, int at, String script) {
        int end = at + block.length();
        return (at == 0 || script.charAt(at - 1) == '\n')
                && (end == script.length() || script.startsWith("\n", end)
                        || script.startsWith("\r\n", end));
    }

    /// An agent's answer in the form in which it can take the place of a block: without line ends
    /// around it, and indented as the block where it stands further left than any line of that.
    /// Then either its first line alone has lost its indentation, or all of them have.
    ///
    /// @param block as it stands in the script
    public static String fitted(String block, String answer) {
        String bare = bare(block.contains("\r\n") ? answer : answer.replace("\r\n", "\n"));
        String indent = indent(block);
        int least =
                block.lines()
                        .filter(line -> !line.isBlank())
                        .mapToInt(line -> indent(line).length())
                        .min()
                        .orElse(0);
        String kept = indent(bare);
        if (kept.length() >= least || !indent.startsWith(kept)) {
            return bare;
        }
        String lost = indent.substring(kept.length());
        return lost + (isOneLineLost(bare, indent.length(), least)
                ? bare
                : bare.replaceAll("\n(?=[^\n]*\\S)", "\n" + lost));
    }

    /// True if only the first line lost its indent: the lines below it stand where the block's do.
    /// Below a colon they have to be indented more than the first.
    private static boolean isOneLineLost(String bare, int indent, int least) {
        int[] below =
                bare.lines()
                        .skip(1)
                        .filter(line -> !line.isBlank())
                        .mapToInt(line -> indent(line).length())
                        .toArray();
        boolean opens = bare.lines().findFirst().orElse("").stripTrailing().endsWith(":");
        return Arrays.stream(below).allMatch(length -> length >= least)
                && (!opens || below.length == 0 || below[0] > indent);
    }

    private static String indent(String line) {
        return line.substring(0, line.length() - line.stripLeading().length());
    }

    /// The code without blank lines at both ends, and without the end of the last line.
    private static String bare(String code) {
        String[] lines = code.split("\n", -1);
        int from = 0;
        int to = lines.length;
        while (from < to && lines[from].isBlank()) {
            from++;
        }
        while (to > from && lines[to - 1].isBlank()) {
            to--;
        }
        return withoutReturn(Arrays.stream(lines, from, to).collect(Collectors.joining("\n")));
    }

    private static String withoutReturn(String lines) {
        return lines.endsWith("\r") ? lines.substring(0, lines.length() - 1) : lines;
    }

    static String[] stripped(String text) {
        return Arrays.stream(text.split("\n", -1))
                .map(String::stripTrailing)
                .toArray(String[]::new);
    }
}
