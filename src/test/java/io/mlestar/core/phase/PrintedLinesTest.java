package io.mlestar.core.phase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PrintedLinesTest {
    @Test
    void aShortOutputIsShownWhole() {
        assertThat(PrintedLines.of("loading\n\nfold 0: 0.5  \n```\nbest \u0007feature\n")).isEqualTo("loading\nfold 0: 0.5\n'''\nbest  feature");
    }

    @Test
    void ofALongOneTheEndAndTheTellingLinesAreShown() {
        String output = "Fold 1: 0.75\n" + IntStream.range(0, 100).mapToObj(i -> "epoch " + i).collect(Collectors.joining("\n"))
                + "\nFinal Validation Performance: 0.8";
        assertThat(PrintedLines.of(output).lines()).hasSize(16).startsWith("Fold 1: 0.75", "epoch 86").endsWith("Final Validation Performance: 0.8");
    }

    @Test
    void noOutputIsTooLong() {
        String output = IntStream.range(0, 5_000).mapToObj(i -> "score " + "x".repeat(1_000)).collect(Collectors.joining("\n"));
        assertThat(PrintedLines.of(output).lines()).hasSize(30).allMatch(line -> line.length() <= 161);
    }
}
