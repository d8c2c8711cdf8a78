package io.mlestar.app.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Waiting;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.StepPath;
import org.junit.jupiter.api.Test;

class JobsTest extends OneEngine {
    @Test
    void aScriptWhoseStepNeedsMoreMemoryThanThereIsFailsAndDoesNotHoldUpTheRun() {
        world.running(job -> {
            throw new OutOfMemoryError("Java heap space");
        });
        RunHeader run = World.header("r", "{}");
        StepPath step = StepPath.parse("r/script");
        StepRequest root = World.begun(records, run);
        records.create(step, new StepRequest("script", Json.object().put("timeout_seconds", 60).put("fold", 0),
                root.work(), World.NOW, run.deadline(), false));

        new Jobs(engine).run(step);

        Waiting.until("the step has ended", () -> records.result(step).isPresent());
        StepResult ended = records.result(step).orElseThrow();
        assertThat(ended.status()).isEqualTo(StepResult.Status.FAILED);
        assertThat(ended.reason())
                .isEqualTo("the program could not finish it: java.lang.OutOfMemoryError: Java heap space");
    }
}
