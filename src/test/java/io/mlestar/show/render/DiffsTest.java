package io.mlestar.show.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.show.render.Diffs.DiffRow;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DiffsTest {
    private static String shown(DiffRow row) {
        return row.kind() + " " + row.leftLine() + "|" + row.left().head() + "[" + row.left().middle() + "]"
                + row.left().tail()
                + " " + row.rightLine() + "|" + row.right().head() + "[" + row.right().middle() + "]"
                + row.right().tail();
    }

    private static String numbered(int lines) {
        return IntStream.rangeClosed(1, lines).mapToObj(i -> "line " + i).collect(Collectors.joining("\n"));
    }

    @Test
    void equalTextsHaveNoDifference() {
        assertThat(Diffs.sideBySide("a\nb", "a\nb\n", 100)).isEmpty();
        assertThat(Diffs.unified("x", "a\nb", "y", "a\nb\n")).isEmpty();
    }

    @Test
    void aChangedLineShowsWhichPartDiffers() {
        assertThat(Diffs.sideBySide("a\nx = 10\nc", "a\nx = 20\nc", 100)).extracting(DiffsTest::shown)
                .containsExactly("same 1|a[] 1|a[]", "changed 2|x = [1]0 2|x = [2]0", "same 3|c[] 3|c[]");
    }

    @Test
    void addedAndRemovedLinesStandAlone() {
        assertThat(Diffs.sideBySide("a\nb", "a\nnew\nb", 100)).extracting(DiffsTest::shown)
                .containsExactly("same 1|a[] 1|a[]", "added |[] 2|new[]", "same 2|b[] 3|b[]");
        assertThat(Diffs.sideBySide("a\nold\nb", "a\nb", 100)).extracting(DiffRow::kind).containsExactly("same",
                "removed", "same");
    }

    @Test
    void unchangedLinesAreLeftOutButForThree() {
        String before = numbered(30);
        String after = before.replace("line 10\n", "LINE 10\n").replace("line 25\n", "LINE 25\n");
        List<DiffRow> rows = Diffs.sideBySide(before, after, 100);
        assertThat(rows).extracting(DiffRow::kind).containsExactly("gap", "same", "same", "same", "changed", "same",
                "same", "same", "gap",
                "same", "same", "same", "changed", "same", "same", "same", "gap");
        assertThat(rows.get(1).leftLine()).isEqualTo("7");
        assertThat(rows.get(9).leftLine()).isEqualTo("22");
    }

    @Test
    void comparedAndShownLinesAreBounded() {
        String large = numbered(200_000);
        assertThat(Diffs.sideBySide("", large, 50)).hasSize(51).last().extracting(DiffRow::kind).isEqualTo("gap");
        assertThat(Diffs.sideBySide("a", "b".repeat(1_000_000), 50).getFirst().right().middle()).hasSizeLessThan(500);
        assertThat(Diffs.unified("x", "", "y", large)).hasSizeLessThan(10_100);
    }

    @Test
    void unifiedDiffsAreThoseOfTheUsualTool() {
        assertThat(Diffs.unified("x", "a\nb\nc\n", "y", "a\nB\nc\n")).containsExactly("--- x", "+++ y",
                "@@ -1,3 +1,3 @@", " a", "-b", "+B", " c");
    }
}
