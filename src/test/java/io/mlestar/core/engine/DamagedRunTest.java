package io.mlestar.core.engine;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import io.mlestar.show.view.RunState;
import io.mlestar.show.view.RunStatus;
import io.mlestar.show.view.RunTable;
import io.mlestar.show.view.StoreSummary;
import module java.base;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Three runs in a folder, and files of one of them that something has spoilt. Then a run of which
/// a record is damaged before its end, on a cluster: each event is worked on by a process that has
/// read nothing yet, and one that is refused becomes a dead letter.
public class DamagedRunTest {
    private static final String CONFIG =
            "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"num_parallel_solutions\": 1}";
    private static final int EVENTS = 25;
    private static final int MOST_EVENTS = 2_000;
    private static final Map<String, UnaryOperator<byte[]>> KINDS = Map.of(
            "empty", whole -> new byte[0],
            "cut off", whole -> Arrays.copyOf(whole, whole.length / 2),
            "zeros", whole -> new byte[whole.length],
            "nothing in it", whole -> "{}".getBytes(StandardCharsets.UTF_8),
            "another digit", whole -> new String(whole, StandardCharsets.UTF_8).replaceFirst("20(\\d\\d)-", "21$1-")
                    .getBytes(StandardCharsets.UTF_8));
    private static final String RETRIEVER = "steps/phase1/retriever.request.json";

    private final World world = new World(1, 0);
    @TempDir
    private Path folder;

    /// All objects below a folder.
    public static Map<String, byte[]> objects(Store store, String folder) {
        Map<String, byte[]> objects = new TreeMap<>();
        for (String name : store.list(folder)) {
            if (name.endsWith("/")) {
                objects.putAll(objects(store, folder + "/" + name.substring(0, name.length() - 1)));
            } else {
                objects.put(folder + "/" + name, store.read(folder + "/" + name).orElseThrow());
            }
        }
        return objects;
    }

    private OneEngine run(Store store) {
        return new OneEngine(store, world, OneEngine.MovingClock.ticking(World.NOW.plusSeconds(60), 0),
                new Watcher() {});
    }

    /// Works on so many events.
    private static void work(OneEngine run, int events) {
        for (int event = 0; event < events && !run.events.isEmpty(); event++) {
            StepPath step = Event.stepOf(run.events.remove().data());
            try {
                fresh(run).work(step);
            } catch (DamagedRecord refused) {
                fresh(run).fail(step, "it could not be done: answered 422 " + refused.getMessage());
            }
        }
    }

    private static Engine fresh(OneEngine run) {
        return run.process(new Records(run.store), run.world);
    }

    private OneEngine begun() {
        OneEngine run = run(new MemoryStore());
        run.engine.start(World.header("r", CONFIG));
        work(run, EVENTS);
        return run;
    }

    /// @param lost whether the events in flight are lost with the damage, so that only a sweep
    ///   finds it
    private void endsWithDamage(String key, UnaryOperator<byte[]> kind, boolean lost) {
        OneEngine whole = begun();
        Store damaged = new MemoryStore();
        objects(whole.store, "runs")
                .forEach((name, content) -> damaged.create(name, name.equals(key) ? kind.apply(content) : content));
        OneEngine after = run(damaged);
        if (!lost) {
            after.events.addAll(whole.events);
        }
        for (int sweep = 0; sweep < 20 && read(damaged) == null; sweep++) {
            int number = sweep;
            work(after, MOST_EVENTS);
            new Sweep(new Records(damaged), after::take, fresh(after), () -> World.NOW.plusSeconds(600 + 60L * number))
                    .run("r", Duration.ofSeconds(1));
        }
        StepResult result = read(damaged);
        assertThat(result).as("the run has ended with %s damaged", key).isNotNull();
        assertThat(result.status() == StepResult.Status.DONE || result.reason().contains("cannot be read"))
                .as(result.reason()).isTrue();
    }

    private static StepResult read(Store store) {
        try {
            return new Records(store).result(StepPath.root("r")).orElse(null);
        } catch (DamagedRecord e) {
            return null;
        }
    }

