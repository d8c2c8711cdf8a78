package io.mlestar.adapter.bucket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.store.Store;
import io.mlestar.core.store.StoreContract;
import io.mlestar.core.store.StoreUnavailable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class S3StoreTest implements StoreContract {
    @AutoClose
    private static final S3Server SERVER = S3Server.start();

    @Override
    public Store store() {
        return SERVER.store(SERVER.freshAddress());
    }

    /// Two parts and a bit.
    private static byte[] large() {
        byte[] content = new byte[2 * S3Create.PART + 12_345];
        new Random(11).nextBytes(content);
        return content;
    }

    @Test
    void largeContentGoesInPartsAndStays() {
        Store store = store();
        byte[] large = large();
        assertThat(store.create("streamed", new ByteArrayInputStream(large))).isTrue();
        assertThat(store.create("bytes", large)).isTrue();
        assertThat(store.create("streamed", new ByteArrayInputStream(new byte[large.length]))).isFalse();
        assertThat(store.read("streamed").orElseThrow()).isEqualTo(large);
        assertThat(store.read("bytes").orElseThrow()).isEqualTo(large);
    }

    @Test
    void largeContentThatBreaksOffLeavesNothing() {
        Store store = store();
        InputStream broken = new InputStream() {
            private int left = S3Create.PART + 1_000;

            @Override
            public int read() throws IOException {
                if (--left < 0) {
                    throw new IOException("the disk is gone");
                }
                return 0;
            }
        };
        assertThatThrownBy(() -> store.create("large", broken)).isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("large").hasMessageContaining("the disk is gone");
        assertThat(store.read("large")).isEmpty();
        assertThat(store.list("")).isEmpty();
    }

    @Test
    void ofManyWritersOfLargeContentExactlyOneWins() throws Exception {
        Store store = store();
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Boolean> won = writers
                    .invokeAll(IntStream.range(0, 4).<java.util.concurrent.Callable<Boolean>>mapToObj(writer -> () -> {
                        byte[] content = new byte[S3Create.PART + 1];
                        content[S3Create.PART] = (byte) writer;
                        return store.create("large", new ByteArrayInputStream(content));
                    }).toList()).stream().map(java.util.concurrent.Future::resultNow).toList();
            int winner = won.indexOf(true);
            assertThat(won).containsOnlyOnce(true);
            assertThat(store.read("large").orElseThrow()[S3Create.PART]).isEqualTo((byte) winner);
        }
    }

    @Test
    void listsMoreThanAPage() throws Exception {
        Store store = store();
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, 1_050).forEach(i -> writers
                    .submit(() -> store.create("many/%04d%s".formatted(i, i % 2 == 0 ? "" : "/x"), new byte[1])));
        }
        assertThat(store.list("many")).hasSize(1_050).isSorted().contains("0000", "0001/", "1048", "1049/");
    }

    @Test
    void namesKeepTheirCharacters() {
        Store store = store();
        List<String> names = List.of("a b", "a%20b", "a&b<c>", "a+b", "a=b?c#d", "über");
        names.forEach(name -> assertThat(store.create("odd/" + name, name.getBytes(UTF_8))).as(name).isTrue());
        assertThat(store.list("odd")).containsExactlyInAnyOrderElementsOf(names);
        names.forEach(name -> assertThat(store.read("odd/" + name)).hasValue(name.getBytes(UTF_8)));
    }

    @Test
    void twoPrefixesKnowNothingOfEachOther() {
        String address = SERVER.freshAddress();
        Store one = SERVER.store(address);
        assertThat(one.create("key", new byte[1])).isTrue();
        assertThat(SERVER.store(address + "/sub").read("key")).isEmpty();
        assertThat(SERVER.store(address + "2").list("")).isEmpty();
        assertThat(one.list("")).containsExactly("key");
        assertThat(SERVER.store(address + "/").read("key")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../outside", "runs/../../outside", "/etc/passwd", "..", "runs/./x"})
    void aKeyThatLeadsOutIsRefused(String key) {
        Store store = store();
        assertThatThrownBy(() -> store.create(key, new byte[1])).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key);
        assertThatThrownBy(() -> store.read(key)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.list(key)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.address(key)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aBucketThatIsNotThereIsNamed() {
        Store store = SERVER.store("s3://nobodys-bucket/runs");
        assertThatThrownBy(() -> store.read("key")).isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("s3://nobodys-bucket/runs/key").hasMessageContaining("NoSuchBucket");
        assertThatThrownBy(() -> store.create("key", new byte[1])).isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("NoSuchBucket");
        assertThatThrownBy(() -> store.list("runs")).isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("NoSuchBucket");
    }

    @Test
    void aRefusedKeyIsNamed() {
        S3Settings settings = S3Settings.of(SERVER.freshAddress(), SERVER.environment());
        Store store = new S3Store(settings, () -> S3Server.credentials("somebody", "else"), S3Clients.Patience.USUAL);
        assertThatThrownBy(() -> store.create("key", new byte[1])).isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("403");
    }
}
