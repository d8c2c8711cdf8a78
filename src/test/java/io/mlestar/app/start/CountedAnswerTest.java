package io.mlestar.app.start;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Agents that are asked outside any run share the money of the day.
class CountedAnswerTest {
    private static final Instant NOON = Instant.parse("2026-11-22T12:30:00Z");

    private final Store store = new MemoryStore();
    private final DailyBudget day = new DailyBudget(store, 1);
    private int attempts;

    private CountedAnswer begin(double estimateUsd) {
        return CountedAnswer.begin(day, () -> NOON, "planner", () -> OptionalDouble.of(estimateUsd));
    }

    /// True if a call of a run may cost so much; it is not made.
    private boolean isLeft(double usd) {
        DailyBudget runs = new DailyBudget(store, 1);
        DailyBudget.PaidCall call = runs.begin(StepPath.parse("r/phase1/init"), ++attempts, false, NOON, usd);
        boolean may = runs.exceeds("r", NOON, usd, 0).isEmpty();
        call.ended(0.0);
        return may;
    }

    @Test
    void aQuestionCountsWithWhatItMayCostAndThenWithWhatItDid() {
        CountedAnswer first = begin(0.7);
        refusal(ModelUnavailable.class, () -> begin(0.4)).contains("$1.0000 a day");
        first.ended(0.1);
        begin(0.4).ended(0.4);
        assertThat(isLeft(0.5)).as("for runs").isTrue();
        assertThat(isLeft(0.51)).isFalse();
    }

    @Test
    void whatRunsHaveSpentIsGone() {
        new DailyBudget(store, 1).begin(StepPath.parse("r/phase1/retriever"), 1, false, NOON, 0.9).ended(0.9);
        assertThatThrownBy(() -> begin(0.2)).isInstanceOf(ModelUnavailable.class);
    }

    @ParameterizedTest
    @CsvSource({"0.1, true", "0.9, false"})
    void aSecondTimeForTheSameAnswerIsCountedBeforeItIsMade(double second, boolean may) {
        CountedAnswer spending = begin(0.2);
        assertThat(spending.may(0.3, second)).isEqualTo(may);
        spending.ended(may ? 0.45 : 0.3);
        double left = 1 - (may ? 0.45 : 0.3);
        assertThat(isLeft(left)).isTrue();
        assertThat(isLeft(left + 0.01)).isFalse();
    }

    @Test
    void withABudgetThePriceMustBeKnownAndWithoutOneNothingIsKept() {
        refusal(() -> CountedAnswer.begin(day, () -> NOON, "planner", OptionalDouble::empty)).contains("needs prices");
        CountedAnswer.begin(null, () -> NOON, "planner", OptionalDouble::empty).ended(0.1);
        assertThat(store.list("spending")).isEmpty();
    }
}
