package io.mlestar.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.step.StepPath;
import io.mlestar.task.DataModality;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.LeakageTiming;
import io.mlestar.task.MetricDirection;
import io.mlestar.task.PipelineConfig;
import io.mlestar.task.Price;
import io.mlestar.task.TaskDescription;
import io.mlestar.task.TaskType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs on paper: the figures that they give, and that nothing in them waits for the engine.
class PlanTest {
    private static final Assumed ASSUMED = new Assumed(10, 30);
    private static final double MOST_ENGINE = 0.02;
    private static final Map<String, Object> SMALL = Map.of("num_retrieved_models", 2, "outer_loop_steps", 1, "inner_loop_steps", 4);
    private static final Map<String, Object> TOGETHER =
            Map.of("merges_at_once", 3, "attempts_at_once", 4, "rounds_at_once", 5, "leakage_check", LeakageTiming.BESIDE);

    private static TaskDescription task(MetricDirection direction) {
        return new TaskDescription("paper", TaskType.TABULAR, DataModality.TABULAR, "AUC", direction, "Predict y.", "/nowhere", null);
    }

    private static PipelineConfig config(Map<String, ?> settings) {
        return PipelineConfig.resolve(Json.tree(settings), Map.of());
    }

    private static Forecast play(PipelineConfig config, int gpus) {
        return PlannedRun.play(task(MetricDirection.MAXIMIZE), config, ASSUMED, gpus, (model, tokens) -> Optional.of(new Price(3, 15, null, null)));
    }

    @Test
    void lengthsAreLogNormalAboutTheirMedians() {
        double[] minutes = IntStream.range(0, 4_001).mapToObj(i -> ASSUMED.script(StepPath.parse("r/step" + i)))
                .mapToDouble(length -> length.toMillis() / 60_000.0).sorted().toArray();

        assertThat(minutes[2_000]).isEqualTo(10, within(0.3));
        assertThat(minutes[3_600]).as("one of ten takes half as long again").isEqualTo(14.7, within(0.7));
        assertThat(DoubleStream.of(minutes).map(Math::log).average().orElseThrow()).isEqualTo(Math.log(10), within(0.02));
        assertThat(ASSUMED.script(StepPath.parse("a/step7"))).as("whatever the run is called").isEqualTo(ASSUMED.script(StepPath.parse("b/step7")));
    }

    @Test
    void theSizesOfCallsAreThoseThatTheDocumentTells() throws IOException {
        List<MatchResult> rows = Pattern.compile("(?m)^\\| (writes programs|decides where to go|reads and checks) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|")
                .matcher(Files.readString(Path.of("docs/getting-the-best.md"))).results().toList();

        assertThat(rows.stream().map(row -> List.of(Integer.parseInt(row.group(2)), Integer.parseInt(row.group(3)), Integer.parseInt(row.group(4)))))
                .containsExactlyElementsOf(List.of(CallSize.values()).stream().map(size -> List.of(size.calls, size.input, size.output)).toList());
    }

    @ParameterizedTest
    @EnumSource
    void aRunGoesItsWholeWay(MetricDirection direction) {
        Forecast forecast = PlannedRun.play(task(direction), config(Map.of("outer_loop_steps", 2)), ASSUMED, 2, (model, tokens) -> Optional.empty());

        assertThat(forecast.cut()).isNull();
        assertThat(forecast.scripts()).as("candidates, merges, two studies and eight attempts a path, rounds, the last").isEqualTo(4 + 3 + 2 * (2 + 8) + 5 + 1);
        assertThat(forecast.costUsd()).as("the price is unknown").isNull();
        assertThat(forecast.path().parts()).containsOnlyKeys("phase1", "phase2", "phase3", "finalization");
    }

