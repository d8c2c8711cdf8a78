package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.Requirement;
import io.mlestar.core.agent.Summarize;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.records.Invocations;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Ledger;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.show.view.RunStatus;
import io.mlestar.show.view.StoreSummary;
import module java.base;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The cap of a run's money holds with everything in it, with a model whose answers cost several
/// times what is thought at first, and with one that is asked a second time for the same answer.
/// Then what all runs of a store may still spend.
class CappedRunsTest {
    private static final double ANSWER = 0.05;
    private static final StepPath SUMMARY = StepPath.parse("r/summarize");
    private static final Offset<Double> EXACT = Offset.offset(1e-9);

    private final MemoryStore store = new MemoryStore();
    private final Records records = new Records(store);
    private final List<Double> spent = new ArrayList<>();
    private Boolean mayAgain;
    private final OneEngine one = new OneEngine();
    private final StoreSummary summary = new StoreSummary(one.records, one.clock, Duration.ofSeconds(10));

    private static SimulatedCluster run(long seed, double budget, String settings, boolean cluster,
            Duration killEvery) {
        Weather weather = new Weather(cluster, 20_000, 5, 1, 8, 0, 0, killEvery, 0, Outage.NEVER, budget, false);
        SimulatedCluster made = new SimulatedCluster(seed, weather, String.format(Locale.ROOT,
                "{\"num_retrieved_models\": 3, \"outer_loop_steps\": 2, \"time_limit_seconds\": 20000, \"max_budget_usd\": %s %s}",
                budget, settings), 0);
        made.work.price = step -> ANSWER;
        made.work.writes = false;
        made.runToTheEnd();
        return made;
    }

    private static Optional<String> text(SimulatedCluster run, String name) {
        return run.records().store().read("runs/r/" + name).map(String::new);
    }

    /// Scripts that are not the last one write nothing, so the submission is finalization's,
    /// whether or not an answer could be paid for.
    @ParameterizedTest
    @ValueSource(strings = {"", ", \"num_retrieved_models\": 1, \"num_parallel_solutions\": 1"})
    @Requirement({"REQ-OR-029", "REQ-OR-030"})
    void whateverTheBudgetARunInWhichAScriptScoredHandsInASubmission(String settings) {
        int scored = 0;
        for (int cents = 5; cents < 400; cents += cents < 80 ? 5 : 60) {
            SimulatedCluster run = run(cents, cents / 100.0, settings, false, Duration.ZERO);
            boolean hasScored = run.records().result(StepPath.root("r").child("phase1")).orElseThrow().scorings()
                    .stream().anyMatch(one -> one.score() != null);
            assertThat(run.work.spent).as("%d cents", cents).isLessThanOrEqualTo(cents / 100.0 + 1e-9);
            assertThat(text(run, "result.json").map(result -> Json.parse(result).path("submission_source").asText())
                    .orElse("")).as("%d cents", cents).isEqualTo(hasScored ? "finalization" : "");
            scored += hasScored ? 1 : 0;
        }
        assertThat(scored).isGreaterThan(10);
    }

    @Test
    @Requirement("REQ-OR-029")
    void theSearchMaySpendAllButWhatFinalizationNeeds() {
        SimulatedCluster run = run(1, 0.7, "", false, Duration.ZERO);
        double last = run.records().result(StepPath.root("r").child("finalization")).orElseThrow().costUsd();
        assertThat(run.work.spent - last).isCloseTo(0.7 - 4 * ANSWER, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({"false, 0", "true, 0", "false, 60", "true, 20"})
    @Requirement({"REQ-OR-029", "REQ-OR-032"})
    void theCapHoldsThoughProcessesAreKilledInBetween(boolean cluster, int killEvery) {
        int kills = 0;
        for (int seed = 0; seed < 10; seed++) {
            double budget = 0.1 + 0.2 * seed;
            SimulatedCluster run = run(seed, budget, "", cluster, Duration.ofSeconds(killEvery));
            kills += run.kills;
            assertThat(run.work.spent).as("seed %d", seed).isLessThanOrEqualTo(budget + ANSWER);
        }
        assertThat(kills > 10).isEqualTo(killEvery > 0);
    }

    /// The money ends while three candidates are in flight.
    @ParameterizedTest
    @ValueSource(doubles = {0.17, 0.27, 0.37, 0.47})
    @Requirement("REQ-OR-030")
    void whatCostsNothingStillRunsAtTheCap(double budget) {
        SimulatedCluster run = run(1, budget, "", false, Duration.ZERO);
        assertThat(run.work.spent).isLessThanOrEqualTo(budget);
        assertThat(text(run, "failed.json")).isEmpty();
        assertThat(Json.parse(text(run, "result.json").orElseThrow()).path("best_score").isNumber()).isTrue();
        List<KnownStep> steps = Walk.READABLE.steps(run.records(), "r").toList();
        assertThat(steps).filteredOn(step -> step.result().orElseThrow().isStopped())
                .filteredOn(step -> step.request().isScript()).isEmpty();
    }

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
        StepRequest root = World.begun(records, run);
        records.create(SUMMARY, new StepRequest("agent/summarize", Json.tree(new Summarize("x", "y")), root.work(),
                World.NOW, CurrentLimits.of(run).finalizeAt(), false));
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
        one.until(() -> answersCost() > 0);
        StoreSummary.Sums sums = summary.sums();
        assertThat(sums.runs()).containsOnlyKeys(RunStatus.RUNNING, RunStatus.FAILED)
                .containsEntry(RunStatus.RUNNING, 3).containsEntry(RunStatus.FAILED, 1);
        assertThat(sums.budgetUsd()).isEqualTo(5);
        assertThat(sums.budgetLeftUsd()).isCloseTo(5 - answersCost(), within(1e-9));
    }

    /// By the runs that have a budget.
    private double answersCost() {
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
