package io.mlestar.app.start;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Requirement;
import io.mlestar.adapter.model.Models;
import io.mlestar.adapter.script.Machine;
import io.mlestar.app.cli.Program;
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
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs that are asked for by hand or by an event, and what they are refused for at their start.
class LaunchTest {
    private static final Map<String, String> KEYS = Map.of("OPENAI_API_KEY", "k", "ANTHROPIC_API_KEY", "k");
    private static final Path DATA = Path.of("src/test/resources/mini/input").toAbsolutePath();
    private static final TaskDescription TASK =
            Json.readStrictly(Json.parse(Program.TASK), TaskDescription.class);
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    /// Requests of runs of the task, without their end.
    private static final String ANY_RUN = "{\"task\": " + Program.TASK;
    private static final String RUN_R = "{\"run_id\": \"r\", \"task\": " + Program.TASK;

    private final Records records = new Records(new MemoryStore());

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

    private RunHeader header(String config, Map<String, String> environment) {
        return prepared(DATA, config, environment);
    }

    /// By hand, under the name `run`.
    private RunHeader prepared(Path data, String config, Map<String, String> environment) {
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
        refusal(() -> header(config, KEYS)).contains("max_budget_usd", said);
    }

    @Test
    @Requirement("REQ-OR-008")
    void aToolThatAnAgentMustNotHaveIsRefusedBeforeAnythingIsPaidFor() {
        refusal(() -> header("""
                {"agents": {"planner": {"tools": ["Read", "Bash"]}}}""", KEYS)).isEqualTo(
                "agents.planner.tools must not hold \"Bash\"; this agent may have Read, ParseScore, ListFiles");
        assertThat(header("""
                {"agents": {"planner": {"tools": ["ListFiles", "ParseScore"]}}}""", KEYS).config()
                .models().agents())
                .containsOnlyKeys("planner");
    }

    @ParameterizedTest
    @Requirement({"REQ-OR-028", "REQ-OR-029"})
    @ValueSource(strings = {
        "{\"model\": \"openai:unknown\"}",
        "{\"max_budget_usd\": 5, \"model\": \"sonnet\"}",
        "{\"max_budget_usd\": 5, \"model\": \"ollama:any\"}",
        """
                {"max_budget_usd": 5, "model": "openai:unknown", "prices": {"openai:unknown": {"input": 1, "output": 2}}}"""})
    void otherwiseItIsNot(String config) {
        assertThat(header(config, KEYS).runId()).isEqualTo("run");
    }

    @Test
    void aStoredRunThatAsksForMoreThanCouldBeMeantIsNotTakenUp() {
        String stored = Json.line(header("{\"model\": \"openai:x\"}", KEYS)).replace("\"outer_loop_steps\":4",
                "\"outer_loop_steps\":1000000000");
        records.store().create("runs/run/run.json", ChecksummedJson.bytes(Json.parse(stored)));
        refusal(DamagedRecord.class, () -> records.header("run"))
                .contains("outer_loop_steps must be at most 1000, but is 1000000000");
    }

    @Test
    void aRunThatIsAskedForAgainGoesOnIfItsTaskAndSettingsAreTheSameOnceResolved(@TempDir Path data)
            throws IOException {
        Path table = Files.writeString(data.resolve("train.csv"), "id,y\n1,0\n");
        RunHeader begun = prepared(data, "{\"model\": \"sonnet\"}", KEYS);
        records.create(begun);
        Map<String, String> byVariable = new HashMap<>(KEYS);
        byVariable.put("MLE_STAR_MODEL", "sonnet");
        assertThat(prepared(data, "{}", byVariable)).isEqualTo(begun);
        String another = "run run was started with another task or configuration; use another --run-id";
        refusal(() -> prepared(data, "{\"inner_loop_steps\": 1}", KEYS)).isEqualTo(another);
        refusal(() -> prepared(DATA, "{}", KEYS)).isEqualTo(another);

        Files.delete(table);
        refusal(() -> prepared(data, "{}", KEYS)).contains("holds no file");
        records.create(StepPath.root("run"), StepRequest.of(new Pipeline(), NOW, begun.deadline()));
        records.create(StepPath.root("run"), StepResult.of(new Outcome.Failed<>("no time left"), NOW, NOW, 0.0));
        assertThat(prepared(data, "{}", KEYS)).as("it has ended and needs them no more").isEqualTo(begun);
    }

