package io.mlestar.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.store.FolderStore;
import io.mlestar.store.MemoryStore;
import io.mlestar.store.Store;
import io.mlestar.task.Invalid;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoresTest {
    @Test
    void aPathIsAFolderStore(@TempDir Path folder) {
        Store store = Stores.open(folder.resolve("store").toString(), Map.of());
        assertThat(store).isInstanceOf(FolderStore.class);
        assertThat(store.address("runs/a")).isEqualTo(folder.resolve("store/runs/a").toString());
    }

    @Test
    void memoryIsAMemoryStore() {
        assertThat(Stores.open("memory:", Map.of())).isInstanceOf(MemoryStore.class);
    }

    @Test
    void anUnknownKindIsRefusedByItsAddress() {
        assertThatThrownBy(() -> Stores.open("ftp://somewhere/runs", Map.of())).isInstanceOf(Invalid.class)
                .hasMessageContaining("ftp://somewhere/runs");
    }
}
