package io.mlestar.adapter.grade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.adapter.grade.Grade.Medals;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.task.MetricDirection;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The benchmark's own code is asked in `MleBenchIT`.
class LeaderboardTest {
    /// The winner has 1, the last has `teams`.
    private static Leaderboard of(int teams) {
        return new Leaderboard("the leaderboard", IntStream.rangeClosed(1, teams).mapToObj(Double::valueOf).toList());
    }

    private static Leaderboard read(String csv) {
        return Leaderboard.of("leaderboard.csv", new ByteArrayInputStream(csv.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource({
        // teams, last with gold, silver, bronze, and the median
        "1, 1, 1, 1, 1", "9, 1, 1, 3, 5", "14, 1, 2, 5, 7.5", "99, 9, 19, 39, 50", "100, 10, 20, 40, 50.5", "249, 10, 49, 99, 125",
        "250, 10, 50, 100, 125.5", "999, 11, 50, 100, 500", "1000, 12, 50, 100, 500.5", "2500, 15, 125, 250, 1250.5"})
    void theLastPlaceWithEachMedalDependsOnTheNumberOfTeams(int teams, double gold, double silver, double bronze, double median) {
        assertThat(of(teams).medals(MetricDirection.MINIMIZE)).isEqualTo(new Medals(gold, silver, bronze, median));
    }

    @Test
    void kagglesOwnFileWritesTheColumnWithACapital() {
        assertThat(read("Rank,TeamId,TeamName,Score\n1,17,a,0.9\n2,18,b,0.5\n").scores()).containsExactly(0.9, 0.5);
    }

    @Test
    void theFileIsKagglesWithTheScoreInAnyColumnAndTeamsWithoutOne() {
        Leaderboard read = read("scoreNullable,teamId,score,hasScore\n0.9,17,0.9,True\n0.9,18,0.9,True\n,19,,False\n0.5,20,0.5,True\n");
        assertThat(read.scores()).containsExactly(0.9, 0.9, Double.NaN, 0.5);
        assertThat(read.direction()).hasValue(MetricDirection.MAXIMIZE);
        assertThat(read.medals(MetricDirection.MAXIMIZE)).isEqualTo(new Medals(0.9, 0.9, 0.9, 0.9));
    }

    @Test
    void aFileThatIsNoLeaderboardOfTheMetricIsRefusedInOneLine() {
        assertThatThrownBy(() -> read("team,points\n1,2\n")).isInstanceOf(Invalid.class).hasMessage("leaderboard.csv has no column score");
        assertThatThrownBy(() -> read("score\n")).isInstanceOf(Invalid.class).hasMessage("leaderboard.csv holds no team");
        assertThatThrownBy(() -> of(20).medals(MetricDirection.MAXIMIZE)).isInstanceOf(Invalid.class)
                .hasMessage("the leaderboard ranks lower scores first, but the metric says that a higher one is better");
    }

    @Test
    void aScoreCountsWithFiveDecimalsAsOnALeaderboard() {
        Medals medals =
                read("score\n" + List.of("0.90000", "0.80000", "0.7", "0.1").stream().collect(Collectors.joining("\n"))).medals(MetricDirection.MAXIMIZE);
        assertThat(medals.medal(0.899996, MetricDirection.MAXIMIZE)).isEqualTo("gold");
        assertThat(medals.medal(0.899994, MetricDirection.MAXIMIZE)).isNull();
        assertThat(medals.aboveMedian(0.750004, MetricDirection.MAXIMIZE)).isFalse();
        assertThat(medals.aboveMedian(0.750006, MetricDirection.MAXIMIZE)).isTrue();
    }
}
