package io.mlestar.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.mlestar.adapter.grade.Grade;
import io.mlestar.app.program.upkeep.Prune;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DamagedRunTest;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.engine.MadeRun;
import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.Sweep;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.Ledger;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.Trace;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.steering.Extensions;
import io.mlestar.core.steering.Notes;
import io.mlestar.core.step.Note;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.OtherProgram;
import io.mlestar.core.store.PrunableStore;
import io.mlestar.core.store.Store;
import io.mlestar.core.task.AgentType;
import io.mlestar.show.report.RunGrade;
import io.mlestar.show.view.RunFigures;
import io.mlestar.show.view.RunState;
import io.mlestar.show.view.RunStatus;
import io.mlestar.show.view.RunTable;
import io.mlestar.show.view.StoreSummary;
import module java.base;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Every kind of record that the program writes, damaged in every way, in a store with other runs:
/// they stay in sight, and the damage does not stay out of it. The kinds are those of real runs.
class DamagedStoreTest {
    private static final Store WHOLE = new MemoryStore();
    private static Map<String, byte[]> whole = Map.of();
    private static final String SHORT =
            """
                    {"num_retrieved_models": 1, "outer_loop_steps": 1, "inner_loop_steps": 1, "num_parallel_solutions": 2, "ensemble_rounds": 1""";
    private static final Path SCHEMAS = Path.of("docs/interfaces/schemas.json");
    private static final Map<String, UnaryOperator<byte[]>> DAMAGES = new LinkedHashMap<>();
    /// The damages of records whose digest is right: what an erring or hostile writer puts there.
    private static final Map<String, UnaryOperator<byte[]>> WRONG = new LinkedHashMap<>();

    static {
        Map.of("an empty object", "{}", "a list", "[]", "null", "null", "garbage", "\u0000\ufffd{{", "nothing", "")
                .forEach((name, content) -> DAMAGES.put(name, whole -> content.getBytes(UTF_8)));
        DAMAGES.put("half", whole -> Arrays.copyOf(whole, whole.length / 2));
        Map.of("negative numbers", "-7", "infinite numbers", "1e400", "huge numbers", "99999999999999999999",
                "texts for numbers", "\"x\"", "nulls for numbers", "null")
                .forEach((name, value) -> WRONG.put(name, whole -> resealed(numbers(content(whole), value))));
        DAMAGES.put("other numbers", whole -> numbers(Json.parse(whole), "-7").getBytes(UTF_8));
        WRONG.put("an empty object", whole -> resealed("{}"));
        WRONG.put("texts for times",
                whole -> resealed(Json.line(content(whole)).replaceAll("\"\\d{4}-\\d\\d-[^\"]*\"", "\"yesterday\"")));
        WRONG.put("the end of time", whole -> resealed(
                Json.line(content(whole)).replaceAll("\"\\d{4}-\\d\\d-[^\"]*\"", "\"+1000000000-12-31T23:59:59Z\"")));
        WRONG.put("nulls for lists", whole -> resealed(Json.line(content(whole)).replaceAll("\\[[^\\[\\]]*]", "null")));
        WRONG.put("nulls for texts",
                whole -> resealed(Json.line(content(whole)).replaceAll(":\"([^\"\\\\]|\\\\.)*+\"", ":null")));
    }

    private static String numbers(JsonNode json, String value) {
        return Json.line(marked(json)).replace("\"@\"", value);
    }

    private static JsonNode marked(JsonNode node) {
        switch (node) {
            case ObjectNode object -> object.properties().forEach(field -> field.setValue(marked(field.getValue())));
            case ArrayNode array -> IntStream.range(0, array.size()).forEach(i -> array.set(i, marked(array.get(i))));
            default -> {}
        }
        return node.isNumber() ? TextNode.valueOf("@") : node;
    }

    private static ObjectNode content(byte[] record) {
        ObjectNode content = (ObjectNode) Json.parse(record);
        return content.without(List.of("program", "format", "sha256"));
    }

    private static byte[] resealed(String content) {
        return ChecksummedJson.bytes(Json.parse(content));
    }

