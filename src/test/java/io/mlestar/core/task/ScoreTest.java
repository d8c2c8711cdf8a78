package io.mlestar.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScoreTest {
    private static final Score BEFORE = drawn("d1", 0.5, 0.7, 0.9);

    private static final Validation ONE =
            new Validation("d1", "k1", 0.7, 0.6, List.of(0.6, 0.7, 0.8), List.of(0.5, 0.6, 0.7));
    private static final Validation OTHER =
            new Validation("d1", "k2", 0.71, 0.6, List.of(0.61, 0.71, 0.81), List.of(0.7, 0.6, 0.5));

    private static Score drawn(String rows, Double... draws) {
        return Score.by(new Validation(rows, "p", draws[0], 0, List.of(draws), List.of(0.0, 0.0, 0.0)));
    }

    @Test
    void aLeadHasTheErrorOfTheDifferenceAndNotThatOfTheScores() {
        Score.Lead lead = drawn("d1", 0.51, 0.72, 0.93).over(BEFORE, MetricDirection.MAXIMIZE);
        assertThat(lead.gain()).isCloseTo(0.01, within(1e-12));
        assertThat(lead.error()).isCloseTo(0.01, within(1e-12));
        assertThat(BEFORE.over(drawn("d1", 0.51, 0.72, 0.93), MetricDirection.MINIMIZE).gain()).isCloseTo(0.01,
                within(1e-12));
    }

    @Test
    void scoresByOtherRowsAndPrintedOnesAreTwoNumbers() {
        assertThat(Score.printed(0.75).over(BEFORE, MetricDirection.MAXIMIZE)).isEqualTo(new Score.Lead(0.25, null));
        assertThat(drawn("d2", 0.75, 0.7, 0.9).over(BEFORE, MetricDirection.MAXIMIZE))
                .isEqualTo(new Score.Lead(0.25, null));
        assertThat(Score.NONE.over(BEFORE, MetricDirection.MAXIMIZE)).isNull();
        assertThat(BEFORE.over(Score.NONE, MetricDirection.MAXIMIZE)).isNull();
    }

    @Test
    void whatWasStoppedAfterTheFirstFoldIsComparedOnThatAndHasNoScore() {
        Score lost = new Score(null, drawn("d1", 0.3, 0.5, 0.7).trusted());
        assertThat(lost.isLost()).isTrue();
        assertThat(lost.over(BEFORE, MetricDirection.MAXIMIZE).gain()).isCloseTo(-0.2, within(1e-12));
        assertThatThrownBy(lost::known).isInstanceOf(NullPointerException.class).hasMessage("the script has no score");
    }

    @Test
    void inARecordItIsTwoFieldsAsItHasAlwaysBeen() {
        SolutionScript script = SolutionScript.unscored("x = 1", SolutionPhase.INIT);
        assertThat(Json.line(script)).contains("\"score\":null,\"validation\":null");
        for (Score score : List.of(Score.NONE, Score.printed(0.5), BEFORE, new Score(null, BEFORE.trusted()))) {
            assertThat(Json.read(Json.tree(script.scored(score)), SolutionScript.class).score()).isEqualTo(score);
        }
        assertThat(Json
                .read(Json.parse("{\"content\":\"x\",\"phase\":\"init\",\"is_executable\":true}"), SolutionScript.class)
                .score()).isEqualTo(Score.NONE);
    }

    @Test
    void theErrorOfAScoreIsTheDeviationOfItsDraws() {
        assertThat(ONE.searchError()).isCloseTo(0.1, within(1e-12));
        assertThat(ONE.selectError()).isCloseTo(0.1, within(1e-12));
    }

    /// Two scripts that are wrong about the same rows differ by much less than each of them is
    /// uncertain.
    @Test
    void theErrorOfAGainIsThatOfThePairedDifferences() {
        assertThat(OTHER.errorOfGain(ONE)).isCloseTo(0, within(1e-12));
        assertThat(OTHER.errorOfSelectGain(ONE)).isCloseTo(0.2, within(1e-12));
    }

    @Test
    void theGainOnEachFoldIsKnownWhereBothAreByTheSameFolds() {
        Validation one = folded("d", Arrays.asList(0.5, null, 0.75));
        Validation other = folded("d", Arrays.asList(0.25, 0.5, 1.0));

        assertThat(one.gains(other, MetricDirection.MAXIMIZE)).containsExactly(0.25, null, -0.25);
        assertThat(one.gains(other, MetricDirection.MINIMIZE)).containsExactly(-0.25, null, 0.25);
        assertThat(one.gains(folded("e", other.folds()), MetricDirection.MAXIMIZE)).as("of other rows").isEmpty();
        assertThat(one.gains(folded("d", List.of()), MetricDirection.MAXIMIZE)).as("of a record without them")
                .isEmpty();
    }

    private static Validation folded(String rows, List<Double> folds) {
        List<Double> draws = List.of(0.5, 0.6);
        return new Validation(rows, "k", 0.5, 0.5, draws, draws, new Validation.Sample(rows + "/0", 0.5, draws), folds);
    }

    @Test
    void scriptsOfOtherNumbersOfFoldsAreComparedOnTheFirst() {
        List<Double> draws = List.of(0.6, 0.7, 0.8);
        Validation all = new Validation("d", "k", 0.5, 0.6, draws, draws,
                new Validation.Sample("d/0", 0.7, List.of(0.61, 0.7, 0.79)), List.of());
        Validation first = new Validation("d/0", "k", 0.8, 0.6, List.of(0.71, 0.8, 0.9), draws);

        assertThat(first.gain(all, MetricDirection.MAXIMIZE)).isCloseTo(0.1, within(1e-12));
        assertThat(all.gain(first, MetricDirection.MINIMIZE)).isCloseTo(0.1, within(1e-12));
        assertThat(first.errorOfGain(all)).as("of 0.10, 0.10 and 0.11").isCloseTo(0.01 / Math.sqrt(3), within(1e-12));
        assertThat(all.isSurelyWorse(first, MetricDirection.MAXIMIZE)).isTrue();
        assertThat(first.isSurelyWorse(all, MetricDirection.MAXIMIZE)).isFalse();
        assertThat(all.on(all).score()).as("two of several folds on all").isEqualTo(0.5);
    }

    @Test
    void validationsByOtherRowsCannotBeCompared() {
        Validation other = new Validation("d2", "k", 0.7, 0.6, List.of(0.6, 0.7, 0.8), List.of(0.5, 0.6, 0.7));
        Validation longer = new Validation("d1", "k", 0.7, 0.6, List.of(0.6, 0.7), List.of(0.5, 0.6));

        assertThat(other.isComparable(ONE)).isFalse();
        assertThatThrownBy(() -> other.errorOfGain(ONE)).isInstanceOf(Invalid.class)
                .hasMessage("scores by other rows cannot be compared: d2 and d1");
        assertThatThrownBy(() -> other.errorOfSelectGain(ONE)).isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> other.gain(ONE, MetricDirection.MAXIMIZE)).isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> longer.errorOfGain(ONE)).isInstanceOf(Invalid.class)
                .hasMessage("validations with other numbers of draws cannot be compared");
        assertThatThrownBy(() -> new Validation("d1", "k", 1, 1, List.of(1.0), List.of(1.0, 1.0)))
                .isInstanceOf(Invalid.class)
                .hasMessage("a validation needs at least 2 draws, to know its error");
    }
}
