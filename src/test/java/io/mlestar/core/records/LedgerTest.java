package io.mlestar.core.records;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.World;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.ForwardingStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import io.mlestar.core.store.WatchedStore;
import io.mlestar.show.log.Ear;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The spending of a run, and of all runs of a store in a day.
class LedgerTest {
    private static final Instant NOON = Instant.parse("2026-11-22T12:30:00Z");
    private static final StepPath STEP = StepPath.parse("r/phase1/retriever");
    private static final String CONFIG = """
            {"num_retrieved_models": 2, "outer_loop_steps": 1, "inner_loop_steps": 2, "num_parallel_solutions": 1}""";

    private final Store store = new MemoryStore();

    /// In a bucket each listing is a round trip.
    @Test
    @Requirement("REQ-OR-029")
    void whatWasSpentIsAddedUpOnceForACall() {
        WatchedStore store = new WatchedStore(new MemoryStore());
        DrivenRun run = DrivenRun.start(store, "r", "{\"max_budget_usd\": 50}", 0);
        while (run.records().request(StepPath.parse("r/phase1/retriever")).isEmpty()) {
            run.goOn(1);
        }
        store.forget();
        run.goOn(1);
        assertThat(run.records().result(StepPath.parse("r/phase1/retriever"))).isPresent();
        assertThat(store.listed()).containsExactly("runs/r", "runs/r/steps", "runs/r/steps/phase1");
    }

    @Test
    @Requirement({"REQ-OR-027", "REQ-OR-032"})
    void whatAPhaseTellsOfItsStepsIsWhatTheyTell() {
        OneEngine run = new OneEngine();
        run.runToTheEnd("{\"outer_loop_steps\": 1}");
        Ledger.Account told = new Ledger(run.records).of(StepPath.root("r"));
        Ledger.Account walked = new Ledger(new Records(new UntoldStore(run.store))).of(StepPath.root("r"));
        assertThat(walked).isEqualTo(told);
        assertThat(told.measured().answers()).containsKeys("retriever", "leakage", "coder", "test-subsampling_extract")
                .allSatisfy((agent, dearest) -> assertThat(dearest.usd()).isEqualTo(run.world.cost));
        assertThat(told.measured().hasScored()).isTrue();
        assertThat(run.records.result(StepPath.parse("r/phase1")).orElseThrow().totals()).isNotNull()
                .extracting(Totals::measured)
                .satisfies(phase1 -> assertThat(phase1.answers()).containsKey("init").doesNotContainKey("coder"));
    }

    /// Shows results as a program stored them that did not yet keep what the steps of a phase took
    /// in its result.
    private static final class UntoldStore extends ForwardingStore {
        UntoldStore(Store inner) {
            super(inner);
        }

        @Override
        public Optional<byte[]> read(String key) {
            return super.read(key).map(bytes -> {
                ObjectNode record = (ObjectNode) Json.parse(bytes);
                return record.remove("totals") == null ? bytes
                        : ChecksummedJson.bytes(record.without(List.of("program", "format", "sha256")));
            });
        }
    }

    /// Whichever of the processes of a cluster asks next.
    @Test
    @Requirement("REQ-OR-029")
    void fourFifthsOfABudgetAreSaidOnceAndOfMoreMoneyAgain() {
        MemoryStore store = new MemoryStore();
        List<String> said = new ArrayList<>();
        try (Ear ear = new Ear("mle_star", line -> said.add(line.getMessage()))) {
            for (double spent : List.of(1.0, 7.99, 8.0, 8.5, 9.9)) {
                new Ledger(new Records(store)).warn("ledger-test", spent, 10);
            }
            assertThat(said).filteredOn(line -> line.contains("ledger-test")).singleElement().asString()
                    .contains("$8.0000", "80%", "$10.0000");
            new Ledger(new Records(store)).warn("ledger-test", 11, 20);
            new Ledger(new Records(store)).warn("ledger-test", 16, 20);
            assertThat(said).filteredOn(line -> line.contains("ledger-test")).hasSize(2);
        }
    }

    @Test
    @Requirement("REQ-OR-029")
    void aRunThatComesNearItsBudgetSaysSo() {
        MemoryStore store = new MemoryStore();
        DrivenRun.withScoredStudies(store, "r", "{\"max_budget_usd\": 0.1}", 0.01).untilTheEnd();
        assertThat(store.list("runs/r")).contains("warned-0.1.json");
        DrivenRun.withScoredStudies(store, "rich", "{\"max_budget_usd\": 1000}", 0.01).untilTheEnd();
        assertThat(store.list("runs/rich")).noneMatch(name -> name.startsWith("warned-"));
    }

    @Test
    void aCallCountsWithWhatItMayCostUntilItIsKnownWhatItDid() {
        DailyBudget budget = new DailyBudget(store, 1);
        DailyBudget.PaidCall first = budget.begin(STEP, 1, false, NOON, 0.25);
        assertThat(budget.spent(NOON)).isEqualTo(0.25);
        first.ended(0.125);
        DailyBudget.PaidCall died = budget.begin(STEP, 2, false, NOON, 0.5);
        died.ended(null);
        assertThat(new DailyBudget(store, 1).spent(NOON.plusSeconds(60))).as("another process").isCloseTo(0.625,
                within(1e-9));
        first.ended(0.125);
        budget.begin(STEP, 1, false, NOON, 0.25);
        assertThat(budget.spent(NOON)).as("told twice").isCloseTo(0.625, within(1e-9));
        assertThat(budget.exceeds("other", NOON, 0.5, 0)).isEmpty();
        budget.begin(STEP, 3, false, NOON, 0.5);
        assertThat(budget.exceeds("other", NOON, 0.5, 0)).get().asString().contains(
                "$1.0000 a day for all runs of this store would be passed", "$0.6250",
                "$0.5000");
        assertThat(budget.spent(Instant.parse("2026-11-23T00:00:01Z"))).as("the next day").isZero();
    }

