package io.mlestar.adapter.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.app.program.upkeep.StoreProbe;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.ForwardingStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoresTest {
    @Test
    void theAddressTellsTheKindOfStore(@TempDir Path folder) {
        Store store = Stores.open(folder.resolve("store").toString(), Map.of());
        assertThat(store).isInstanceOf(FolderStore.class);
        assertThat(store.address("runs/a")).isEqualTo(folder.resolve("store/runs/a").toString());
        assertThat(Stores.open("memory:", Map.of())).isInstanceOf(MemoryStore.class);
        assertThatThrownBy(() -> Stores.open("ftp://somewhere/runs", Map.of())).isInstanceOf(Invalid.class)
                .hasMessageContaining("ftp://somewhere/runs");
    }

    @ParameterizedTest
    @CsvSource({"store, true", "store/runs/evil, true", "store/../store/runs/evil, true", "link/evil, true",
        "store-2, false", "other/runs, false"})
    void aUsersFileDoesNotLieInTheStore(String file, boolean refused, @TempDir Path folder) throws IOException {
        Files.createDirectories(folder.resolve("store/runs"));
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("store/runs"));
        ThrowingCallable check = () -> Stores.checkOutside(folder.resolve(file), folder.resolve("store").toString());
        if (refused) {
            assertThatThrownBy(check).isInstanceOf(Invalid.class).hasMessageContaining("lies in the store");
        } else {
            assertThatCode(check).doesNotThrowAnyException();
        }
        assertThatCode(() -> Stores.checkOutside(folder.resolve(file), "s3://bucket/store")).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"data, data/store, true", "data, data, true", "data/images, data, true", "data, store, false",
        "data, data-store, false",
        "data, link/store, true", "data, memory:, false", "data, s3://data, false", "s3://b/a, s3://b/a, true",
        "s3://b, s3://b/a/, true",
        "s3://b/a#12, s3://b/a/, true", "s3://b/runs/x, s3://b/, true", "s3://b/data, s3://b/, false",
        "s3://b/a-b, s3://b/a, false", "s3://b, s3://c, false"})
    void dataAndRunsMustNotLieInEachOther(String data, String store, boolean refused, @TempDir Path folder)
            throws IOException {
        Files.createDirectories(folder.resolve("data/images"));
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("data"));
        ThrowingCallable check = () -> Stores.checkApart(data.contains(":") ? data : folder.resolve(data).toString(),
                store.contains(":") ? store : folder.resolve(store).toString());
        if (refused) {
            assertThatThrownBy(check).isInstanceOf(Invalid.class).hasMessageContaining("one contains the other");
        } else {
            assertThatCode(check).doesNotThrowAnyException();
        }
    }

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