    @BeforeAll
    static void threeRuns() {
        Records records = new Records(WHOLE);
        MadeRun.ended(WHOLE, "good", SHORT + "}", 1, 0);
        StepPath root = StepPath.root("bad");
        MadeRun.after(WHOLE, "bad", SHORT + ", \"max_budget_usd\": 50}", 1, 0, 30);
        Instant now = World.NOW.plusSeconds(1);
        new Notes(WHOLE).add("bad", new Note(now, "ann", "no neural networks"));
        new Extensions(WHOLE).add(records.header("bad").orElseThrow(), new Extension(now, "ann", 1, 1));
        records.join("bad", Trace.parse("00-0123456789abcdef0123456789abcdef-0123456789abcdef-01", null).orElseThrow());
        records.close(root.child("phase3"));
        assertThat(records.promptChange("bad", records.marks("bad"), AgentType.RETRIEVER, "0123")).isPresent();
        records.accept("bad", AgentType.RETRIEVER, "0123");
        new Ledger(records).warn("bad", 49, 50);
        StepPath retriever = root.child("phase1").child("retriever");
        records.invocations().abort(retriever, records.invocations().begin(retriever, now, "here", 0.25), now,
                "cut off", 0.125);
        records.invocations().memory(retriever, 1, "short");
        records.invocations().sendAgain(retriever, 1, now);
        WHOLE.create(Records.key("bad", "mlflow-0123.json"),
                ChecksummedJson.bytes(Json.object().put("server", "http://mlflow").put("run_id", "1")));
        WHOLE.create(Records.key("bad", "refused-tools-0123.json"),
                ChecksummedJson
                        .bytes(Json.object().put("model", "openai:m").put("part", "tools").put("said", "no tools")));
        goOn("bad", 0);
        RunGrade.keep(records, "bad", new Grade("AUC", 0.5, 77));
        MadeRun.after(WHOLE, "failed", SHORT + "}", 1, 0, 12);
        records.cancel("failed");
        goOn("failed", 100);
        whole = DamagedRunTest.objects(WHOLE, "runs");
    }

    private static void goOn(String run, int faults) {
        OneEngine one = new OneEngine(WHOLE, new World(1, faults),
                OneEngine.MovingClock.ticking(World.NOW.plusSeconds(60), 0), new Watcher() {});
        one.sweep(one.engine).run(run, Duration.ZERO);
        one.deliverAll();
    }

    /// One key of each kind: those of steps by the work that was asked for.
    private static List<String> kinds() {
        return List.copyOf(whole.keySet().stream()
                .filter(key -> key.endsWith(".json") && (key.startsWith("runs/bad/")
                        || key.matches("runs/failed/(failed|cancelled|tally|steps.*)\\.json")))
                .collect(Collectors.toMap(DamagedStoreTest::kind, Function.identity(), (one, other) -> one,
                        LinkedHashMap::new))
                .values());
    }

    private static String kind(String key) {
        String kind =
                key.substring(key.lastIndexOf('/') + 1).replaceAll("-[0-9a-f.]+\\.json", ".json").replaceAll("\\d", "");
        byte[] request = whole.get(key.replaceFirst("\\.[^/]*$", ".request.json"));
        return request == null ? kind : Json.parse(request).path("work").asText().replaceFirst("agent/.*", "agent")
                + kind.substring(kind.indexOf('.'));
    }

    @Test
    void theRunsHoldEveryKindOfRecordThatIsDescribed() throws IOException {
        List<String> kinds = kinds();
        assertThat(Json.parse(Files.readAllBytes(SCHEMAS)).path("x-objects").fieldNames()).toIterable()
                .filteredOn(key -> key.startsWith("runs/"))
                .allSatisfy(pattern -> assertThat(kinds).as(pattern)
                        .anyMatch(key -> key.matches(
                                pattern.replace(".", "\\.").replaceAll("/\\*(?=/)", "/[^/]+").replace("*", ".*"))));
    }

    @TestFactory
    Stream<DynamicTest> noDamageHidesAnotherRun() {
        return othersAreSeenBeside(DAMAGES);
    }

