package io.mlestar.app.program.upkeep;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ForwardingStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.PrunableStore;
import io.mlestar.core.store.Store;
import module java.base;
import org.junit.jupiter.api.Test;

class PruneTest {
    private static final String SMALL =
            "{\"num_retrieved_models\":2,\"outer_loop_steps\":1,\"inner_loop_steps\":1,\"ensemble_rounds\":1}";

    private final MemoryStore store = new MemoryStore();
    private final Prune prune = new Prune(store);

    private static final Instant NOW = Instant.now();
    private static final Duration MONTH = Duration.ofDays(30);

    private void ended(String run, Duration ago) {
        DrivenRun.longAgo(store, run, SMALL, ago).untilTheEnd();
    }

    @Test
    void whatEndedLongAgoGoesAndWhatIsOpenOrYoungStays() {
        ended("old", Duration.ofDays(40));
        ended("young", Duration.ofDays(2));
        DrivenRun.longAgo(store, "open", SMALL, Duration.ofDays(400)).goOn(5);
        store.create("data/birds/train.csv", new byte[1]);
        assertThat(prune.endedBefore(NOW.minus(MONTH))).containsExactly("old");
        int objects = prune.objects("old");
        assertThat(objects).isGreaterThan(10);
        assertThat(prune.remove("old")).isEqualTo(objects);
        assertThat(new Records(store).runs()).containsExactly("open", "young");
        assertThat(store.read("data/birds/train.csv")).isPresent();
        assertThat(prune.endedBefore(NOW.minus(MONTH))).isEmpty();
    }

    @Test
    void aRunThatAKeptOneBeganWithStays() {
        ended("first", Duration.ofDays(90));
        DrivenRun.sharing(store, "second", "first", SMALL);
        assertThat(prune.endedBefore(NOW.minus(MONTH))).isEmpty();
        prune.remove("second");
        assertThat(prune.endedBefore(NOW.minus(MONTH))).containsExactly("first");
    }

    @Test
    void anOpenOneGoesIfItIsNamedAndWhatIsNotThereIsSaid() {
        DrivenRun.start(store, "open", SMALL, 0).goOn(5);
        assertThat(prune.isOpen("open")).isTrue();
        assertThat(prune.named(List.of("open"))).containsExactly("open");
        prune.remove("open");
        assertThat(new Records(store).runs()).isEmpty();
        refusal(() -> prune.named(List.of("other"))).contains("other");
    }

    /// Whatever was removed by then, nobody takes what is left for a run that goes on, and the next
    /// time takes it away.
    @Test
    void aKillInItsMidstLeavesNothingThatAnybodyWouldGoOnWith() {
        ended("old", Duration.ofDays(40));
        int objects = prune.objects("old");
        for (int after = 1; after < objects; after++) {
            MemoryStore copy = new MemoryStore();
            copy(store, copy, "runs/old");
            int kill = after;
            assertThatThrownBy(() -> new Prune(new Killing(copy, kill)).remove("old"))
                    .isInstanceOf(IllegalStateException.class);
            Records records = new Records(copy);
            assertThat(records.header("old")).as("killed after %d", after).isEmpty();
            assertThat(records.result(StepPath.root("old"))).isPresent();
            assertThat(new Prune(copy).endedBefore(NOW.minus(MONTH))).containsExactly("old");
            new Prune(copy).remove("old");
            assertThat(records.runs()).isEmpty();
        }
    }

    private static void copy(Store from, Store to, String folder) {
        for (String name : from.list(folder)) {
            if (name.endsWith("/")) {
                copy(from, to, folder + "/" + name.substring(0, name.length() - 1));
            } else {
                to.create(folder + "/" + name, from.read(folder + "/" + name).orElseThrow());
            }
        }
    }

    /// Dies after so many removals.
    private static final class Killing extends ForwardingStore implements PrunableStore {
        private final MemoryStore store;
        private int left;

        Killing(MemoryStore store, int left) {
            super(store);
            this.store = store;
            this.left = left;
        }

        @Override
        public synchronized void delete(String key) {
            if (left-- <= 0) {
                throw new IllegalStateException("killed");
            }
            store.delete(key);
        }
    }
}