    @Test
    void nothingWaitsForTheEngineAndWhatRunsSideBySideTakesHalfTheTimeAtTheSamePrice() {
        PipelineConfig given = config(SMALL);
        Forecast inSequence = play(given, 8);
        Forecast sideBySide = play(WhatIf.with(given, TOGETHER), 8);
        Forecast alone = play(given, 1);

        assertThat(List.of(inSequence, sideBySide, alone)).allSatisfy(forecast -> {
            assertThat(forecast.engineShare()).isBetween(0.0, MOST_ENGINE);
            assertThat(forecast.path().all().path().plus(forecast.path().all().engine())).isEqualTo(forecast.took());
            assertThat(forecast.calls()).isEqualTo(inSequence.calls());
            assertThat(forecast.scripts()).isEqualTo(inSequence.scripts());
            assertThat(forecast.costUsd()).isEqualTo(inSequence.costUsd());
        });
        assertThat(inSequence.path().all().gpus()).as("eight GPUs are enough for two paths").isLessThan(Duration.ofMinutes(1));
        assertThat(alone.path().all().gpus()).isGreaterThan(Duration.ofMinutes(5));
        assertThat(ratio(sideBySide, inSequence)).isLessThan(0.55);
        assertThat(ratio(sideBySide, alone)).isLessThan(0.45);
    }

    /// Whichever of them is scored first.
    @Test
    void mergesThatAreUnderWayAtOnceGoTheirWholeWayToo() {
        PipelineConfig given = config(Map.of("num_retrieved_models", 4, "outer_loop_steps", 1, "inner_loop_steps", 1, "num_parallel_solutions", 1));
        Forecast inSequence = play(given, 4);
        for (int gpus : List.of(1, 2, 4)) {
            Forecast ahead = play(WhatIf.with(given, Map.of("merges_at_once", 3)), gpus);
            assertThat(ahead.scripts()).isEqualTo(inSequence.scripts());
            assertThat(ahead.calls()).isEqualTo(inSequence.calls());
            assertThat(gpus < 4 || ratio(ahead, inSequence) < 0.85).as("%d GPUs: %s and %s", gpus, ahead.took(), inSequence.took()).isTrue();
        }
    }

    private static double ratio(Forecast one, Forecast other) {
        return (double) one.took().toMillis() / other.took().toMillis();
    }

    @Test
    void theTimeLimitCutsAPlanAsItCutsARun() {
        Forecast forecast = play(config(Map.of("time_limit_seconds", 7200)), 1);

        assertThat(forecast.cut()).contains("time");
        assertThat(forecast.took()).isLessThanOrEqualTo(Duration.ofSeconds(7215));
        assertThat(forecast.scripts()).isLessThan(53);
    }

    @Test
    void aBudgetCutsAPlanAsItCutsARun() {
        assertThat(play(config(Map.of("max_budget_usd", 0.2)), 8).cut()).contains("budget");
    }

    @Test
    void choicesThatChangeNothingAreNotPlannedTwice() {
        List<WhatIf> choices = WhatIf.all(task(MetricDirection.MAXIMIZE), config(Map.of("num_retrieved_models", 1, "outer_loop_steps", 1,
                "inner_loop_steps", 1, "ensemble_rounds", 1, "rounds_at_once", 5)), ASSUMED, 3, (model, tokens) -> Optional.empty());

        assertThat(choices).extracting(WhatIf::changes).containsExactly(Map.of(), Map.of("merges_at_once", 3), Map.of("attempts_at_once", 4),
                Map.of("leakage_check", LeakageTiming.BESIDE), TOGETHER);
        assertThat(choices.getFirst().forecasts()).extracting(Forecast::gpus).containsExactly(1, 2, 3);

        PlanReport report = new PlanReport(ASSUMED, choices);
        JsonNode json = report.json();
        assertThat(json.path("assumed").path("script_minutes").asDouble()).isEqualTo(10);
        assertThat(json.path("plans").get(0).path("critical_path").path("phase2").path("scripts_hours").asDouble()).isPositive();
        assertThat(json.path("plans").get(0).path("cost_usd").isNull()).isTrue();
        assertThat(report.text()).contains("This is a plan", "a script takes 10:00 min", "The settings as given", "attempts_at_once = 4",
                "leakage_check = beside",
                "unknown", "finalization");
    }

    @Test
    void aLengthThatIsNoneIsRefused() {
        assertThatThrownBy(() -> new Assumed(0, 30)).isInstanceOf(Invalid.class).hasMessageContaining("--script-minutes must be more than 0");
        assertThatThrownBy(() -> new Assumed(10, 601)).isInstanceOf(Invalid.class).hasMessageContaining("--call-seconds must be more than 0 and at most 600");
        assertThatThrownBy(() -> new Assumed(Double.NaN, 30)).isInstanceOf(Invalid.class);
    }
}
