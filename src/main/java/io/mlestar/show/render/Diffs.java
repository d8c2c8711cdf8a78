package io.mlestar.show.render;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.Patch;
import java.util.ArrayList;
import java.util.List;

/// Differences of texts by lines. Bounded: what is compared and what is shown.
public final class Diffs {
    private static final int CONTEXT = 3;
    private static final int MOST_LINES = 10_000;
    private static final int LONGEST_LINE = 400;

    /// One row of two columns.
    ///
    /// @param kind `same`, `changed`, `removed`, `added`, or `gap` for rows that are left out
    /// @param left text before; empty where there is none
    /// @param leftLine its number, from 1; empty where there is none
    public record DiffRow(String kind, String leftLine, Piece left, String rightLine, Piece right) {}

    /// A line in three parts, of which only the middle one differs from the other side.
    public record Piece(String head, String middle, String tail) {
        static final Piece NONE = new Piece("", "", "");

        static Piece whole(String line) {
            return new Piece(line, "", "");
        }
    }

    private Diffs() {}

    /// The differences in two columns, with three lines around each.
    ///
    /// @param most rows; what is beyond is replaced by one `gap`
    public static List<DiffRow> sideBySide(String before, String after, int most) {
        List<String> left = lines(before);
        List<String> right = lines(after);
        List<DiffRow> rows = new ArrayList<>();
        int at = 0;
        int shift = 0;
        for (AbstractDelta<String> delta : DiffUtils.diff(left, right).getDeltas()) {
            int start = delta.getSource().getPosition();
            around(left, at, start, shift, rows.isEmpty() ? 0 : CONTEXT, CONTEXT, rows);
            changed(delta, rows);
            at = start + delta.getSource().size();
            shift = delta.getTarget().getPosition() + delta.getTarget().size() - at;
            if (rows.size() > most) {
                List<DiffRow> cut = new ArrayList<>(rows.subList(0, most));
                cut.add(gap());
                return cut;
            }
        }
        if (!rows.isEmpty()) {
            around(left, at, left.size(), shift, CONTEXT, 0, rows);
        }
        return rows;
    }

    /// Lines that did not change: some after the last change, some before the next.
    private static void around(List<String> left, int from, int to, int shift, int after, int before, List<DiffRow> rows) {
        boolean gap = to - from > after + before;
        for (int i = from; i < to; i++) {
            if (gap && i == from + after) {
                rows.add(gap());
                i = to - before;
            }
            if (i < to) {
                String line = Formats.clip(left.get(i), LONGEST_LINE);
                rows.add(new DiffRow("same", number(i), Piece.whole(line), number(i + shift), Piece.whole(line)));
            }
        }
    }

    private static void changed(AbstractDelta<String> delta, List<DiffRow> rows) {
        List<String> removed = delta.getSource().getLines();
        List<String> added = delta.getTarget().getLines();
        for (int i = 0; i < Math.max(removed.size(), added.size()); i++) {
            String left = i < removed.size() ? number(delta.getSource().getPosition() + i) : "";
            String right = i < added.size() ? number(delta.getTarget().getPosition() + i) : "";
            if (!left.isEmpty() && !right.isEmpty()) {
                String was = Formats.clip(removed.get(i), LONGEST_LINE);
                String is = Formats.clip(added.get(i), LONGEST_LINE);
                rows.add(new DiffRow("changed", left, piece(was, is), right, piece(is, was)));
            } else if (right.isEmpty()) {
                rows.add(new DiffRow("removed", left, Piece.whole(Formats.clip(removed.get(i), LONGEST_LINE)), "", Piece.NONE));
            } else {
                rows.add(new DiffRow("added", "", Piece.NONE, right, Piece.whole(Formats.clip(added.get(i), LONGEST_LINE))));
            }
        }
    }

    private static Piece piece(String line, String other) {
        int shorter = Math.min(line.length(), other.length());
        int head = 0;
        while (head < shorter && line.charAt(head) == other.charAt(head)) {
            head++;
        }
        int tail = 0;
        while (tail < shorter - head && line.charAt(line.length() - 1 - tail) == other.charAt(other.length() - 1 - tail)) {
            tail++;
        }
        return new Piece(line.substring(0, head), line.substring(head, line.length() - tail), line.substring(line.length() - tail));
    }

    private static DiffRow gap() {
        return new DiffRow("gap", "", Piece.NONE, "", Piece.NONE);
    }

    private static String number(int index) {
        return String.valueOf(index + 1);
    }

    /// The differences as `diff -u` writes them; empty if there are none.
    public static List<String> unified(String nameBefore, String before, String nameAfter, String after) {
        List<String> left = lines(before);
        Patch<String> patch = DiffUtils.diff(left, lines(after));
        return UnifiedDiffUtils.generateUnifiedDiff(nameBefore, nameAfter, left, patch, CONTEXT);
    }

    private static List<String> lines(String text) {
        List<String> lines = text.lines().limit(MOST_LINES + 1L).toList();
        if (lines.size() <= MOST_LINES) {
            return lines;
        }
        List<String> cut = new ArrayList<>(lines.subList(0, MOST_LINES));
        cut.add("… lines from here on are not compared");
        return cut;
    }
}