    /// In a bucket each listing is a round trip.
    @Test
    void anHourThatIsOverIsListedOnce() {
        WatchedStore watched = new WatchedStore(store);
        DailyBudget budget = new DailyBudget(watched, 1);
        budget.begin(STEP, 1, false, NOON.minus(Duration.ofHours(5)), 0.25);
        assertThat(budget.spent(NOON)).isEqualTo(0.25);
        assertThat(watched.listed()).hasSize(14);
        watched.forget();
        assertThat(budget.spent(NOON)).isEqualTo(0.25);
        assertThat(watched.listed()).containsExactly("spending/2026-11-22/kept", "spending/2026-11-22/11",
                "spending/2026-11-22/12");
        assertThat(watched.read()).isEmpty();
    }

    @Test
    void aRunLeavesWhatOthersKeepForTheirFinalizationAlone() {
        DailyBudget budget = new DailyBudget(store, 1);
        budget.begin(STEP, 1, false, NOON, 0.25).ended(0.25);
        assertThat(budget.exceeds("a", NOON, 0, 0.125)).isEmpty();
        assertThat(budget.exceeds("a", NOON, 0, 0.25)).as("it keeps more, by what it has measured").isEmpty();
        assertThat(budget.exceeds("b", NOON, 0, 0.5)).isEmpty();
        assertThat(new DailyBudget(store, 1).exceeds("c", NOON, 0, 0.125)).get().asString()
                .contains("$0.8750 is kept for finalization");
        budget.endsRun("c", NOON);
        budget.begin(STEP, 2, false, NOON, 0.25);
        assertThat(budget.exceeds("b", NOON, 0.25, 0.5)).isPresent();
        assertThat(budget.exceeds("a", NOON, 0.25, 0)).as("its finalization may spend what it has kept").isEmpty();
        budget.begin(StepPath.parse("a/finalization/test"), 1, true, NOON, 0.125).ended(0.0625);
        assertThat(new DailyBudget(store, 1).exceeds("d", NOON, 0, 0.125)).get().asString().contains("$0.5625 spent",
                "$0.8125 is kept for finalization");
        budget.endsRun("d", NOON);
        budget.endsRun("a", NOON);
        assertThat(budget.exceeds("b", NOON, 0, 0.5)).as("a has ended, and b keeps what is left").isPresent();
        assertThat(budget.exceeds("b", NOON, 0, 0)).isEmpty();
        assertThat(budget.spent(NOON)).isEqualTo(0.5625);
    }

    @Test
    void runsOfOneStoreStopWhenTheDaysMoneyIsUsedUp() {
        store.create("kept", "id,y\n1,0\n".getBytes());
        for (long seed = 0; seed < 10; seed++) {
            World world = new World(seed, 0);
            world.budgetPerDay = 0.5;
            world.estimate = 0.01;
            Instant midnight = World.NOW.plus(Duration.ofDays(seed));
            OneEngine one = new OneEngine(store, world, OneEngine.MovingClock.ticking(midnight, 0), new Watcher() {});
            List<Engine> processes = Stream.generate(() -> one.process(new Records(store), world)).limit(3).toList();
            List<String> runs = List.of("a" + seed, "b" + seed, "c" + seed);
            runs.forEach(run -> one.engine.start(World.header(run, CONFIG, midnight)));
            one.deliverAtRandom(new Random(seed), processes);

            assertThat(runs.stream().mapToDouble(run -> spent(one.records, run)).sum()).as("seed %d", seed)
                    .isBetween(0.4, 0.5 + 1e-9);
            assertThat(runs).allSatisfy(
                    run -> assertThat(Json.parse(store.read("runs/" + run + "/result.json").orElseThrow())
                            .path("submission_source").asText()).as("%s kept enough", run).isEqualTo("finalization"));
            assertThat(runs).as("who says why").anySatisfy(run -> assertThat(
                    Walk.READABLE.steps(one.records, run).map(step -> step.result().orElseThrow().reason()))
                    .anyMatch(reason -> reason != null && reason.contains("a day for all runs of this store")));
        }
    }

    private static double spent(Records records, String run) {
        return Walk.READABLE.steps(records, run).filter(step -> step.request().isAgent())
                .mapToDouble(step -> step.result().orElseThrow().costUsd()).sum();
    }

    @Test
    void aNewRunIsRefusedOnADayWhoseMoneyIsUsedUp() {
        Map<String, String> environment = Map.of(DailyBudget.VARIABLE, "0.5");
        DailyBudget.check(environment, store, NOON);
        new DailyBudget(store, 0.5).begin(STEP, 1, false, NOON, 0.1).ended(0.5);
        refusal(() -> DailyBudget.check(environment, store, NOON)).isEqualTo(
                "the $0.5000 a day for all runs of this store are used up: $0.5000 spent today (UTC); begin the run tomorrow, or raise MLE_STAR_BUDGET_PER_DAY");
        DailyBudget.check(Map.of(), store, NOON);
        DailyBudget.check(environment, store, NOON.plus(Duration.ofDays(1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"much", "0", "-1", "NaN", "1e99", "5 dollars"})
    void whatIsNoAmountIsRefused(String said) {
        refusal(() -> DailyBudget.of(Map.of(DailyBudget.VARIABLE, said))).contains("MLE_STAR_BUDGET_PER_DAY",
                "\"" + said + "\"");
        assertThat(DailyBudget.of(Map.of(DailyBudget.VARIABLE, " "))).isEmpty();
        assertThat(DailyBudget.of(Map.of(DailyBudget.VARIABLE, "12.5"))).hasValue(12.5);
    }
}
