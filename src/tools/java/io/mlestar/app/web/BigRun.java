package io.mlestar.app.web;

import io.mlestar.core.records.LocalLock;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.records.Records;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import module java.base;

/// A run of 2,000 attempts, more than 10,000 steps, that goes on as far as somebody says, in a
/// folder that others look at.
final class BigRun {
    static final String ID = "big";
    private static final String CONFIG =
            "{\"num_parallel_solutions\": 2, \"outer_loop_steps\": 250, \"inner_loop_steps\": 4, "
                    + "\"ensemble_rounds\": 2, \"time_limit_seconds\": 400000}";

    private final MemoryStore memory = new MemoryStore();
    private final DrivenRun run = DrivenRun.longAgo(memory, ID, CONFIG, Duration.ofHours(20));
    private final Path store;

    /// @param store a folder
    BigRun(Path store) {
        this.store = store;
    }

    /// A server that looks at it shall only look on: else it would go on with a run that stands
    /// open.
    void keepFromOthers() {
        if (!LocalLock.take(new Records(new FolderStore(store)), ID)) {
            throw new IllegalStateException("somebody else has the run");
        }
    }

    /// @param inside the step that ends there; empty is the run itself
    /// @return how many objects were new
    int until(String inside) throws IOException {
        run.until(inside);
        return copy(memory, store, "runs");
    }

    /// Copies what is in one store and not yet in the other.
    private static int copy(Store from, Path to, String place) throws IOException {
        int copied = 0;
        for (String name : from.list(place)) {
            String key = place + "/" + name;
            if (name.endsWith("/")) {
                copied += copy(from, to, key.substring(0, key.length() - 1));
            } else if (!Files.exists(to.resolve(key))) {
                Files.createDirectories(to.resolve(key).getParent());
                Files.write(to.resolve(key), from.read(key).orElseThrow());
                copied++;
            }
        }
        return copied;
    }
}
