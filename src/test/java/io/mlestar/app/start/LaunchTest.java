package io.mlestar.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Requirement;
import io.mlestar.adapter.model.Models;
import io.mlestar.adapter.script.Machine;
import io.mlestar.app.start.RunRequest.Fork;
import io.mlestar.app.start.RunRequest.NewTask;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.TaskDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a run is refused for at its start.
class LaunchTest {
    private static final Map<String, String> KEYS = Map.of("OPENAI_API_KEY", "k", "ANTHROPIC_API_KEY", "k");
    private static final Path DATA = Path.of("src/test/resources/mini/input").toAbsolutePath();
    private static final TaskDescription TASK = Json.readStrictly(Json.parse("""
            {"competition_id": "mini", "task_type": "tabular", "data_modality": "tabular", "evaluation_metric": "AUC",
             "metric_direction": "maximize", "description": "Predict y."}"""), TaskDescription.class);
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    @ParameterizedTest
    @CsvSource({"house-prices, house-prices-1", "House Prices: 2, House-Prices--2-1", "Übersicht, bersicht-1",
        "?, run-1", "../x..y, x.y-1"})
    void aRunIsCalledAfterItsTaskWhateverThatIsCalled(String task, String run) {
        assertThat(Launch.runId(task, "1")).isEqualTo(run);
        assertThat(StepPath.root(Launch.runId(task.repeat(100), "1122-1031")).run()).endsWith("-1122-1031");
    }

    private static Launch launch(Map<String, String> environment) {
        return new Launch(new Models(environment), Prompts.load(Map.of()), new Machine(2, 1L << 33, List.of()),
                environment);
    }

    private static RunHeader header(String config, Map<String, String> environment) {
        return prepared(new Records(new MemoryStore()), DATA, config, environment);
    }

    /// By hand, under the name `run`.
    private static RunHeader prepared(Records records, Path data, String config, Map<String, String> environment) {
        RunRequest request = new RunRequest(Optional.of("run"), new NewTask(TASK.withDataDir(data.toString())),
                (ObjectNode) Json.parse(config));
        return launch(environment).prepare(records, request, new Caller.CommandLine(), NOW);
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
        assertThatExceptionOfType(Invalid.class).isThrownBy(() -> header(config, KEYS))
                .withMessageContaining("max_budget_usd")
                .withMessageContaining(said);
    }

    @Test
    @Requirement("REQ-OR-008")
    void aToolThatAnAgentMustNotHaveIsRefusedBeforeAnythingIsPaidFor() {
        assertThatExceptionOfType(Invalid.class)
                .isThrownBy(() -> header("{\"agents\": {\"planner\": {\"tools\": [\"Read\", \"Bash\"]}}}", KEYS))
                .withMessage(
                        "agents.planner.tools must not hold \"Bash\"; this agent may have Read, ParseScore, ListFiles");
        assertThat(header("{\"agents\": {\"planner\": {\"tools\": [\"ListFiles\", \"ParseScore\"]}}}", KEYS).config()
                .models().agents())
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
        String stored = Json.line(header("{\"model\": \"openai:x\"}", KEYS)).replace("\"outer_loop_steps\":4",
                "\"outer_loop_steps\":1000000000");
        records.store().create("runs/run/run.json", ChecksummedJson.bytes(Json.parse(stored)));
        assertThatExceptionOfType(DamagedRecord.class).isThrownBy(() -> records.header("run"))
                .withMessageContaining("outer_loop_steps must be at most 1000, but is 1000000000");
    }

    @Test
    void aRunThatIsAskedForAgainGoesOnIfItsTaskAndSettingsAreTheSameOnceResolved(@TempDir Path data)
            throws IOException {
        Path table = Files.writeString(data.resolve("train.csv"), "id,y\n1,0\n");
        Records records = new Records(new MemoryStore());
        RunHeader begun = prepared(records, data, "{\"model\": \"sonnet\"}", KEYS);
        records.create(begun);
        Map<String, String> byVariable = new HashMap<>(KEYS);
        byVariable.put("MLE_STAR_MODEL", "sonnet");
        assertThat(prepared(records, data, "{}", byVariable)).isEqualTo(begun);
        String another = "run run was started with another task or configuration; use another --run-id";
        assertThatExceptionOfType(Invalid.class)
                .isThrownBy(() -> prepared(records, data, "{\"inner_loop_steps\": 1}", KEYS)).withMessage(another);
        assertThatExceptionOfType(Invalid.class).isThrownBy(() -> prepared(records, DATA, "{}", KEYS))
                .withMessage(another);

        Files.delete(table);
        assertThatExceptionOfType(Invalid.class).isThrownBy(() -> prepared(records, data, "{}", KEYS))
                .withMessageContaining("holds no file");
        records.create(StepPath.root("run"), StepRequest.of(new Pipeline(), NOW, begun.deadline()));
        records.create(StepPath.root("run"), StepResult.of(new Outcome.Failed<>("no time left"), NOW, NOW, 0.0));
        assertThat(prepared(records, data, "{}", KEYS)).as("it has ended and needs them no more").isEqualTo(begun);
    }

    @Test
    void noCallerBeginsARunOnceTheMoneyOfTheDayIsSpent() {
        Map<String, String> limited = new HashMap<>(KEYS);
        limited.put("MLE_STAR_BUDGET_PER_DAY", "20");
        Records records = new Records(new MemoryStore());
        RunHeader begun = prepared(records, DATA, "{}", limited);
        records.create(begun);
        new DailyBudget(records.store(), 20).begin(StepPath.parse("run/a"), 1, false, NOW, 20);
        Fork again = new Fork("run", null, List.of());
        for (Caller caller : List.of(new Caller.CommandLine(), new Caller.Sender("event"))) {
            RunRequest fork = new RunRequest(Optional.empty(), again, Json.object());
            assertThatExceptionOfType(Invalid.class)
                    .isThrownBy(() -> launch(limited).prepare(records, fork, caller, NOW))
                    .withMessageContaining("are used up").withMessageContaining("begin the run tomorrow");
        }
        assertThat(prepared(records, DATA, "{}", limited)).as("it has begun").isEqualTo(begun);
    }
}
