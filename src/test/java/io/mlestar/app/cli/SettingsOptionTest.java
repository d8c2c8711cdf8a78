package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Json;
import io.mlestar.core.task.FinalChoice;
import io.mlestar.core.task.PipelineConfig;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsOptionTest {
    private static SettingsOption option(String preset, String... fields) {
        SettingsOption option = new SettingsOption();
        option.preset = preset;
        option.settings = List.of(fields);
        return option;
    }

    @Test
    void aPresetLiesUnderTheFileAndTheFileUnderWhatIsSet(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("config.yaml"), "studies: 2\nattempts: 3\n");
        assertThat(option("quick", "attempts=5").over(file)).isEqualTo(Json
                .parse("""
                        {"search": "strong", "num_retrieved_models": 2, "num_parallel_solutions": 1, "attempts": 5, "studies": 2,
                         "phase_time_budget": {"phase1": 0.2, "phase2": 0.55, "phase3": 0.15, "finalization": 0.1},
                         "subsample_limit": 10000}"""));
    }

    @Test
    void aFieldWithinOthersLeavesTheOthers(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("config.yaml"),
                "agents: {planner: {tools: [Read]}, coder: {model: haiku}}");
        assertThat(option(null, "agents.planner.model=opus", "agents.init.model=haiku", "prices.openai:gpt-4.1.input=2",
                "phase_time_budget.phase1=0.1")
                .over(file))
                .isEqualTo(Json
                        .parse("""
                                {"agents": {"planner": {"tools": ["Read"], "model": "opus"}, "coder": {"model": "haiku"}, "init": {"model": "haiku"}},
                                 "prices": {"openai:gpt-4.1": {"input": 2}}, "phase_time_budget": {"phase1": 0.1}}"""));
    }

    @Test
    void aForkKeepsWhatItDoesNotSet() {
        PipelineConfig other = PipelineConfig.resolve(
                Json.parse("""
                        {"agents": {"coder": {"model": "haiku"}}, "ensemble_rounds": 2}"""), Map.of());
        PipelineConfig fork =
                PipelineConfig.resolve(option("paper", "agents.planner.model=opus").onto(other), Map.of());
        assertThat(fork.models().agents()).containsOnlyKeys("coder", "planner");
        assertThat(fork.paper().ensembleRounds()).isEqualTo(2);
        assertThat(fork.paper().finalSolution()).isEqualTo(FinalChoice.ENSEMBLE);
    }
}
