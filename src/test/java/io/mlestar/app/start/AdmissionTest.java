package io.mlestar.app.start;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.ProjectFiles;
import io.mlestar.Requirement;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.model.AgentCaller;
import io.mlestar.adapter.model.Models;
import io.mlestar.adapter.script.Machine;
import io.mlestar.app.cli.Program;
import io.mlestar.app.console.LogSettings;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.engine.Sweep;
import io.mlestar.core.engine.World;
import io.mlestar.core.event.Event;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
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

/// The decisions that a sender of events, and a writer of the store, may not make.
class AdmissionTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    /// The values that the operator would have to allow, by field, and what is said.
    private static final Map<String, List<String>> BEYOND = Map.of(
            "data_dir", List.of("\"/etc\"", "data_dir must be a folder below "),
            "model", List.of("\"recorded:/etc\"", "model recorded:FOLDER must be"),
            "agents", List.of("{\"coder\": {\"model\": \"recorded:/no/such\"}}", "model recorded:FOLDER must be"),
            "prices", List.of("{\"sonnet\": {\"input\": 0, \"output\": 0}}", "prices.sonnet is known here"),
            "mcp_servers",
            List.of("""
                    {"x": {"command": "touch", "args": ["planted"]}}""",
                    "mcp_servers.x.command is not started"),
            "permission_mode", List.of("\"bypassPermissions\"", "permission_mode: bypassPermissions is the operator's"),
            "blocked_commands", List.of("[]", "blocked_commands must hold the built-in ones"), "fork",
            List.of("{\"run\": \"evil\"}", "mcp_servers.x.command is not started"), "task_ref",
            List.of("\"/etc/passwd\"", "task_ref must be s3://BUCKET/KEY"), "config_ref",
            List.of("\"/etc/passwd\"", "config_ref must be s3://BUCKET/KEY"));

    private final Records records = new Records(new MemoryStore());

    private static Launch launch(Map<String, String> more) {
        Map<String, String> environment = environment(more);
        return new Launch(new Models(environment), Prompts.load(Map.of()), new Machine(2, 1L << 33, List.of()),
                environment);
    }

    private static Map<String, String> environment(Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(
                Map.of("K_SINK", "http://broker", "MLE_STAR_PERMISSION_MODE", "acceptEdits"));
        environment.putAll(more);
        return environment;
    }

    private RunHeader requested(ObjectNode request, Map<String, String> more) {
        Launch launch = launch(more);
        return launch.prepare(records, launch.request(request), new Caller.Sender("event"), NOW);
    }

    private RunHeader forkedByHand(String run, ObjectNode settings) {
        RunRequest request = new RunRequest(Optional.empty(), new RunRequest.Fork(run, null, List.of()), settings);
        return launch(Map.of()).prepare(records, request, new Caller.CommandLine(), NOW);
    }

    private static ObjectNode request(String config) {
        return Json.object().<ObjectNode>set("task", Json.parse(Program.TASK)).set("config", Json.parse(config));
    }

    /// Without any check, as it may lie in a store.
    private static RunHeader stored(String run, ObjectNode request) {
        return new RunHeader(run, Json.readStrictly(request.get("task"), TaskDescription.class),
                PipelineConfig.resolve(request.get("config"), environment(Map.of())), "2 CPUs", "0",
                Prompts.load(Map.of()).digest(), NOW, NOW.plusSeconds(3600), null, null);
    }

    private static ObjectNode beyond(String field) {
        ObjectNode request = request("{}");
        boolean isOfTask = field.equals("data_dir");
        boolean isOfRequest = List.of("fork", "task_ref", "config_ref").contains(field);
        (isOfTask ? request.withObject("task") : isOfRequest ? request : request.withObject("config")).set(field,
                Json.parse(BEYOND.get(field).getFirst()));
        if (isOfRequest) {
            request.remove(field.equals("config_ref") ? "config" : "task");
        }
        return request;
    }

    private static List<String> documented(String who) {
        String row =
                Pattern.compile("(?m)^\\| " + who + " \\|(.*)\\|$")
                        .matcher(ProjectFiles.text(Path.of("docs/settings.md"))).results().findFirst().orElseThrow()
                        .group(1);
        return Pattern.compile("`(\\w+)`").matcher(row).results().map(name -> name.group(1)).toList();
    }

    /// A new setting without a row fails here.
    @Test
    void everySettingOfARunSaysWhoMaySetIt() {
        List<String> settings = new ArrayList<>(RunRequest.FIELDS.keySet());
        Stream.of(PipelineConfig.class, TaskDescription.class, LogSettings.class)
                .flatMap(type -> Json.fields(type).stream()).map(Json::name)
                .filter(name -> !settings.contains(name)).forEach(settings::add);
        List<String> bounded = documented("the sender, within what the operator allows");
        List<String> operators = documented("the command line and the environment alone");
        assertThat(Stream.of(documented("the sender, freely"), bounded, operators).flatMap(List::stream))
                .containsExactlyInAnyOrderElementsOf(settings);
        assertThat(bounded).containsExactlyInAnyOrderElementsOf(BEYOND.keySet());
        assertThat(operators).allSatisfy(
                field -> refused(request("{\"" + field + "\": \"text\"}"), field + " is a setting of the program"));
    }

    private void refused(ObjectNode request, String said) {
        assertThatExceptionOfType(Invalid.class).as(request.toString()).isThrownBy(() -> requested(request, Map.of()))
                .withMessageContaining(said);
    }

    @Test
    void whatIsTheOperatorsToAllowIsRefusedInAnEvent() {
        records.create(stored("evil", beyond("mcp_servers")));
        BEYOND.forEach((field, row) -> refused(beyond(field), row.getLast()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"data_dir", "model", "agents", "prices", "mcp_servers", "permission_mode", "blocked_commands"})
    void aStoredRunOfThatKindIsLeftAsItIsAndOthersGoOn(String field) {
        List<Event> published = new ArrayList<>();
        Engine engine = engine(published);
        Stream.of(stored("evil", beyond(field)), stored("good", request("{}"))).forEach(run -> {
            records.create(run);
            records.create(StepPath.root(run.runId()), StepRequest.of(new Pipeline(), NOW, run.deadline()));
        });
        List<String> before = records.store().list("runs/evil");
        refusal(() -> engine.work(StepPath.root("evil")))
                .contains("run evil brings what the operator has not allowed: ", BEYOND.get(field).getLast());
        assertThatExceptionOfType(Invalid.class)
                .isThrownBy(() -> engine.fail(StepPath.root("evil"), "it could not be done"));
        assertThat(new Sweep(records, published::add, engine, InstantSource.fixed(NOW)).all(Duration.ZERO))
                .isPositive();
        assertThat(records.store().list("runs/evil")).isEqualTo(before);
        assertThat(published).isNotEmpty().allSatisfy(event -> assertThat(event.subject()).startsWith("good"));
    }

    private Engine engine(List<Event> published) {
        Map<String, String> environment = environment(Map.of());
        AgentCaller caller =
                new AgentCaller(new Models(environment), Prompts.load(Map.of()), null, new DataSets(environment));
        return new Engine(records, published::add,
                new LocalPerformer(caller, null, new Admission(caller.models(), environment, Optional.empty())),
                InstantSource.fixed(NOW), new Watcher() {});
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/operators-bounds.csv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '`')
    @Requirement("REQ-OR-010")
    void theBoundsAreTheOperatorsToMove(String config, String variable, String said) {
        Map<String, String> more =
                variable.contains("=") ? Map.of(variable.split("=", 2)[0], variable.split("=", 2)[1]) : Map.of();
        RunHeader run = stored("run", request(config));
        Admission admission = new Admission(new Models(environment(more)), environment(more), Optional.empty());
        if (said == null) {
            admission.check(run);
            assertThat(requested(request(config), more).config().tools()).isEqualTo(run.config().tools());
        } else {
            refusal(() -> admission.check(run)).contains(said);
            refusal(() -> requested(request(config), more)).contains(said);
        }
    }

    /// The user of the command line may choose folders and prices, but may not know what another
    /// has written into the store.
    @Test
    void aRunThatAUserTakesUpStartsNoProgramUnasked() {
        Admission admission =
                new Admission(new Models(Map.of()), Map.of("OPENAI_API_KEY_FILE", "/etc/hostname"), Optional.of("own"));
        admission.checkTakenUp(stored("r", beyond("model")));
        admission.checkTakenUp(stored("r", beyond("prices")));
        refusal(() -> admission.checkTakenUp(stored("r", beyond("mcp_servers"))))
                .contains("mcp_servers.x.command is not started");
        refusal(() -> admission.checkTakenUp(stored("r", beyond("data_dir"))))
                .isEqualTo("data_dir: /etc holds a key of the program");
        admission.check(stored("own", beyond("mcp_servers")));
        records.create(stored("evil", beyond("mcp_servers")));
        refusal(() -> forkedByHand("evil", Json.object())).contains("mcp_servers.x.command is not started");
    }

    @ParameterizedTest
    @CsvSource({"folds, 1", "folds, 3"})
    void aForkThatWouldScoreByOtherRowsIsRefused(String setting, String value, @TempDir Path data) throws IOException {
        Files.writeString(data.resolve("train.csv"), "id,y\n");
        RunHeader made = World.header("folded", "{\"search\": \"strong\", \"model\": \"sonnet\"}");
        records.create(
                new RunHeader("folded", made.task().withDataDir(data.toString()), made.config(), "no GPU", "test",
                        "digest", NOW, NOW.plusSeconds(9), null, null));

        refusal(() -> forkedByHand("folded", Json.object().put(setting, value))).isEqualTo(
                "a fork has the search and the folds of its run, since scores by other rows cannot be compared; begin a new run for others");
    }
}
