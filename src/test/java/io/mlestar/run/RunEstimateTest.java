package io.mlestar.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.task.AgentType;
import io.mlestar.task.PipelineConfig;
import io.mlestar.task.Preset;
import io.mlestar.task.Price;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunEstimateTest {
    private static final Price SONNET = new Price(2, 10, null, null);

    private static RunEstimate of(Preset preset) {
        return RunEstimate.of(PipelineConfig.resolve(preset.settings(), Map.of()), 2);
    }

    /// As a whole run with the default settings asked a stand-in: 145 calls, of which one program crashed.
    @Test
    void aDefaultRunIsEstimatedAsOneWasMeasured() {
        RunEstimate estimate = RunEstimate.of(PipelineConfig.defaults(), 2);
        assertThat(estimate.calls()).containsAllEntriesOf(Map.of(AgentType.ABLATION, 8, AgentType.CODER, 32, AgentType.PLANNER, 24, AgentType.LEAKAGE, 45,
                AgentType.ENS_PLANNER, 5, AgentType.ENSEMBLER, 5, AgentType.TEST, 2, AgentType.INIT, 4, AgentType.MERGER, 1));
        assertThat(estimate.callCount()).isEqualTo(145);
        assertThat(estimate.scripts()).isEqualTo(52);
        assertThat(estimate.callsInARow()).isEqualTo(83);
        assertThat(estimate.scriptsInARow()).isEqualTo(30);
        assertThat(estimate.dollars(agent -> Optional.of(SONNET)).getAsDouble()).isCloseTo(1.90, within(0.01));
    }

    /// A run with one path has no ensemble. Measured: 20 calls, and none of its programs crashed, which would have been two more.
    @Test
    void aQuickRunIsEstimatedAsOneWasMeasured() {
        assertThat(of(Preset.QUICK).callCount()).isEqualTo(22);
        assertThat(of(Preset.QUICK).calls()).containsEntry(AgentType.ENSEMBLER, 0).containsEntry(AgentType.LEAKAGE, 8);
        assertThat(of(Preset.QUICK).dollars(agent -> Optional.of(SONNET)).getAsDouble()).isLessThan(0.3);
    }

    /// Measured with four models in place of six, and no crash: 366 calls.
    @Test
    void aRunWithTheMostIsEstimatedAsOneWasMeasured() {
        assertThat(of(Preset.MAX).callCount()).isEqualTo(366 + 2 * 2 + 2);
        assertThat(of(Preset.MAX).calls()).containsEntry(AgentType.PLANNER, 80).containsEntry(AgentType.CODER, 96);
    }

    @Test
    void whereAPriceIsUnknownSoIsTheSum() {
        assertThat(of(Preset.QUICK).dollars(agent -> agent == AgentType.CODER ? Optional.empty() : Optional.of(SONNET))).isEmpty();
    }

    @Test
    void moreSlotsNeverMakeMoreScriptsInARow() {
        for (Preset preset : Preset.values()) {
            PipelineConfig config = PipelineConfig.resolve(preset.settings(), Map.of());
            assertThat(RunEstimate.of(config, 1).scriptsInARow()).isEqualTo(RunEstimate.of(config, 1).scripts());
            for (int slots = 1; slots < 20; slots++) {
                assertThat(RunEstimate.of(config, slots + 1).scriptsInARow()).isLessThanOrEqualTo(RunEstimate.of(config, slots).scriptsInARow());
            }
        }
    }
}
