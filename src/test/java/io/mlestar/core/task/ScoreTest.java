package io.mlestar.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.core.base.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScoreTest {
    private static final Score BEFORE = drawn("d1", 0.5, 0.7, 0.9);

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
}