    @Test
    void noCallerBeginsARunOnceTheMoneyOfTheDayIsSpent() {
        Map<String, String> limited = new HashMap<>(KEYS);
        limited.put("MLE_STAR_BUDGET_PER_DAY", "20");
        RunHeader begun = prepared(DATA, "{}", limited);
        records.create(begun);
        new DailyBudget(records.store(), 20).begin(StepPath.parse("run/a"), 1, false, NOW, 20);
        Fork again = new Fork("run", null, List.of());
        for (Caller caller : List.of(new Caller.CommandLine(), new Caller.Sender("event"))) {
            RunRequest fork = new RunRequest(Optional.empty(), again, Json.object());
            refusal(() -> launch(limited).prepare(records, fork, caller, NOW)).contains("are used up",
                    "begin the run tomorrow");
        }
        assertThat(prepared(DATA, "{}", limited)).as("it has begun").isEqualTo(begun);
    }

    /// By an event.
    private RunHeader requested(String request, String origin, Map<String, String> more) {
        return requested(records, request, origin, more, NOW);
    }

    private static RunHeader requested(Records records, String request, String origin, Map<String, String> more,
            Instant now) {
        Map<String, String> environment = new HashMap<>(Map.of("K_SINK", "http://broker"));
        environment.putAll(more);
        Launch launch = launch(environment);
        return launch.prepare(records, launch.request(Json.parse(request)), new Caller.Sender(origin), now);
    }

    private RunHeader begun(String request) {
        RunHeader header = requested(request, "event", Map.of());
        records.create(header);
        return header;
    }

    private void refused(String request, String said) {
        assertThatExceptionOfType(Invalid.class).as(request).isThrownBy(() -> requested(request, "event", Map.of()))
                .withMessageContaining(said);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/refused-requests.csv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '`')
    void whatCannotBeMeantIsRefusedByName(String request, String said) {
        refused(request, said);
    }

    @Test
    void theModelCountsAsSetByHandAndTheRestAsWritten() {
        RunHeader header = begun("{\"run_id\": \"mine\", \"task\": " + Program.TASK
                + ", \"config\": {\"outer_loop_steps\": 2}, \"model\": \"openai:x\"}");
        assertThat(header.runId()).isEqualTo("mine");
        assertThat(header.config().models().model()).isEqualTo("openai:x");
        assertThat(header.config().paper().outerLoopSteps()).isEqualTo(2);
        assertThat(header.task().competitionId()).isEqualTo("mini");
        assertThat(requested(ANY_RUN + "}", "event", Map.of()).config().models().model())
                .isEqualTo("sonnet");
    }

    @Test
    void theSameEventNamesTheSameRunAndAnotherOneAnother() {
        String request = ANY_RUN + "}";
        RunHeader first = begun(request);
        assertThat(first.runId()).startsWith("mini-");
        assertThat(requested(records, request, "event", Map.of(), NOW.plusSeconds(60))).isEqualTo(first);
        assertThat(requested(request, "another event", Map.of()).runId()).startsWith("mini-")
                .isNotEqualTo(first.runId());
        assertThat(requested(request, "suite Aa", Map.of()).runId()).as("their hash codes are equal")
                .isNotEqualTo(requested(request, "suite BB", Map.of()).runId());
        RunHeader fork = requested("{\"fork\": {\"run\": \"" + first.runId() + "\"}}", "event", Map.of());
        assertThat(fork.runId()).startsWith(first.runId() + "-");
        assertThat(fork.origin())
                .isEqualTo(new RunHeader.Origin(first.runId(), null, NOW, RunHeader.Redo.of(List.of(), false)));
    }

    @Test
    void aRunIdIsTakenByOneTaskOneConfigurationAndOneOrigin() {
        RunHeader first = begun(RUN_R + "}");
        assertThat(requested(RUN_R + "}", "again", Map.of()))
                .isEqualTo(first);
        String taken = "run r was begun with another task or configuration; use another run_id";
        refused(RUN_R.replace("Predict y.", "Predict z.") + "}", taken);
        refused(RUN_R + ", \"config\": {\"outer_loop_steps\": 2}}", taken);
        refused(RUN_R.replace("/input", "/answers") + "}", taken);
        refused("""
                {"run_id": "r", "fork": {"run": "r"}}""", taken);

        RunHeader fork =
                begun("""
                        {"run_id": "f", "fork": {"run": "r"}, "config": {"inner_loop_steps": 1}}""");
        assertThat(fork.config().paper().innerLoopSteps()).isOne();
        assertThat(requested("""
                {"run_id": "f", "fork": {"run": "r"}}""", "again", Map.of())).isEqualTo(fork);
        refused("""
                {"run_id": "f", "fork": {"run": "q"}}""", "run f was begun with another task");
    }

