package io.mlestar.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Agents that are asked outside any run share the money of the day.
class SingleCallBudgetTest {
    private static final Instant NOON = Instant.parse("2026-11-22T12:30:00Z");
    private static final String DAY = "MLE_STAR_BUDGET_PER_DAY";
    private static final String ALONE = "MLE_STAR_SINGLE_CALLS_PER_DAY";

    private final Store store = new MemoryStore();
    private int attempts;

    private SingleCallBudget budget(Map<String, String> environment) {
        return new SingleCallBudget(environment, () -> store, () -> NOON);
    }

    /// Whether a call of a run may cost so much; it is not made.
    private boolean isLeft(double usd, double perDay) {
        DailyBudget runs = new DailyBudget(store, perDay);
        DailyBudget.PaidCall call = runs.begin(StepPath.parse("r/phase1/init"), ++attempts, false, NOON, usd);
        boolean may = runs.exceeds("r", NOON, usd, 0).isEmpty();
        call.ended(0.0);
        return may;
    }

    private static OptionalDouble usd(double usd) {
        return OptionalDouble.of(usd);
    }

    @Test
    void aQuestionCountsWithWhatItMayCostAndThenWithWhatItDid() {
        SingleCallBudget budget = budget(Map.of(DAY, "1"));
        SingleCallBudget.CountedAnswer first = budget.begin("planner", () -> usd(0.7));
        assertThatThrownBy(() -> budget.begin("planner", () -> usd(0.4))).isInstanceOf(ModelUnavailable.class).hasMessageContaining("$1.0000 a day");
        first.ended(0.1);
        budget.begin("planner", () -> usd(0.4)).ended(0.4);
        assertThat(isLeft(0.5, 1)).as("for runs").isTrue();
        assertThat(isLeft(0.51, 1)).isFalse();
    }

    @Test
    void whatRunsHaveSpentIsGone() {
        new DailyBudget(store, 1).begin(StepPath.parse("r/phase1/retriever"), 1, false, NOON, 0.9).ended(0.9);
        assertThatThrownBy(() -> budget(Map.of(DAY, "1")).begin("planner", () -> usd(0.2))).isInstanceOf(ModelUnavailable.class);
    }

    @Test
    void theSmallerOneOfTheirOwnHoldsTooAndRunsAreNotBoundByIt() {
        SingleCallBudget budget = budget(Map.of(DAY, "10", ALONE, "0.5"));
        budget.begin("planner", () -> usd(0.4)).ended(0.4);
        assertThatThrownBy(() -> budget.begin("coder", () -> usd(0.2))).isInstanceOf(ModelUnavailable.class)
                .hasMessageContaining("$0.5000 a day for agents outside runs");
        assertThat(isLeft(9, 10)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0.1, true", "0.9, false"})
    void aSecondTimeForTheSameAnswerIsCountedBeforeItIsMade(double second, boolean may) {
        SingleCallBudget.CountedAnswer spending = budget(Map.of(DAY, "1")).begin("planner", () -> usd(0.2));
        assertThat(spending.may(0.3, second)).isEqualTo(may);
        spending.ended(may ? 0.45 : 0.3);
        double left = 1 - (may ? 0.45 : 0.3);
        assertThat(isLeft(left, 1)).isTrue();
        assertThat(isLeft(left + 0.01, 1)).isFalse();
    }

    @Test
    void withABudgetThePriceMustBeKnownAndWithoutOneNothingIsKept() {
        assertThatThrownBy(() -> budget(Map.of(ALONE, "1")).begin("planner", OptionalDouble::empty)).isInstanceOf(Invalid.class)
                .hasMessageContaining("needs prices");
        assertThatThrownBy(() -> budget(Map.of(ALONE, "much"))).isInstanceOf(Invalid.class).hasMessageContaining(ALONE);
        new SingleCallBudget(Map.of(), () -> {
            throw new AssertionError("no store is needed");
        }, () -> NOON).begin("planner", OptionalDouble::empty).ended(0.1);
    }
}