    @Test
    void theRunEndsIfAnyRecordOfAStepIsDamagedInAnyWay() {
        List<String> keys =
                objects(begun().store, "runs/r").keySet().stream().filter(key -> key.contains("/steps")).toList();
        assertThat(keys).hasSizeGreaterThan(20);
        List<UnaryOperator<byte[]>> kinds = List.copyOf(KINDS.values());
        for (int i = 0; i < keys.size(); i++) {
            endsWithDamage(keys.get(i), kinds.get(i % kinds.size()), false);
            endsWithDamage(keys.get(i), kinds.get((i + 1) % kinds.size()), true);
        }
    }

    @BeforeEach
    void threeRunsInAFolder() {
        for (String run : List.of("left", "middle", "right")) {
            MadeRun.after(new FolderStore(folder), run, "{}", 1, 0, 12);
        }
    }

    private void spoil(String file, String content) throws IOException {
        Path path = folder.resolve("runs/middle").resolve(file);
        Files.delete(path);
        Files.writeString(path, content);
    }

    /// A record that something else wrote in the way of fresh.
    private void write(String file, String content) throws IOException {
        spoil(file, content.startsWith("{")
                ? new String(ChecksummedJson.bytes(Json.parse(content)), StandardCharsets.UTF_8) : content);
    }

    private void cut(String file) throws IOException {
        byte[] whole = Files.readAllBytes(folder.resolve("runs/middle").resolve(file));
        spoil(file, new String(whole, 0, whole.length / 2, StandardCharsets.UTF_8));
    }

    /// The records as a process sees them that has read nothing yet.
    private Records inFolder() {
        return new Records(new FolderStore(folder));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/damaged-records.csv", delimiter = '|', quoteCharacter = '`', numLinesToSkip = 1)
    void aRecordThatIsNoneSaysWhatIsWrong(String file, String content, String said) throws IOException {
        write(file, content);
        refusal(DamagedRecord.class, () -> {
            inFolder().header("middle");
            inFolder().below(StepPath.parse("middle/phase1"));
        }).contains("runs/middle/" + file, said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"run.json", "steps.request.json", RETRIEVER, "steps/phase1/retriever.result.json"})
    void theOtherRunsGoOn(String file) throws IOException {
        cut(file);
        List<RunState> all = RunState.all(inFolder(), Instant.now());
        if (file.equals("steps.request.json")) {
            // No view of runs reads it.
            assertThat(all).extracting(RunState::status).containsOnly(RunStatus.RUNNING);
        } else {
            assertThat(all).extracting(RunState::runId).containsExactlyInAnyOrder("left", "right", "middle");
            assertThat(all.getLast().status()).isEqualTo(RunStatus.DAMAGED);
            assertThat(all.getLast().error()).contains("runs/middle/" + file);
            assertThat(RunTable.of(all, ZoneOffset.UTC)).contains("middle  damaged", "runs/middle/" + file);
            assertThat(Json.line(all)).contains("\"status\":\"damaged\"");
        }
        assertThat(swept()).contains("left", "right").doesNotContain("middle");
    }

    @Test
    void theSurveyCountsIt() throws IOException {
        cut("run.json");
        assertThat(new StoreSummary(inFolder(), InstantSource.system(), Duration.ZERO).sums().runs())
                .isEqualTo(Map.of(RunStatus.RUNNING, 2, RunStatus.DAMAGED, 1));
    }

    /// The runs that a sweep of all sends something for.
    private List<String> swept() {
        Records fresh = inFolder();
        List<String> swept = new ArrayList<>();
        InstantSource now = InstantSource.fixed(World.NOW.plusSeconds(3_000));
        Engine engine = new Engine(fresh, event -> {}, new World(1, 0), now, new Watcher() {});
        new Sweep(fresh, event -> swept.add(Event.stepOf(event.data()).run()), engine, now).all(Duration.ZERO);
        return swept.stream().distinct().toList();
    }
}
