package io.mlestar.adapter.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.app.program.upkeep.StoreProbe;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.ForwardingStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class StoreProbeTest {
    @Test
    void storesThatKeepTheLawAreFine(@TempDir Path folder) {
        assertThat(StoreProbe.of(new MemoryStore()).wrong()).isEmpty();
        assertThat(StoreProbe.of(new FolderStore(folder)).wrong()).isEmpty();
        try (S3Server server = S3Server.start()) {
            assertThat(StoreProbe.of(server.store(server.freshAddress())).wrong()).isEmpty();
        }
    }

    @Test
    void aServerThatIgnoresConditionsIsFoundOut() {
        MemoryStore objects = new MemoryStore();
        Store store = new ForwardingStore(objects) {
            @Override
            public boolean create(String key, byte[] content) {
                objects.delete(key);
                return objects.create(key, content);
            }
        };
        assertThat(StoreProbe.of(store).wrong()).hasValue("ignores conditional writes: it replaced an object");
    }
}
