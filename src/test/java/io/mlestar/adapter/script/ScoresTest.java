package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.CpuTime;
import io.mlestar.Requirement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScoresTest {
    @ParameterizedTest
    @Requirement({"REQ-EX-011", "REQ-DM-027"})
    @CsvSource(quoteCharacter = '"', textBlock = """
            0.8196, 0.8196
            1, 1
            -0.25, -0.25
            +0.25, 0.25
            -1.5e-3, -0.0015
            1.5E+3, 1500
            .5, 0.5
            0.82%, 0.82
            0.82 (+/- 0.01), 0.82
            "0.8196, nice", 0.8196
            0.82best, 0.82
            10x faster, 10
            np.float64(0.61), 0.61
            np.float32(-1.5e-3), -0.0015
            np.int64(12), 12
            """)
    void readsTheNumberAfterTheWords(String printed, double score) {
        assertThat(Scores.parse("epoch 1\nFinal Validation Performance: " + printed + "\n")).hasValue(score);
    }

    @ParameterizedTest
    @Requirement("REQ-EX-011")
    @ValueSource(
            strings = {"nan", "inf", "-inf", "None", "e", "-", "0.8196.", "1.2.3", "1e999", "-1e999", "1-2", "",
                "[0.5]", "np.float64(nan)", "np.float64()"})
    void whatIsNoFiniteNumberIsNoScore(String printed) {
        assertThat(Scores.parse("Final Validation Performance: " + printed + "\n")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0,85", "1,234.5", "1_000", "0x10", "-0xFF", "0b1"})
    void aNumberCutInTheMiddleIsNoScore(String printed) {
        assertThat(Scores.parse("Final Validation Performance: " + printed)).isEmpty();
    }

    @ParameterizedTest
    @Requirement("REQ-EX-011")
    @ValueSource(
            strings = {"", "Training complete.\n", "final validation performance: 0.5", "Validation Performance: 0.5",
                "Final Validation Performance 0.5", "0.5"})
    void withoutTheWordsThereIsNoScore(String stdout) {
        assertThat(Scores.parse(stdout)).isEmpty();
    }

    @Test
    @Requirement("REQ-EX-011")
    void theLastOfSeveralCounts() {
        assertThat(Scores
                .parse("Final Validation Performance: 0.5\nbetter:\nFinal Validation Performance: 0.8196\ndone\n"))
                .hasValue(0.8196);
    }

    @Test
    void wordsWithoutANumberAreNoMatchAndHideNothing() {
        assertThat(Scores.parse("Final Validation Performance: 0.5\nFinal Validation Performance: pending\n"))
                .hasValue(0.5);
        assertThat(
                Scores.parse("Final Validation Performance: 0.5\nFinal Validation Performance: information follows\n"))
                .hasValue(0.5);
    }

    @ParameterizedTest
    @Requirement("REQ-EX-011")
    @ValueSource(strings = {"nan", "NaN", "-nan", "inf", "-inf", "Infinity", "-Infinity", "1e999", "0x10", "0,5",
        "0.6."})
    void aLastNumberThatIsNoScoreHidesTheOneBefore(String last) {
        assertThat(Scores.parse("Final Validation Performance: 0.5\nFinal Validation Performance: " + last + "\n"))
                .isEmpty();
    }

    @Test
    void theNumberMayStandOnTheNextLine() {
        assertThat(Scores.parse("Final Validation Performance:\n  0.5\n")).hasValue(0.5);
        assertThat(Scores.parse("Final Validation Performance:\t0.5\r\n")).hasValue(0.5);
    }

    @Test
    @Requirement("REQ-EX-036")
    void aMegabyteIsReadInTenMilliseconds() throws Exception {
        String end = "Final Validation Performance: 0.8196\n";
        String epochs = "epoch 17: loss 0.4711, accuracy 0.8150\n".repeat(28_000);
        for (String output : List.of(epochs + end, end + epochs, epochs)) {
            assertThat(output.length()).isGreaterThan(1_000_000);
            assertThat(CpuTime.ofThread(() -> Scores.parse(output))).isLessThan(Duration.ofMillis(10));
        }
    }
}
