package io.mlestar.adapter.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.app.program.upkeep.StoreProbe;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import io.mlestar.core.store.StoreUnavailable;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
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
    void whatItWritesLiesInAFolderOfItsOwn() {
        MemoryStore store = new MemoryStore();
        StoreProbe.of(store);
        assertThat(store.list("doctor")).hasSize(1);
    }

    /// The server of the tests knows nothing of Google's header, and replaces what is there.
    @Test
    void aServerThatIgnoresConditionsIsFoundOut() {
        try (S3Server server = S3Server.start()) {
            Map<String, String> environment = server.environment();
            environment.put("MLE_STAR_S3_CREATE", "generation-match");
            Store store = new S3Store(S3Settings.of(server.freshAddress(), environment),
                    () -> S3Server.credentials(S3Server.ACCESS_KEY, S3Server.SECRET_KEY), S3Clients.Patience.USUAL);
            assertThat(StoreProbe.of(store).wrong().orElseThrow()).isEqualTo("ignores conditional writes: it replaced an object");
        }
    }

    @Test
    void aServerThatIsNotThereIsOutOfReach() {
        Store store = S3Server.store("s3://mlestar/x", URI.create("http://127.0.0.1:1"), S3Server.PATIENCE);
        assertThatThrownBy(() -> StoreProbe.of(store)).isInstanceOf(StoreUnavailable.class);
    }
}
