package io.mlestar.app.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SetVariablesTest {
    @Test
    void anEmptyVariableCountsAsNoneButNoDevicesAreNoGpu() {
        assertThat(new CompositionRoot(
                Map.of("MLE_STAR_STORE", "", "MLE_STAR_PYTHON", "python3", "CUDA_VISIBLE_DEVICES", "")).environment())
                .isEqualTo(Map.of("MLE_STAR_PYTHON", "python3", "CUDA_VISIBLE_DEVICES", ""));
    }
}
