package io.mlestar.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.adapter.model.Models;
import io.mlestar.adapter.script.Machine;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.MemoryStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a run is refused for at its start.
class LaunchTest {
    private static final Map<String, String> KEYS = Map.of("OPENAI_API_KEY", "k", "ANTHROPIC_API_KEY", "k");
    private static final JsonNode TASK = Json.parse("""
            {"competition_id": "mini", "task_type": "tabular", "data_modality": "tabular", "evaluation_metric": "AUC",
             "metric_direction": "maximize", "description": "Predict y.", "data_dir": "input"}""");

    @ParameterizedTest
    @CsvSource({"house-prices, house-prices-1", "House Prices: 2, House-Prices--2-1", "Übersicht, bersicht-1", "?, run-1", "../x..y, x.y-1"})
    void aRunIsCalledAfterItsTaskWhateverThatIsCalled(String task, String run) {
        assertThat(Launch.runId(task, "1")).isEqualTo(run);
        assertThat(StepPath.root(Launch.runId(task.repeat(100), "1122-1031")).run()).endsWith("-1122-1031");
    }

    private static RunHeader header(String config, Map<String, String> environment) {
        return new Launch(new Models(environment), Prompts.load(Map.of()), new Machine(2, 1L << 33, List.of()), environment)
                .header(Optional.of("run"), "", TASK, Json.parse(config), Path.of("src/test/resources/mini").toAbsolutePath(), Instant.now());
    }

    @ParameterizedTest
    @Requirement({"REQ-OR-028", "REQ-OR-029"})
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    {"max_budget_usd": 5, "model": "openai:unknown"}                                          | model openai:unknown is unknown; set prices
                    {"max_budget_usd": 5, "model": "sonnet", "agents": {"coder": {"model": "openai:unknown"}}} | model openai:unknown (agents.coder.model) is unknown; set prices
                    {"max_budget_usd": 5, "model": "anthropic:unknown", "prices": {"openai:unknown": {"input": 1, "output": 1}}} | model anthropic:unknown is unknown
                    """)
    void aBudgetWithAModelOfUnknownPriceIsRefused(String config, String said) {
        assertThatExceptionOfType(Invalid.class).isThrownBy(() -> header(config, KEYS)).withMessageContaining("max_budget_usd")
                .withMessageContaining(said);
    }

    @Test
    void soIsOneWhereADaysMoneyIsLimited() {
        Map<String, String> limited = new HashMap<>(KEYS);
        limited.put("MLE_STAR_BUDGET_PER_DAY", "20");
        assertThatExceptionOfType(Invalid.class).isThrownBy(() -> header("{\"model\": \"openai:unknown\"}", limited))
                .withMessageContaining("MLE_STAR_BUDGET_PER_DAY needs prices");
        assertThat(header("{\"model\": \"sonnet\"}", limited).runId()).isEqualTo("run");
    }

    @Test
    @Requirement("REQ-OR-008")
    void aToolThatAnAgentMustNotHaveIsRefusedBeforeAnythingIsPaidFor() {
        assertThatExceptionOfType(Invalid.class).isThrownBy(() -> header("{\"agents\": {\"planner\": {\"tools\": [\"Read\", \"Bash\"]}}}", KEYS))
                .withMessage("agents.planner.tools must not hold \"Bash\"; this agent may have Read, RunPython, ParseScore, ListFiles");
        assertThat(header("{\"agents\": {\"planner\": {\"tools\": [\"ListFiles\", \"ParseScore\"]}}}", KEYS).config().models().agents())
                .containsOnlyKeys("planner");
    }

    @ParameterizedTest
    @Requirement({"REQ-OR-028", "REQ-OR-029"})
    @ValueSource(strings = {
        "{\"model\": \"openai:unknown\"}",
        "{\"max_budget_usd\": 5, \"model\": \"sonnet\"}",
        "{\"max_budget_usd\": 5, \"model\": \"ollama:any\"}",
        "{\"max_budget_usd\": 5, \"model\": \"openai:unknown\", \"prices\": {\"openai:unknown\": {\"input\": 1, \"output\": 2}}}"})
    void otherwiseItIsNot(String config) {
        assertThat(header(config, KEYS).runId()).isEqualTo("run");
    }

    @Test
    void aStoredRunThatAsksForMoreThanCouldBeMeantIsNotTakenUp() {
        Records records = new Records(new MemoryStore());
        String stored = Json.line(header("{\"model\": \"openai:x\"}", KEYS)).replace("\"outer_loop_steps\":4", "\"outer_loop_steps\":1000000000");
        records.store().create("runs/run/run.json", ChecksummedJson.bytes(Json.parse(stored)));
        assertThatExceptionOfType(DamagedRecord.class).isThrownBy(() -> records.header("run"))
                .withMessageContaining("outer_loop_steps must be at most 1000, but is 1000000000");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"task_ref": "/etc/passwd"}                             | task_ref must be s3://BUCKET/KEY
            {"task_ref": 7}                                         | task_ref must be a text
            {"task": {}, "task_ref": "s3://bucket/task.json"}       | say task or task_ref, not both
            {"task": {}, "config": {}, "config_ref": "s3://b/c.json"} | say config or config_ref, not both
            {"task": {}, "config_ref": "config.json"}               | config_ref must be s3://BUCKET/KEY
            """)
    void aTaskThatLiesElsewhereLiesInABucket(String request, String said) {
        Launch launch = new Launch(new Models(KEYS), Prompts.load(Map.of()), new Machine(2, 1L << 33, List.of()), KEYS);
        assertThatExceptionOfType(Invalid.class)
                .isThrownBy(() -> launch.requested(new Records(new MemoryStore()), Json.parse(request), "", Path.of("/"), Instant.now()))
                .withMessageContaining(said);
    }
}
