package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a run leaves behind is nothing to the next.
class IndependentRunsTest {
    private static final String CONFIG = "{\"outer_loop_steps\": 2, \"inner_loop_steps\": 2, \"ensemble_rounds\": 2}";
    private static final long FIRST = 3;
    private static final long SECOND = 4;

    private static JsonNode result(Store store, String run, long seed) {
        MadeRun.ended(store, run, CONFIG, seed, 10);
        return store.read("runs/" + run + "/result.json").map(Json::parse).map(result -> {
            ObjectNode bare = (ObjectNode) result;
            bare.remove(List.of("run_id", "sha256"));
            return Json.parse(Json.text(bare).replace("runs/" + run + "/", "runs/"));
        }).orElseThrow();
    }

    @Test
    @Requirement("REQ-OR-051")
    void aRunAfterOneThatFailedIsTheSameAsInAnEmptyStore() {
        Store shared = new MemoryStore();
        MadeRun.ended(shared, "failed", CONFIG, FIRST, 100);
        assertThat(shared.list("runs/failed/steps")).isNotEmpty();

        assertThat(result(shared, "two", SECOND)).isEqualTo(result(new MemoryStore(), "two", SECOND));
    }
}
