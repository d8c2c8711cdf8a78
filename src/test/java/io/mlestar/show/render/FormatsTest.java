package io.mlestar.show.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.task.Validation;
import java.util.List;
import org.junit.jupiter.api.Test;

class FormatsTest {
    private static Validation drawn(Double... draws) {
        return new Validation("d1", "p", draws[0], 0, List.of(draws), List.of(0.0, 0.0));
    }

    @Test
    void anErrorHasTwoDigits() {
        assertThat(Formats.score(0.75602, 0.003149)).isEqualTo("0.75602 ± 0.0031");
        assertThat(Formats.score(1234.5, 98.7)).isEqualTo("1234.50 ± 99");
        assertThat(Formats.score(0.5, 0.0)).isEqualTo("0.50000 ± 0.0");
        assertThat(Formats.score(0.5, 2e-9)).isEqualTo("0.50000 ± 2.0e-09");
        assertThat(Formats.score(0.5, Double.NaN)).isEqualTo("0.50000 ± unknown");
    }

    @Test
    void aScoreThatAScriptPrintedHasNoError() {
        assertThat(Formats.score(0.5, null)).isEqualTo("0.50000");
        assertThat(Formats.score(null, 0.1)).isEqualTo("–");
        assertThat(Formats.gain(0.1, drawn(0.5, 0.6), null)).isEqualTo("+0.10000");
    }

    @Test
    void aGainHasTheErrorOfTheDifferenceAndNotThatOfTheScores() {
        Validation before = drawn(0.5, 0.7, 0.9);
        assertThat(Formats.gain(0.02, drawn(0.51, 0.72, 0.93), before)).isEqualTo("+0.02000 ± 0.010");
        assertThat(Formats.gain(-0.02, drawn(0.51, 0.72, 0.93), before)).isEqualTo("−0.02000 ± 0.010");
        assertThat(Formats.gain(0.005, drawn(0.51, 0.72, 0.93), before)).isEqualTo("+0.00500 ± 0.010, within noise");
        Validation elsewhere = new Validation("d2", "p", 0.5, 0, List.of(0.5, 0.6), List.of(0.0, 0.0));
        assertThat(Formats.gain(0.02, elsewhere, before)).as("not of one run").isEqualTo("+0.02000");
    }
}