    @Test
    void allDamageIsFoundByTheDigest() {
        assertThat(kinds()).allSatisfy(key -> DAMAGES.values().forEach(damage -> assertThatThrownBy(
                () -> ChecksummedJson.read(key, damage.apply(whole.get(key)))).isInstanceOf(DamagedRecord.class)));
    }

    @TestFactory
    Stream<DynamicTest> norDoesARecordThatIsWholeAndMakesNoSense() {
        return othersAreSeenBeside(WRONG);
    }

    private static Stream<DynamicTest> othersAreSeenBeside(Map<String, UnaryOperator<byte[]>> damages) {
        return kinds().stream()
                .flatMap(key -> damages.entrySet().stream().filter(damage -> changes(key, damage.getValue()))
                        .map(damage -> dynamicTest(key + ": " + damage.getKey(),
                                () -> othersAreSeen(damaged(key, damage.getValue())))));
    }

    @Test
    void aRunOfANewerProgramIsShownAsSuchAndNotAsDamaged() {
        Store store = damaged("", whole -> whole);
        MadeRun.after(new OtherProgram(store, ChecksummedJson.FORMAT + 1), "later", "{}", 1, 0, 6);
        List<RunState> listed = RunState.all(new Records(store), World.NOW);
        assertThat(listed).hasSize(4).filteredOn(run -> run.status() == RunStatus.NEWER).extracting(RunState::runId)
                .containsExactly("later");
        assertThat(RunTable.of(listed, ZoneOffset.UTC))
                .containsPattern("later +newer .* was written by mlestar " + Pattern.quote(OtherProgram.NAME));
        assertThat(new LiveRunCache(new Records(store)).figures("later")).get().extracting(RunFigures::state)
                .isEqualTo(RunStatus.NEWER);
    }

    @Test
    void anAnswerOfAnotherServiceNeedsNoDigest() {
        String key = "runs/bad/steps/phase1/retriever.result.json";
        PrunableStore bare = damaged(key, whole -> Json.bytes(content(whole)));
        assertThat(new Records(bare).result(StepPath.parse("bad/phase1/retriever"))).isPresent();
    }

    private static boolean changes(String key, UnaryOperator<byte[]> damage) {
        return !Arrays.equals(damage.apply(whole.get(key)), whole.get(key));
    }

    private static PrunableStore damaged(String damaged, UnaryOperator<byte[]> damage) {
        MemoryStore store = new MemoryStore();
        whole.forEach((key, content) -> store.create(key, key.equals(damaged) ? damage.apply(content) : content));
        return store;
    }

    private static void othersAreSeen(PrunableStore store) {
        List<RunState> listed = RunState.all(new Records(store), World.NOW);
        assertThat(listed).extracting(RunState::runId).containsExactlyInAnyOrder("good", "bad", "failed");
        assertThat(listed).filteredOn(run -> run.runId().equals("good")).extracting(RunState::status)
                .containsExactly(RunStatus.COMPLETED);
        assertThat(listed).filteredOn(run -> run.status() == RunStatus.DAMAGED)
                .allSatisfy(run -> assertThat(run.error()).contains("runs/" + run.runId()));
        assertThat(Json.line(listed)).contains("\"good\"");
        Records read = new Records(store);
        LiveRunCache pages = new LiveRunCache(read);
        assertThat(pages.newestFirst("")).containsExactlyInAnyOrder("good", "bad", "failed");
        List<RunFigures> shown = pages.newestFirst("").stream().flatMap(run -> pages.figures(run).stream()).toList();
        assertThat(shown).extracting(RunFigures::runId).containsExactlyInAnyOrder("good", "bad", "failed");
        assertThat(Json.line(shown)).contains("\"good\"");
        assertThat(new StoreSummary(read, InstantSource.system(), Duration.ZERO).sums().runs().values().stream()
                .mapToInt(count -> count).sum()).isEqualTo(3);
        assertThat(new Prune(store).endedBefore(Instant.MAX)).contains("good");
        Engine engine = new Engine(read, event -> {}, new World(1, 0), () -> World.NOW, new Watcher() {});
        assertThat(new Sweep(read, event -> {}, engine, () -> World.NOW).all(Duration.ZERO)).isNotNegative();
    }
}
