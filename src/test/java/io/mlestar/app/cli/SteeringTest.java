package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.records.Records;
import io.mlestar.core.store.FolderStore;
import module java.base;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The words that one says to a run from outside, and what is printed then.
class SteeringTest {
    @TempDir
    private Path folder;
    @TempDir
    private Path elsewhere;

    private DrivenRun run;

    @BeforeEach
    void begin() {
        run = DrivenRun.start(new FolderStore(folder), "r",
                "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"time_limit_seconds\": 3600, \"max_budget_usd\": 2}",
                0).until("phase1");
    }

    private String said(String... words) {
        return Typed.in(folder, words).wellEnded();
    }

    @Test
    void anExtendedRunSaysWhoExtendedItAndItsNewLimits() {
        Records records = run.records();
        Instant deadline = records.header("r").orElseThrow().deadline().plusSeconds(5_400);
        assertThat(said("extend", "r", "--add-minutes", "90", "--by", "ann"))
                .isEqualToIgnoringNewLines(
                        "run r may go on until " + deadline.truncatedTo(ChronoUnit.SECONDS) + " and spend $2.00");
        JsonNode limits = Json.parse(said("extend", "r", "--add-usd", "1.5", "--by", "ben", "--json"));
        assertThat(limits.path("deadline").asText()).isEqualTo(deadline.toString());
        assertThat(limits.path("max_budget_usd").asDouble()).isEqualTo(3.5);
        assertThat(said("status", "r")).contains("extended   90 min by ann, 2", "$1.50 by ben, 2");
        JsonNode status = Json.parse(said("status", "r", "--json"));
        assertThat(status.path("deadline").asText()).isEqualTo(deadline.toString());
        assertThat(status.path("extensions").findValuesAsText("by")).containsExactly("ann", "ben");
        run.until("finalization/test");
        assertThat(said("extend", "r", "--add-minutes", "1"))
                .contains("its finalization has begun, and nothing but that will use it");
        run.untilTheEnd();
        assertThat(new String(records.store().read("runs/r/report.html").orElseGet(() -> new byte[0]),
                StandardCharsets.UTF_8)).isEmpty();
        said("report", "r", "--out", elsewhere.resolve("report.html").toString());
        assertThat(elsewhere.resolve("report.html")).content().contains("ann gave the run 90 min more",
                "ben gave the run $1.50 more");
        assertThat(said("status", "r")).contains("completed", "extended   90 min by ann");
    }

    @Test
    void steeringCommandsPrintJson() {
        assertThat(Json.parse(said("tell", "r", "be quick", "--by", "ann", "--json")).path("text").asText())
                .isEqualTo("be quick");
        assertThat(said("cancel", "r", "--json"))
                .isEqualToIgnoringWhitespace("{\"run_id\": \"r\", \"asked\": true, \"ended\": false}");
        assertThat(said("cancel", "r", "--json"))
                .isEqualToIgnoringWhitespace("{\"run_id\": \"r\", \"asked\": false, \"ended\": false}");
        run.untilTheEnd();
        assertThat(said("cancel", "r", "--json"))
                .isEqualToIgnoringWhitespace("{\"run_id\": \"r\", \"asked\": false, \"ended\": true}");
        assertThat(said("cancel", "r")).isEqualToIgnoringNewLines("run r has ended already");
        JsonNode diff = Json.parse(said("diff", "r", "phase1/candidate0/init", "phase1/candidate1/init", "--json"));
        assertThat(diff.path("before").asText()).isEqualTo("phase1/candidate0/init");
        assertThat(diff.path("lines")).isNotEmpty();
        assertThat(Json.parse(said("prune", "--older-than", "1h", "--json")))
                .isEqualTo(Json.parse("{\"removed\": false, \"runs\": []}"));
        JsonNode pruned = Json.parse(said("prune", "r", "--yes", "--json"));
        assertThat(pruned.path("removed").asBoolean()).isTrue();
        assertThat(pruned.path("runs").path(0).path("run_id").asText()).isEqualTo("r");
        assertThat(pruned.path("runs").path(0).path("objects").asInt()).isGreaterThan(10);
        assertThat(Json.parse(said("runs", "--json"))).isEmpty();
    }
}
