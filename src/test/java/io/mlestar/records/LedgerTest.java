package io.mlestar.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.engine.DrivenRun;
import io.mlestar.step.StepPath;
import io.mlestar.store.MemoryStore;
import io.mlestar.store.WatchedStore;
import org.junit.jupiter.api.Test;

class LedgerTest {
    /// In a bucket each listing is a round trip.
    @Test
    @Requirement("REQ-OR-029")
    void whatWasSpentIsAddedUpOnceBeforeACallAndOnceAfterIt() {
        WatchedStore store = new WatchedStore(new MemoryStore());
        DrivenRun run = DrivenRun.start(store, "r", "{\"max_budget_usd\": 50}", 0);
        while (run.records().request(StepPath.parse("r/phase1/retriever")).isEmpty()) {
            run.goOn(1);
        }
        store.forget();
        run.goOn(1);
        assertThat(run.records().result(StepPath.parse("r/phase1/retriever"))).isPresent();
        assertThat(store.listed()).containsExactly("runs/r", "runs/r/steps", "runs/r/steps/phase1", "runs/r/steps", "runs/r/steps/phase1");
    }
}
