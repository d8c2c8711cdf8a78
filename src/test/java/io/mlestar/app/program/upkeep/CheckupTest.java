package io.mlestar.app.program.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.adapter.bucket.S3Server;
import io.mlestar.core.engine.DamagedRunTest;
import io.mlestar.core.engine.MadeRun;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One run, in stores of all kinds, each of its objects damaged in one way after the other.
class CheckupTest {
    @AutoClose
    private static final S3Server SERVER = S3Server.start();

    private static Map<String, byte[]> whole;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void oneRun() {
        Store store = new MemoryStore();
        MadeRun.ended(store, "r", "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"num_parallel_solutions\": 1}", 1, 0);
        whole = DamagedRunTest.objects(store, "runs");
    }

    private static List<Checkup.Damage> damages(Store store) {
        List<Checkup.Damage> found = new ArrayList<>();
        assertThat(new Checkup(store, found::add).all()).isPositive();
        return found;
    }

    @Test
    void nothingIsSaidOfAStoreThatIsWhole() {
        for (Store store : List.of(new MemoryStore(), SERVER.store(SERVER.freshAddress()))) {
            whole.forEach(store::create);
            assertThat(damages(store)).isEmpty();
        }
    }

    /// A run of a few objects for each object and kind of damage, all in one store: the walk must name each, and nothing else.
    @Test
    void eachDamageIsNamedWhateverTheStoreIsMadeOf() {
        Map<String, byte[]> objects = new TreeMap<>();
        List<String> expected = new ArrayList<>();
        List<String> keys = whole.keySet().stream().filter(key -> key.matches(".*/(run|steps\\.(request|result)|steps/phase1/(retriever|candidate0)"
                + "\\.(request|result)|.*begun-1)\\.json|.*\\.csv")).limit(9).toList();
        assertThat(keys).hasSizeGreaterThan(5);
        for (String key : keys) {
            for (Map.Entry<String, UnaryOperator<byte[]>> kind : DamagedRunTest.KINDS.entrySet()) {
                String run = "r" + expected.size();
                byte[] damaged = kind.getValue().apply(whole.get(key));
                for (String needed : List.of("runs/r/run.json", key.replace(".result.json", ".request.json"), key)) {
                    objects.put(needed.replaceFirst("runs/r/", "runs/" + run + "/"), needed.equals(key) ? damaged : whole.get(needed));
                }
                expected.add(Arrays.equals(damaged, whole.get(key)) ? "" : key.replaceFirst("runs/r/", "runs/" + run + "/"));
            }
        }
        for (Store store : List.of(new MemoryStore(), new FolderStore(folder.resolve("damaged")), SERVER.store(SERVER.freshAddress()))) {
            objects.forEach(store::create);
            assertThat(damages(store)).extracting(Checkup.Damage::key).doesNotHaveDuplicates()
                    .containsExactlyInAnyOrderElementsOf(expected.stream().filter(key -> !key.isEmpty()).toList());
        }
    }

    @Test
    void whatIsMissingIsNamed() {
        Store store = new MemoryStore();
        whole.forEach((key, content) -> {
            if (!key.endsWith("/run.json") && !key.endsWith("retriever.request.json")) {
                store.create(key, content);
            }
        });
        assertThat(damages(store)).extracting(Checkup.Damage::key)
                .containsExactlyInAnyOrder("runs/r/run.json", "runs/r/steps/phase1/retriever.request.json");
    }
}
