package io.mlestar.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What is told of a script's output.
class OutputExcerptTest {
    private static String rows(int count) {
        return IntStream.range(0, count).mapToObj(row -> "row " + (char) ('a' + row) + " 0.5")
                .collect(Collectors.joining("\n"));
    }

    @Test
    void aTableThatIsLittleTooLongIsToldWhole() {
        assertThat(OutputExcerpt.head(rows(11), 100)).isEqualTo(rows(11));
        assertThat(OutputExcerpt.head(rows(12), 100)).isEqualTo(rows(10) + "\n… (2 more lines)");
    }

    @Test
    void whatComesLastInAStudyIsToldToo() {
        assertThat(OutputExcerpt.ends(rows(11), 100)).isEqualTo(rows(11));
        assertThat(OutputExcerpt.ends(rows(14), 100)).startsWith("row a 0.5\nrow b 0.5\nrow c 0.5\nrow d 0.5\n")
                .contains("\n… (4 lines left out)\n")
                .endsWith("\nrow m 0.5\nrow n 0.5");
    }

    @Test
    void partsAreToldWholeOrNotAtAll() {
        String printed = "days in both: 12\n\nmedian by room:\n" + rows(5) + "\nmedian by month:\n" + rows(3);
        assertThat(OutputExcerpt.parts(printed, 200))
                .isEqualTo("days in both: 12\nmedian by room:\n" + rows(5) + "\nmedian by month:\n" + rows(3));
        assertThat(OutputExcerpt.parts(printed, 80)).as("no heading without its table")
                .isEqualTo("days in both: 12\nmedian by month:\n" + rows(3) + "\n… (parts left out: 1)");
        assertThat(OutputExcerpt.parts(rows(12), 50)).as("a single part").isEqualTo(rows(5) + "\n… (7 more lines)");
    }

    @Test
    void aLineIsToldOnce() {
        String warned = "[LightGBM] [Warning] negative\n".repeat(9);
        assertThat(OutputExcerpt.head(warned + "trees 0.8\n" + warned + "linear 0.7", 100))
                .isEqualTo("[LightGBM] [Warning] negative\ntrees 0.8\nlinear 0.7");
    }

    /// What turns text around, parts lines unseen or steers a terminal; the blanks that make
    /// columns stay.
    @Test
    void nothingUnseenIsTold() {
        assertThat(OutputExcerpt.head("a\u202eb\u200b\u2028c\u0085\u001b[1m\r  d\te", 100)).isEqualTo("abc[1m  d\te");
    }
}
