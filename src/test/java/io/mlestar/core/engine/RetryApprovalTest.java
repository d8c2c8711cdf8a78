package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.core.agent.Summarize;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.records.Invocations;
import io.mlestar.core.records.Ledger;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A model that is asked a second time for the same answer: what that may cost counts before it is
/// asked.
class RetryApprovalTest {
    private static final StepPath SUMMARY = StepPath.parse("r/summarize");
    private static final Offset<Double> EXACT = Offset.offset(1e-9);

    private final MemoryStore store = new MemoryStore();
    private final Records records = new Records(store);
    private final List<Double> spent = new ArrayList<>();
    private Boolean mayAgain;

    /// Pays a third of a dollar to learn that the answer was cut, and as much again for a second
    /// one if it may.
    private Answer cut(World.Question question) {
        look();
        mayAgain = question.second().may(0.3, 0.35);
        look();
        return new Answer("An answer.", new Answer.Usage("made:up", 1, 1, 0, mayAgain ? 0.5 : 0.3, 0), null, "", "");
    }

    private void look() {
        spent.add(new Ledger(records).spent("r"));
    }

    private StepResult result(String config, Double perDay) {
        return result(config, perDay, this::cut);
    }

    private StepResult result(String config, Double perDay, Function<World.Question, Answer> asking) {
        RunHeader run = World.header("r", config);
        records.create(run);
        StepRequest root = new StepRequest("phase/pipeline", Json.object(), null, World.NOW, run.deadline(), false);
        records.create(StepPath.root("r"), root);
        records.create(SUMMARY,
                new StepRequest("agent/summarize", Json.tree(new Summarize("x", "y")), root.work(), World.NOW,
                        CurrentLimits.of(run).finalizeAt(), false));
        World world = new World(1, 0).asking(asking);
        world.estimate = 0.1;
        world.budgetPerDay = perDay;
        new OneEngine(store, world, new OneEngine.MovingClock(), new Watcher() {}).engine.work(SUMMARY);
        look();
        return records.result(SUMMARY).orElseThrow();
    }

    @Test
    @Requirement("REQ-OR-029")
    void whatItMayCostCountsWhileItIsUnderWayAndWhatBothDidCostIsTheResults() {
        StepResult result = result("{\"max_budget_usd\": 1}", null);
        assertThat(mayAgain).isTrue();
        assertThat(result.costUsd()).isEqualTo(0.5, EXACT);
        assertThat(spent).hasSize(3);
        assertThat(spent.get(0)).isEqualTo(0.1, EXACT);
        assertThat(spent.get(1)).isEqualTo(0.3 + 0.35, EXACT);
        assertThat(spent.get(2)).isEqualTo(0.5, EXACT);
        assertThat(records.invocations().of(SUMMARY)).hasSize(2).extracting(Invocations.Invocation::isOpen)
                .containsExactly(false, true);
    }

    @ParameterizedTest
    @CsvSource({
        // budget of the run and of the day, whether there is money for a second time
        "0.6,  ,    false",
        "0.65, ,    true",
        "9,    0.6, false",
        "9,    0.7, true",
        ",     0.6, false"})
    void itIsNotDoneIfABudgetWouldBePassed(Double budget, Double perDay, boolean may) {
        StepResult result = result(budget == null ? "{}" : "{\"max_budget_usd\": " + budget + "}", perDay);
        assertThat(mayAgain).isEqualTo(may);
        assertThat(result.status()).isEqualTo(StepResult.Status.DONE);
        assertThat(result.costUsd()).isEqualTo(may ? 0.5 : 0.3, EXACT);
        assertThat(spent.getLast()).isEqualTo(may ? 0.5 : 0.3, EXACT);
        if (perDay != null) {
            assertThat(new DailyBudget(store, may ? 0.5 : 0.3).exceeds("r", World.NOW, 0, 0))
                    .as("so much was spent in the day").isPresent();
            assertThat(new DailyBudget(store, may ? 0.501 : 0.301).exceeds("r", World.NOW, 0, 0)).as("and no more")
                    .isEmpty();
        }
    }

    @Test
    void whatManyTurnsHaveCostIsCountedOnceAlsoIfTheLastOneFails() {
        assertThatThrownBy(() -> result("{\"max_budget_usd\": 1}", 2.0, question -> {
            for (double paid : new double[] {0.05, 0.3, 0.6}) {
                assertThat(question.second().may(paid, 0.05)).isTrue();
            }
            assertThat(records.invocations().unanswered(SUMMARY)).as("nothing is waited for").isEmpty();
            throw new ModelUnavailable("it is away", 0.7);
        })).isInstanceOf(ModelUnavailable.class);
        assertThat(new Ledger(records).spent("r")).isEqualTo(0.7, EXACT);
        assertThat(new DailyBudget(store, 0.7).exceeds("r", World.NOW, 0, 0)).isPresent();
        assertThat(new DailyBudget(store, 0.701).exceeds("r", World.NOW, 0, 0)).isEmpty();
        assertThat(records.invocations().of(SUMMARY)).as("one for each grant that was too small").hasSize(3);
        assertThat(records.invocations().unanswered(SUMMARY))
                .hasValueSatisfying(end -> assertThat(end.reason()).isEqualTo("it is away"));
    }
}
