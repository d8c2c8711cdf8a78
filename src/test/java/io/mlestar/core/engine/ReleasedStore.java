package io.mlestar.core.engine;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import module java.base;

/// Half a run of the made-up world as the released format 1 has it, byte for byte. Later versions
/// go on with it: the file is never made again once a version with that format is out.
final class ReleasedStore {
    static final String RUN = "released";
    private static final Path FILE = Path.of("src/test/resources/released/format-1.json");
    private static final String CONFIG =
            """
                    {"num_retrieved_models": 2, "outer_loop_steps": 1, "inner_loop_steps": 2, "num_parallel_solutions": 2, "ensemble_rounds": 1}""";
    /// Into the middle of the refinement.
    private static final int EVENTS = 50;

    private ReleasedStore() {}

    static Store read() throws IOException {
        MemoryStore store = new MemoryStore();
        Json.parse(Files.readAllBytes(FILE)).properties()
                .forEach(record -> store.create(record.getKey(),
                        record.getValue().asText().getBytes(StandardCharsets.UTF_8)));
        return store;
    }

    /// Writes the file.
    public static void main(String[] arguments) throws IOException {
        MemoryStore store = new MemoryStore();
        MadeRun.after(store, RUN, CONFIG, 7, 0, EVENTS);
        ObjectNode all = Json.object();
        DamagedRunTest.objects(store, "runs")
                .forEach((key, record) -> all.put(key, new String(record, StandardCharsets.UTF_8)));
        Files.createDirectories(FILE.getParent());
        Files.writeString(FILE, Json.text(all) + "\n");
    }
}
