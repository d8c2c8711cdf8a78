package io.mlestar.show.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.task.Score.Lead;
import org.junit.jupiter.api.Test;

class FormatsTest {
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
        assertThat(Formats.gain(new Lead(0.1, null))).isEqualTo("+0.10000");
    }

    @Test
    void aGainHasItsErrorAndSaysWhetherItIsNoise() {
        assertThat(Formats.gain(new Lead(0.02, 0.01))).isEqualTo("+0.02000 ± 0.010");
        assertThat(Formats.gain(new Lead(-0.02, 0.01))).isEqualTo("−0.02000 ± 0.010");
        assertThat(Formats.gain(new Lead(0.005, 0.01))).isEqualTo("+0.00500 ± 0.010, within noise");
        assertThat(Formats.gain(null)).isEmpty();
    }
}
