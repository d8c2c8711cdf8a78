package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundTripsTest {
    private static final String CONFIG = """
            {"num_parallel_solutions": 2, "inner_loop_steps": 2, "outer_loop_steps": %d %s}""";

    /// Four of them are what a step leaves behind: it, its beginning and its result, and its share
    /// of what phases are. Once in a run each agent's prompts are put on record.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            settings                 | warm | cold
                                     | 12.2 | 29.2
            , "max_budget_usd": 100  | 18.5 | 41.8
            """, useHeadersInDisplayName = true)
    void aStepAsksLittleOfTheStore(String settings, double warm, double cold) {
        String config = CONFIG.formatted(2, settings == null ? "" : settings);
        assertThat(RoundTrips.warm(config))
                .satisfies(trips -> assertThat(trips.perStep()).as(trips.toString()).isLessThanOrEqualTo(warm));
        assertThat(RoundTrips.cold(config))
                .satisfies(trips -> assertThat(trips.perStep()).as(trips.toString()).isLessThanOrEqualTo(cold));
    }

    /// Once at its end a run is gone through, to find out whether anything was left out.
    @Test
    void noMoreInALongRunThanInAShortOne() {
        double brief = RoundTrips.warm(CONFIG.formatted(8, "")).perStep();
        double extended = RoundTrips.warm(CONFIG.formatted(40, "")).perStep();
        assertThat(extended).isLessThan(1.05 * brief);
    }
}
