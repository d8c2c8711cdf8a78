package io.mlestar.show.render;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.patch.Patch;
import com.github.difflib.text.DiffRow.Tag;
import com.github.difflib.text.DiffRowGenerator;
import io.mlestar.core.base.Excerpt;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/// Differences of texts by lines. Bounded: what is compared and what is shown.
public final class Diffs {
    private static final int CONTEXT = 3;
    private static final int MOST_LINES = 10_000;
    private static final int LONGEST_LINE = 400;
    private static final DiffRowGenerator GENERATOR =
            DiffRowGenerator.create().lineNormalizer(line -> line).build();

    /// One row of two columns.
    ///
    /// @param kind `same`, `changed`, `removed`, `added`, or `gap` for rows that are left out
    /// @param left text before; empty where there is none
    /// @param leftLine its number, from 1; empty where there is none
    public record DiffRow(
            String kind,
            String leftLine,
            Piece left,
            String rightLine,
            Piece right) {}

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
    /// @param most rows; one `gap` stands for the rest
    public static List<DiffRow> sideBySide(String before, String after, int most) {
        List<com.github.difflib.text.DiffRow> all =
                GENERATOR.generateDiffRows(lines(before), lines(after));
        BitSet shown = new BitSet();
        IntStream.range(0, all.size())
                .filter(i -> all.get(i).getTag() != Tag.EQUAL)
                .forEach(i -> shown.set(Math.max(0, i - CONTEXT), i + CONTEXT + 1));
        List<DiffRow> rows = new ArrayList<>();
        int left = 0;
        int right = 0;
        for (int i = 0; i < all.size() && !shown.isEmpty() && rows.size() <= most; i++) {
            Tag tag = all.get(i).getTag();
            left += tag == Tag.INSERT ? 0 : 1;
            right += tag == Tag.DELETE ? 0 : 1;
            boolean beginsGap = !shown.get(i) && (i == 0 || shown.get(i - 1));
            if (rows.size() == most || beginsGap) {
                rows.add(new DiffRow("gap", "", Piece.NONE, "", Piece.NONE));
            } else if (shown.get(i)) {
                rows.add(row(all.get(i), String.valueOf(left), String.valueOf(right)));
            }
        }
        return rows;
    }

    private static DiffRow row(com.github.difflib.text.DiffRow row, String left, String right) {
        String before = Excerpt.clip(row.getOldLine(), LONGEST_LINE);
        String after = Excerpt.clip(row.getNewLine(), LONGEST_LINE);
        return switch (row.getTag()) {
            case EQUAL -> new DiffRow("same", left, Piece.whole(before), right, Piece.whole(after));
            case CHANGE ->
                new DiffRow("changed", left, piece(before, after), right, piece(after, before));
            case DELETE -> new DiffRow("removed", left, Piece.whole(before), "", Piece.NONE);
            case INSERT -> new DiffRow("added", "", Piece.NONE, right, Piece.whole(after));
        };
    }

    private static Piece piece(String line, String other) {
        int shorter = Math.min(line.length(), other.length());
        int head = 0;
        while (head < shorter && line.charAt(head) == other.charAt(head)) {
            head++;
        }
        int tail = 0;
        while (tail < shorter - head
                && line.charAt(line.length() - 1 - tail) == other
                        .charAt(other.length() - 1 - tail)) {
            tail++;
        }
        return new Piece(line.substring(0, head), line.substring(head, line.length() - tail),
                line.substring(line.length() - tail));
    }

    /// The differences as `diff -u` writes them; empty if there are none.
    public static List<String> unified(
            String nameBefore,
            String before,
            String nameAfter,
            String after) {
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
