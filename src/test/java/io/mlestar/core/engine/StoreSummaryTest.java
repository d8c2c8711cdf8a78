package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.show.view.RunStatus;
import io.mlestar.show.view.StoreSummary;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StoreSummaryTest {
    private final OneEngine one = new OneEngine();
    private final StoreSummary summary = new StoreSummary(one.records, one.clock, Duration.ofSeconds(10));

    private void later() {
        one.clock.now = one.clock.now.plusSeconds(11);
    }

    private void failed(String run) {
        one.engine.start(World.header(run, "{}"));
        one.records.create(StepPath.root(run), StepResult.of(new Outcome.Failed<>("no"), World.NOW, World.NOW, 0.0));
    }

    @Test
    void whatRunsMayStillSpendIsSummedUpOverThoseUnderWay() {
        one.engine.start(World.header("a", "{\"max_budget_usd\": 2}"));
        one.engine.start(World.header("b", "{\"max_budget_usd\": 3}"));
        one.engine.start(World.header("c", "{}"));
        failed("d");
        one.until(() -> spent() > 0);
        StoreSummary.Sums sums = summary.sums();
        assertThat(sums.runs()).containsOnlyKeys(RunStatus.RUNNING, RunStatus.FAILED)
                .containsEntry(RunStatus.RUNNING, 3).containsEntry(RunStatus.FAILED, 1);
        assertThat(sums.budgetUsd()).isEqualTo(5);
        assertThat(sums.budgetLeftUsd()).isCloseTo(5 - spent(), within(1e-9));
    }

    /// By the runs that have a budget.
    private double spent() {
        return one.world.paid.keySet().stream()
                .filter(step -> !step.run().equals("c") && !RunScript.NAMES.contains(step.plainName()))
                .mapToInt(one.world.paid::get).sum() * World.COST;
    }

    @Test
    void anEndedRunCountsNoMoreAndIsSeenAfterAWhile() {
        one.engine.start(World.header("a", "{\"max_budget_usd\": 2}"));
        assertThat(summary.sums().runs()).containsEntry(RunStatus.RUNNING, 1);
        one.deliverAll();
        assertThat(summary.sums().runs()).as("looked at just now").containsEntry(RunStatus.RUNNING, 1);
        later();
        assertThat(summary.sums().runs()).containsOnlyKeys(RunStatus.COMPLETED);
        assertThat(summary.sums().budgetLeftUsd()).isZero();
    }
}
