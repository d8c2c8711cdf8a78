package io.mlestar.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import module java.base;
import org.junit.jupiter.api.Test;

/// The excerpt of a script's output that is told.
class OutputExcerptTest {
    private static String rows(int count) {
        return IntStream.range(0, count).mapToObj(row -> "row " + (char) ('a' + row) + " 0.5")
                .collect(Collectors.joining("\n"));
    }

    @Test
    void aTableThatIsLittleTooLongIsToldWholeElseWhatComesLastToo() {
        assertThat(OutputExcerpt.of(rows(11), 100)).isEqualTo(rows(11));
        assertThat(OutputExcerpt.of(rows(14), 100)).startsWith("row a 0.5\nrow b 0.5\nrow c 0.5\nrow d 0.5\n")
                .contains("\n… (4 lines left out)\n").endsWith("\nrow m 0.5\nrow n 0.5");
    }

    /// Rows, as `variants.py` prints them, stay by their gain within each table.
    @Test
    void theBestRowsOfAStudyStay() {
        String costs = """
                score      better than first by     folds       s  variant
                2.5        first                              0.1  boosting
                2.7        -0.2 ± 0.01              0/5       0.1  neighbours
                2.4        +0.1 ± 0.02              5/5       0.1  median
                2.45       +0.05 ± 0.03 noise       4/5       0.1  counts
                2.3        +0.2 ± 0.05              5/5       0.1  mean of both
                """;
        String shares = """
                0.5        first                              0.1  boosting again
                0.6        +1e-05 ± 1e-06           5/5       0.1  finer
                0.7        -1e-05 ± 1e-06           5/5       0.1  coarser
                """;
        assertThat(OutputExcerpt.of(costs, 230)).contains("boosting", "median", "mean of both")
                .contains("2.45  +0.05 ± 0.03 noise  4/5  0.1  counts")
                .doesNotContain("2.7 ").endsWith("\n… (least gain, left out: neighbours -0.2)");
        assertThat(OutputExcerpt.of(costs + shares, 320)).contains("mean of both", "finer", "boosting again")
                .doesNotContain("2.7 ", "0.7 ").endsWith("\n… (least gain, left out: neighbours -0.2, coarser -1e-05)");
        assertThat(OutputExcerpt.of("pairs = what near holes say\nkind = the sediment\n" + rows(9) + "\n" + costs, 230))
                .as("rows go before what explains them").contains("boosting", "median", "mean of both")
                .contains(" lines left out)").doesNotContain("kind = ");
        String manyFirst = IntStream.range(0, 99).mapToObj(row -> "0.5 first " + row).collect(Collectors.joining("\n"));
        assertThat(OutputExcerpt.of(manyFirst, 330)).as("however many rows there are").hasSizeLessThan(400);
        assertThat(OutputExcerpt.parts(costs, 200)).contains("mean of both").doesNotContain("2.7 ");
    }

    /// A table that is far too long, with a code for each of its names.
    @Test
    void theVerdictOfAStudyAndTheCodeOfTheNamesThatStayAreKept() {
        String codes = IntStream.range(0, 12).mapToObj(i -> "f" + i + " = log1p(x ** " + i + ")\n")
                .collect(Collectors.joining());
        String wide = IntStream.range(0, 12).mapToObj(i -> "2.4  -0." + (10 + i)
                + " ± 0.01, finer -0.02 ± 0.01  1/5  5.7  trees and f" + i + "\n").collect(Collectors.joining());
        String verdict = "of 12 equal variants the best may lead by 2.2 errors; shown to be better: none";
        assertThat(OutputExcerpt.of(codes + "2.4  first  1.0  trees\n" + wide + verdict, 600))
                .contains("\n2.4  first", "\n2.4  -0.10 ±", verdict, "f0 = log1p(x ** 0)")
                .doesNotContain("f11 = ")
                .contains("\n… (least gain, left out: trees and f11 -0.21, trees and f10 -0.20, ");
    }

    @Test
    void aStudyIsNullIfNoTableOfItShowsAVariantToBeBetter() {
        String luck = "of 9 equal variants the best may lead by 2.1 errors; shown to be better: ";
        assertThat(OutputExcerpt.isNull("score  variant\n" + luck + "none\n3 of 9 s used\n")).isTrue();
        assertThat(OutputExcerpt.isNull(luck + "none; by the finer loss: median\n")).isFalse();
        assertThat(OutputExcerpt.isNull(luck + "none\n" + luck + "median, mean\n")).isFalse();
        assertThat(OutputExcerpt.isNull("3 of 9 s used\n")).as("no verdict").isFalse();
    }

    @Test
    void partsAreToldWholeOrNotAtAll() {
        String printed = "days in both: 12\n\nmedian by room:\n" + rows(5) + "\nmedian by month:\n" + rows(3);
        assertThat(OutputExcerpt.parts(printed, 200))
                .isEqualTo("days in both: 12\nmedian by room:\n" + rows(5) + "\nmedian by month:\n" + rows(3));
        assertThat(OutputExcerpt.parts(printed, 80)).as("no heading without its table")
                .isEqualTo("days in both: 12\nmedian by month:\n" + rows(3) + "\n… (parts left out: 1)");
        assertThat(OutputExcerpt.parts(rows(12), 50)).as("a single part")
                .isEqualTo("row a 0.5\nrow b 0.5\nrow c 0.5\nrow d 0.5\n… (7 lines left out)\nrow l 0.5");
    }

    @Test
    void aLineIsToldOnce() {
        String warned = "[LightGBM] [Warning] negative\n".repeat(9);
        assertThat(OutputExcerpt.of(warned + "trees 0.8\n" + warned + "linear 0.7", 100))
                .isEqualTo("[LightGBM] [Warning] negative\ntrees 0.8\nlinear 0.7");
    }

    /// Signs that turn text around, part lines unseen or steer a terminal are left out; the blanks
    /// that make columns stay.
    @Test
    void nothingUnseenIsTold() {
        assertThat(OutputExcerpt.of("a\u202eb\u200b\u2028c\u0085\u001b[1m\r  d\te", 100)).isEqualTo("abc[1m  d\te");
    }

    @Test
    void whatIsCutIsCutAtASentence() {
        String text = "Trees were\n  better. Linear models lost; networks took too long. All of it was noise.";

        assertThat(Excerpt.sentences(text, 200))
                .isEqualTo("Trees were better. Linear models lost; networks took too long. All of it was noise.");
        assertThat(Excerpt.sentences(text, 70))
                .isEqualTo("Trees were better. Linear models lost; networks took too long.");
        assertThat(Excerpt.sentences(text, 50)).isEqualTo("Trees were better. Linear models lost.");
        assertThat(Excerpt.sentences("one sentence that has no end within the room there is", 30))
                .isEqualTo("one sentence that has no end …");
        assertThat(Excerpt.sentences(null, 30)).isEmpty();
    }
}