    @Test
    void aPresetLiesUnderWhatIsSetByHand() {
        PipelineConfig config =
                requested(ANY_RUN + ", \"preset\": \"quick\", \"config\": {\"attempts\": 3}}",
                        "event",
                        Map.of()).config();
        assertThat(config.strong().attempts()).isEqualTo(3);
        assertThat(config.strong().numParallelSolutions()).isOne();
        refused(ANY_RUN + ", \"preset\": \"quik\"}", "there is no preset \"quik\"");
    }

    @Test
    void aForkLeavesTheOthersWayAtAStep() {
        RunHeader other = begun(RUN_R + "}");
        records.create(StepPath.parse("r/phase3"),
                new StepRequest("phase/ensemble", Json.object(), "p", NOW.plusSeconds(90), other.deadline(), false));
        RunHeader fork = requested("""
                {"fork": {"run": "r", "at": "phase3"}}""", "event", Map.of());
        assertThat(fork.origin())
                .isEqualTo(new RunHeader.Origin("r", "phase3", NOW, RunHeader.Redo.of(List.of("phase3"), false)));
        refused("""
                {"fork": {"run": "r", "at": "phase9"}}""",
                "run r has no step phase9; mlestar show r lists its steps");
    }

    @Test
    void aForkByHandIsCalledAfterTheOtherAndMayDoStepsAgain() {
        begun(RUN_R + "}");
        assertThat(fork(List.of()).runId()).isEqualTo("r-2");
        records.create(fork(List.of()));
        assertThat(fork(List.of()).runId()).isEqualTo("r-3");
        refusal(() -> fork(List.of("phase1/candidate0"))).contains("run r has no step phase1/candidate0");
        records.create(StepPath.parse("r/phase1/candidate0"),
                new StepRequest("phase/candidate", Json.object(), "p", NOW, NOW, false));
        assertThat(fork(List.of("phase1/candidate0")).origin().redo())
                .isEqualTo(RunHeader.Redo.of(List.of("phase1/candidate0"), false));
    }

    private RunHeader fork(List<String> redo) {
        RunRequest request = new RunRequest(Optional.empty(), new RunRequest.Fork("r", null, redo), Json.object());
        return launch(Map.of("K_SINK", "http://broker")).prepare(records, request, new Caller.CommandLine(), NOW);
    }

    @Test
    void dataThatLieWithTheRunsAreRefusedAndNothingIsKept(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("train.csv"), "id,y");
        Records own = new Records(new FolderStore(folder.resolve("runs-store")));
        String request = "{\"run_id\": \"r\", \"task\": "
                + Program.TASK.replace(Program.MINI.resolve("input").toString(), folder.toString()) + "}";
        refusal(() -> requested(own, request, "event", Map.of("MLE_STAR_DATA", folder.toString()), NOW))
                .startsWith("data_dir " + folder + " and the store " + folder.resolve("runs-store")
                        + ": one contains the other");
        assertThat(own.runs()).isEmpty();
    }

    @Test
    void onOneMachineTheModelsKeyMustBeThereAndTheRunSaysWithWhichPythonItBegan() {
        JsonNode request = Json.parse(ANY_RUN + ", \"model\": \"opus\"}");
        assertThat(requested(request.toString(), "event", Map.of()).environment())
                .as("in a cluster others run the scripts and have the keys").isNull();
        refused(ANY_RUN + ", \"model\": \"no:such\"}", "no:such");
        Map<String, String> here = Map.of("K_SINK", " ");
        refusal(() -> requested(request.toString(), "event", here)).contains("ANTHROPIC_API_KEY");
        Map<String, String> withKey = Map.of("K_SINK", " ", "ANTHROPIC_API_KEY", "k");
        assertThat(requested(request.toString(), "event", withKey).environment().interpreter())
                .matches("3\\.\\d+.* at /.*");
    }
}
