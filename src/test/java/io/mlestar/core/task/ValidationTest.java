package io.mlestar.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.core.base.Invalid;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValidationTest {
    private static final Validation ONE = new Validation("k1", 0.7, 0.6, List.of(0.6, 0.7, 0.8), List.of(0.5, 0.6, 0.7));
    private static final Validation OTHER = new Validation("k2", 0.71, 0.6, List.of(0.61, 0.71, 0.81), List.of(0.7, 0.6, 0.5));

    @Test
    void theErrorOfAScoreIsTheDeviationOfItsDraws() {
        assertThat(ONE.searchError()).isCloseTo(0.1, within(1e-12));
        assertThat(ONE.selectError()).isCloseTo(0.1, within(1e-12));
    }

    /// Two scripts that are wrong about the same rows differ by much less than each of them is uncertain.
    @Test
    void theErrorOfAGainIsThatOfThePairedDifferences() {
        assertThat(OTHER.errorOfGain(ONE)).isCloseTo(0, within(1e-12));
        assertThat(OTHER.errorOfSelectGain(ONE)).isCloseTo(0.2, within(1e-12));
    }

    @Test
    void validationsThatWereDrawnOtherwiseCannotBeCompared() {
        Validation longer = new Validation("k", 0.7, 0.6, List.of(0.6, 0.7), List.of(0.5, 0.6));

        assertThatThrownBy(() -> longer.errorOfGain(ONE)).isInstanceOf(Invalid.class).hasMessage("validations of different runs cannot be compared");
        assertThatThrownBy(() -> new Validation("k", 1, 1, List.of(1.0), List.of(1.0, 1.0))).isInstanceOf(Invalid.class)
                .hasMessage("a validation needs at least 2 draws, to know its error");
    }
}
