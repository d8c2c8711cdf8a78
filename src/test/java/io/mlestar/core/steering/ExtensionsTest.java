package io.mlestar.core.steering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.store.MemoryStore;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExtensionsTest {
    private final MemoryStore store = new MemoryStore();
    private final Extensions extensions = new Extensions(store);
    private final RunHeader run = World.header("r", "{\"time_limit_seconds\": 600, \"max_budget_usd\": 2}");

    private static Extension given(int minutes, double usd) {
        return new Extension(World.NOW, "ann", minutes, usd);
    }

    @Test
    void allThatARunWasGivenCounts() {
        assertThat(extensions.onto(run)).isEqualTo(CurrentLimits.of(run));
        extensions.add(run, given(60, 0));
        CurrentLimits limited = extensions.add(run, given(30, 1.5));

        assertThat(extensions.of("r")).containsExactly(given(60, 0), given(30, 1.5));
        assertThat(limited).isEqualTo(extensions.onto(run));
        assertThat(limited.deadline()).isEqualTo(run.deadline().plus(Duration.ofMinutes(90)));
        assertThat(limited.extension()).isEqualTo(Duration.ofMinutes(90));
        assertThat(limited.finalizeAt()).as("the reserve stays")
                .isEqualTo(CurrentLimits.of(run).finalizeAt().plus(Duration.ofMinutes(90)));
        assertThat(limited.budgetUsd()).isEqualTo(3.5);
        assertThat(limited.run()).as("as it began").isEqualTo(run);
        assertThat(extensions.onto(World.header("other", "{}")).extension()).isZero();
    }

    @Test
    void aRunWithoutABudgetIsGivenNoMoney() {
        RunHeader free = World.header("free", "{}");
        assertThatThrownBy(() -> extensions.add(free, given(0, 1))).isInstanceOf(Invalid.class)
                .hasMessageContaining("run free has no max_budget_usd");
        assertThat(extensions.of("free")).isEmpty();
        assertThat(extensions.add(free, given(1, 0)).budgetUsd()).isNull();
    }

    @Test
    void thereIsAnEnd() {
        IntStream.range(0, 50).forEach(i -> extensions.add(run, given(525_600, 1_000_000)));
        assertThatThrownBy(() -> extensions.add(run, given(1, 0))).isInstanceOf(Invalid.class)
                .hasMessageContaining("has been extended 50 times");
        assertThat(extensions.onto(run).budgetUsd()).as("no budget is greater").isEqualTo(1_000_000);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''     | ''     | say how much more
            0      | 0      | say how much more
            -1     | ''     | add_minutes must be from 1 to 525600, but is -1
            525601 | ''     | add_minutes must be from 1 to 525600, but is 525601
            1.5    | ''     | add_minutes must be a whole number, but is "1.5"
            x      | 1      | add_minutes must be a whole number, but is "x"
            1      | x      | add_usd must be a number, but is "x"
            ''     | -2     | add_usd must be greater than 0 and at most 1000000, but is -2.0
            ''     | 1e7    | add_usd must be greater than 0 and at most 1000000, but is 1.0E7
            ''     | NaN    | add_usd must be greater than 0
            """)
    void whatIsNoExtensionIsNamed(String minutes, String usd, String said) {
        assertThatThrownBy(() -> Extension.asked(World.NOW, "ann", minutes, usd)).isInstanceOf(Invalid.class)
                .hasMessageContaining(said);
    }

    @Test
    void peopleReadIt() {
        assertThat(Extension.asked(World.NOW, " ann\u001b ", " 90 ", "")).isEqualTo(given(90, 0))
                .extracting(Extension::words).isEqualTo("90 min");
        assertThat(given(0, 2).words()).isEqualTo("$2.00");
        assertThat(given(1, 0.5).words()).isEqualTo("1 min and $0.50");
        assertThatThrownBy(() -> new Extension(World.NOW, "x".repeat(101), 1, 0)).isInstanceOf(Invalid.class);
    }
}
