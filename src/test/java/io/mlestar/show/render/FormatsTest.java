package io.mlestar.show.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Controls;
import io.mlestar.core.task.Score.Lead;
import io.mlestar.show.render.Diffs.DiffRow;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/// Figures, code and differences, as pages show them.
class FormatsTest {
    @Test
    void anErrorHasTwoDigitsAndAScoreThatAScriptPrintedHasNone() {
        assertThat(Formats.score(0.75602, 0.003149)).isEqualTo("0.75602 ± 0.0031");
        assertThat(Formats.score(1234.5, 98.7)).isEqualTo("1234.50 ± 99");
        assertThat(Formats.score(0.5, 0.0)).isEqualTo("0.50000 ± 0.0");
        assertThat(Formats.score(0.5, 2e-9)).isEqualTo("0.50000 ± 2.0e-09");
        assertThat(Formats.score(0.5, Double.NaN)).isEqualTo("0.50000 ± unknown");
        assertThat(Formats.score(0.5, null)).isEqualTo("0.50000");
        assertThat(Formats.score(null, 0.1)).isEqualTo("–");
        assertThat(Formats.gain(new Lead(0.1, null))).isEqualTo("+0.10000");
    }

    @Test
    void aGainHasItsErrorAndSaysWhetherItIsNoise() {
        assertThat(Formats.gain(new Lead(0.02, 0.01))).isEqualTo("+0.02000 ± 0.010");
        assertThat(Formats.gain(new Lead(-0.02, 0.01))).isEqualTo("−0.02000 ± 0.010");
        assertThat(Formats.gain(new Lead(0.005, 0.01))).isEqualTo("+0.00500 ± 0.010, within noise");
        assertThat(Formats.gain(null)).isEmpty();
    }

    private static String text(String html) {
        return html.replaceAll("<[^>]*>", "").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"")
                .replace("&amp;", "&");
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/python-parts.csv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '~')
    void thePartsOfPythonAreMarked(String code, String marked) {
        assertThat(text(PythonCode.html(code).replaceAll("<span class=\"py-(\\w+)\">(.*?)</span>", "[$1:$2]")))
                .isEqualTo(marked);
    }

    @Test
    void aStringOverManyLinesIsMarkedInEachOfThem() {
        assertThat(PythonCode.html("\"\"\"a\n\nb\"\"\" if\n"))
                .isEqualTo("<span class=\"py-string\">&quot;&quot;&quot;a</span>\n\n"
                        + "<span class=\"py-string\">b&quot;&quot;&quot;</span> <span class=\"py-keyword\">if</span>\n");
    }

    @Test
    void anyCodeKeepsItsCharacters() {
        Random random = new Random(3);
        String letters = "\"'#\\\n\r\t @.01e+-rfxdef class<script>&\u202e\u001b\u00e4\ud83d\ude00";
        for (int i = 0; i < 3_000; i++) {
            StringBuilder code = new StringBuilder();
            for (int k = random.nextInt(60); k > 0; k--) {
                code.append(letters.charAt(random.nextInt(letters.length())));
            }
            String html = PythonCode.html(code.toString());
            assertThat(text(html)).isEqualTo(Controls.shown(code.toString().replace("\r\n", "\n").replace('\r', '\n')));
            assertThat(html.replaceAll("</?span( class=\"py-\\w+\")?>", "")).doesNotContain("<", ">", "\"");
            assertThat(html.lines())
                    .allSatisfy(line -> assertThat(line.split("<span", -1)).hasSameSizeAs(line.split("</span", -1)));
        }
    }

    @Test
    void muchCodeStaysBounded() {
        assertThat(PythonCode.html("1 ".repeat(1 << 17))).hasSizeLessThan((1 << 18) + 20_000 * 40);
        assertThat(PythonCode.html("@".repeat(1 << 18))).hasSizeLessThan((1 << 18) + 20_000 * 40);
        assertThat(PythonCode.html(" @".repeat(1 << 17))).hasSizeLessThan((1 << 18) + 20_000 * 40);
        assertThat(PythonCode.html("'\\\n".repeat(1 << 16))).hasSizeLessThan((1 << 18) + 20_000 * 60);
        assertThat(PythonCode.html("\"".repeat(1 << 17))).isNotEmpty();
    }

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
    void linesThatChangedWereAddedOrRemovedAreToldApart() {
        assertThat(Diffs.sideBySide("a\nx = 10\nc", "a\nx = 20\nc", 100)).extracting(FormatsTest::shown)
                .containsExactly("same 1|a[] 1|a[]", "changed 2|x = [1]0 2|x = [2]0", "same 3|c[] 3|c[]");
        assertThat(Diffs.sideBySide("a\nb", "a\nnew\nb", 100)).extracting(FormatsTest::shown)
                .containsExactly("same 1|a[] 1|a[]", "added |[] 2|new[]", "same 2|b[] 3|b[]");
        assertThat(Diffs.sideBySide("a\nold\nb", "a\nb", 100)).extracting(DiffRow::kind).containsExactly("same",
                "removed", "same");
        assertThat(Diffs.sideBySide("a\nb", "a\nb\n", 100)).isEmpty();
        assertThat(Diffs.unified("x", "a\nb", "y", "a\nb\n")).isEmpty();
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
        String large = numbered(50_000);
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
