package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.StepPath;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The cap of a run's money holds with everything in it, with a model whose answers cost several
/// times what is thought at first.
class CappedRunsTest {
    private static final double ANSWER = 0.05;

    private static SimulatedCluster run(long seed, double budget, String settings, boolean cluster,
            Duration killEvery) {
        return run(seed, budget, settings, cluster, killEvery, work -> {});
    }

    private static SimulatedCluster run(long seed, double budget, String settings, boolean cluster, Duration killEvery,
            Consumer<SimulatedWork> setting) {
        Weather weather =
                new Weather(cluster, 20_000, 5, 1, 8, 0, 0, killEvery, 0, Instant.MAX, Instant.MAX, budget, false);
        SimulatedCluster made = new SimulatedCluster(seed, weather, String.format(Locale.ROOT,
                "{\"num_retrieved_models\": 3, \"outer_loop_steps\": 2, \"time_limit_seconds\": 20000, \"max_budget_usd\": %s %s}",
                budget, settings), 0);
        made.work.price = step -> ANSWER;
        setting.accept(made.work);
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
        for (int cents = 5; cents < 400; cents += cents < 80 ? 3 : 37) {
            SimulatedCluster run =
                    run(cents, cents / 100.0, settings, false, Duration.ZERO, work -> work.writes = false);
            boolean hasScored = run.records().result(StepPath.root("r").child("phase1")).orElseThrow().scorings()
                    .stream().anyMatch(one -> one.score() != null);
            assertThat(run.work.spent).as("%d cents", cents).isLessThanOrEqualTo(cents / 100.0);
            assertThat(text(run, "result.json").map(result -> Json.parse(result).path("submission_source").asText())
                    .orElse("")).as("%d cents", cents)
                    .isEqualTo(hasScored ? "finalization" : "");
            scored += hasScored ? 1 : 0;
        }
        assertThat(scored).isGreaterThan(20);
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
        for (int seed = 0; seed < 20; seed++) {
            double budget = 0.1 + 0.1 * seed;
            SimulatedCluster run = run(seed, budget, "", cluster, Duration.ofSeconds(killEvery));
            kills += run.kills;
            assertThat(run.work.spent).as("seed %d", seed).isLessThanOrEqualTo(budget + ANSWER);
        }
        assertThat(kills > 20).isEqualTo(killEvery > 0);
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
}
