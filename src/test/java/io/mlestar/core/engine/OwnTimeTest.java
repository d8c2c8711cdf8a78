package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.CpuTime;
import io.mlestar.Requirement;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.Walk;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.WatchedStore;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The cost of a run beside its models and scripts, which answer at once here: processor time, and
/// requests of its store.
class OwnTimeTest {
    private static final Duration OF_A_PHASE = Duration.ofSeconds(5);
    private static final Duration OF_A_TRANSITION = Duration.ofMillis(100);
    private static final String CONFIG = """
            {"num_parallel_solutions": 2, "inner_loop_steps": 2, "outer_loop_steps": %d %s}""";
    private static final int HELD = 8 << 20;
    private static final String COMMENT = "# " + "x".repeat(30_000);

    private int steps;
    private final WatchedStore store = new WatchedStore(new MemoryStore());
    private final World world =
            new World(1, 0).asking(question -> question.answer(text -> text.replace("print(", COMMENT + "\nprint(")));
    private final OneEngine one = new OneEngine(store, world, new OneEngine.MovingClock(), new Watcher() {});

    /// A run with the paper's own settings; its phases together keep the bound that each of them
    /// has.
    @Test
    @Requirement({"REQ-P1-037", "REQ-P3-036", "REQ-FN-037", "REQ-OR-048"})
    void aWholeRunTakesLessThanAnyOfItsPhasesMay() throws Exception {
        Duration own = CpuTime.ofProcess(() -> {
            OneEngine plain = new OneEngine();
            assertThat(plain.runToTheEnd("{}").path("phases_completed")).hasSize(4);
            steps = plain.world.paid.size();
        });
        assertThat(steps).isGreaterThan(150);
        assertThat(own).isLessThan(OF_A_PHASE);
        assertThat(own.dividedBy(steps)).isLessThan(OF_A_TRANSITION);
    }

    /// Four of them are what a step leaves behind: it, its beginning and its result, and its share
    /// of what phases are. Once in a run each agent's prompts are put on record.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            settings                 | warm | cold
                                     | 12.2 | 29.2
            , "max_budget_usd": 100  | 18.5 | 41.8
            """, useHeadersInDisplayName = true)
    void aStepAsksLittleOfTheStore(String settings, double warm, double cold) {
        String config = CONFIG.formatted(2, settings == null ? "" : settings);
        assertThat(RoundTrips.warm(config))
                .satisfies(trips -> assertThat(trips.perStep()).as(trips.toString()).isLessThanOrEqualTo(warm));
        assertThat(RoundTrips.cold(config))
                .satisfies(trips -> assertThat(trips.perStep()).as(trips.toString()).isLessThanOrEqualTo(cold));
    }

    /// Once at its end a run is gone through, to find out whether anything was left out.
    @Test
    void noMoreInALongRunThanInAShortOne() {
        double brief = RoundTrips.warm(CONFIG.formatted(8, "")).perStep();
        double extended = RoundTrips.warm(CONFIG.formatted(40, "")).perStep();
        assertThat(extended).isLessThan(1.05 * brief);
    }

    private long bytes(Stream<String> keys) {
        return keys.mapToLong(key -> store.read(key).orElseThrow().length).sum();
    }

    @Test
    @Requirement("REQ-OR-049")
    void aProcessHoldsAFewAndAPathHandsOnItsBestAlone() {
        // Each script is long, and Phase 2 has 64 solutions.
        one.runToTheEnd("{\"num_parallel_solutions\": 4}");
        store.forget();
        List<String> keys = Walk.READABLE.steps(one.records, "r").map(KnownStep::path).map(Records::stepKey)
                .flatMap(key -> Stream.of(key + ".request.json", key + ".result.json")).toList();
        List<String> read = List.copyOf(store.read());

        assertThat(bytes(keys.stream())).isGreaterThan(2L * HELD);
        assertThat(bytes(keys.stream().filter(key -> !read.contains(key)))).as("what was not read again")
                .isLessThanOrEqualTo(HELD);
        String path =
                new String(store.read("runs/r/steps/phase2-path3.result.json").orElseThrow(), StandardCharsets.UTF_8);
        assertThat(path).contains("block3/attempt3").containsOnlyOnce(COMMENT);
    }
}
