package io.mlestar.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.records.RunHeader;
import io.mlestar.records.StepRequest;
import io.mlestar.records.StepResult;
import io.mlestar.step.StepPath;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchersTest {
    @Test
    void oneThatFailsDisturbsNeitherTheRunNorTheOthers() {
        List<StepPath> told = new ArrayList<>();
        Watcher failing = new Watcher() {
            @Override
            public void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {
                throw new IllegalStateException("made to fail");
            }
        };
        Watcher counting = new Watcher() {
            @Override
            public void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {
                told.add(step);
            }
        };
        new Watchers(failing, counting, failing).ended(null, StepPath.root("r"), null, null);
        assertThat(told).containsExactly(StepPath.root("r"));
    }
}
