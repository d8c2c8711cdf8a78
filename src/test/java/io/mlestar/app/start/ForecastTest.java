package io.mlestar.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.start.Forecast.CallSize;
import io.mlestar.app.start.Forecast.RunDurations;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Preset;
import io.mlestar.core.task.Price;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.TaskType;
import module java.base;
import org.junit.jupiter.api.Test;

/// The formula against the real engine and phases, played on a virtual clock.
class ForecastTest {
    private static final RunDurations DURATIONS = new RunDurations(10, 30);
    private static final BiFunction<String, Long, Optional<Price>> PRICES =
            (model, tokens) -> Optional.of(new Price(3, 15));
    private static final TaskDescription TASK =
            new TaskDescription("paper", TaskType.TABULAR, DataModality.TABULAR, "AUC", MetricDirection.MAXIMIZE,
                    "Predict y.", "/nowhere", null);
    private static final double CLOSE = 0.03;
    /// The tolerance where paths that try several attempts at once share too few slots.
    private static final double ROUGH = 0.15;
    private static final int SEEDS = 16;
    private static final Map<String, Integer> SETTINGS = new TreeMap<>(Map.of("num_retrieved_models", 6,
            "outer_loop_steps", 3, "inner_loop_steps", 6, "num_parallel_solutions", 4, "ensemble_rounds", 6));

    private static PipelineConfig config(Map<String, ?> settings) {
        return PipelineConfig.resolve(Json.tree(settings), Map.of());
    }

    /// @return by which part of what the run took the hours are off
    private static double agree(Map<String, ?> settings, RunDurations durations, int slots, double tolerance) {
        PipelineConfig config = config(settings);
        Forecast forecast = Forecast.of(config, durations, slots, PRICES);
        PlannedRun played = PlannedRun.play(TASK, config, durations, slots, PRICES);
        assertThat(played.cut()).isNull();
        assertThat(forecast.calls()).as("calls, %s", settings).isEqualTo(played.calls());
        assertThat(forecast.scripts()).as("scripts, %s", settings).isEqualTo(played.scripts());
        assertThat(forecast.costUsd()).as("cost, %s", settings).isEqualTo(played.costUsd(), within(1e-6));
        double hours = played.took().toMillis() / 3.6e6;
        assertThat(forecast.hours()).as("hours, %s on %d slots", settings, slots).isEqualTo(hours,
                within(tolerance * hours));
        return Math.abs(forecast.hours() - hours) / hours;
    }

    @Test
    void theDefaultsTakeWhatTheEngineTakes() {
        assertThat(List.of(1, 2, 4, 8)).allSatisfy(slots -> agree(Map.of(), DURATIONS, slots, CLOSE));
        Forecast paper = Forecast.of(PipelineConfig.defaults(), DURATIONS, 8, PRICES);
        assertThat(paper.calls()).isEqualTo(147);
        assertThat(paper.scripts()).as("candidates, merges, four studies and sixteen attempts a path, rounds, the last")
                .isEqualTo(4 + 3 + 2 * (4 + 16) + 5 + 1);
    }

    @Test
    void settingsAtRandomTakeWhatTheEngineTakes() {
        List<Double> errors = LongStream.rangeClosed(1, SEEDS).mapToObj(seed -> {
            Random random = new Random(seed);
            Map<String, Integer> settings = new TreeMap<>(Map.of("time_limit_seconds", 10 * 86_400));
            SETTINGS.forEach((field, most) -> settings.put(field, 1 + random.nextInt(most)));
            return agree(settings, new RunDurations(1 + random.nextInt(20), 5 + random.nextInt(40)),
                    1 + random.nextInt(8), ROUGH);
        }).sorted().toList();
        assertThat(errors.get(SEEDS * 3 / 4)).as("three of four").isLessThan(CLOSE);
    }

    @Test
    void aStrongRunIsOneAnswerAndItsFoldsForEachAttempt() {
        ObjectNode strong = Preset.STRONG.settings();
        Forecast whole = Forecast.of(PipelineConfig.resolve(strong, Map.of()), DURATIONS, 8, PRICES);
        assertThat(whole.calls()).as("first study, retriever, candidates, attempts, combination")
                .isEqualTo(1 + 1 + 4 + 36 + 1);
        assertThat(whole.scripts()).as("with five folds but for the study and the last one")
                .isEqualTo(5 * (4 + 36 + 1) + 1 + 1);
        assertThat(whole.hours()).as("the other folds of an attempt wait for its first").isGreaterThan(
                2 * Forecast
                        .of(PipelineConfig.resolve(strong.deepCopy().put("folds", 1), Map.of()), DURATIONS, 8, PRICES)
                        .hours());
    }

    @Test
    void aForecastSaysWhichLimitCutsTheRun() {
        assertThat(Forecast.of(config(Map.of()), DURATIONS, 8, PRICES).cut()).isNull();
        assertThat(Forecast.of(config(Map.of("time_limit_seconds", 7200)), DURATIONS, 1, PRICES).cut())
                .isEqualTo("the time limit");
        assertThat(Forecast.of(config(Map.of("time_limit_seconds", 36_000)), DURATIONS, 1, PRICES).cut())
                .isEqualTo("the share of Phase 1 in the time limit");
        assertThat(Forecast
                .of(config(
                        Map.of("phase_time_budget", Map.of("phase1", 1, "phase2", 97, "phase3", 1, "finalization", 1))),
                        DURATIONS, 1, PRICES)
                .cut()).as("the later phases do not need all of a day").isNull();
        assertThat(Forecast.of(config(Map.of("max_budget_usd", 0.2)), DURATIONS, 1, PRICES).cut())
                .isEqualTo("the budget");
        assertThat(
                Forecast.of(config(Map.of("max_budget_usd", 0.2)), DURATIONS, 1, (model, tokens) -> Optional.empty()))
                .extracting(Forecast::costUsd, Forecast::cut).as("no price is known").containsExactly(null, null);
    }

    @Test
    void theSizesOfCallsAreThoseOfTheDocument() throws IOException {
        List<MatchResult> rows = Pattern.compile(
                "(?m)^\\| (writes programs|decides where to go|reads and checks) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|")
                .matcher(Files.readString(Path.of("docs/sizing.md"))).results().toList();

        assertThat(rows.stream()
                .map(row -> List.of(Integer.parseInt(row.group(2)), Integer.parseInt(row.group(3)),
                        Integer.parseInt(row.group(4)))))
                .containsExactlyElementsOf(List.of(CallSize.values()).stream()
                        .map(size -> List.of(size.calls, size.input, size.output)).toList());
    }
}
