package io.mlestar.adapter.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.store.StoreUnavailable;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketObjectTest {
    private static S3Server server;

    private final BucketObject objects = new BucketObject(server::store);

    @BeforeAll
    static void start() {
        server = S3Server.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void anObjectIsReadByItsAddress() {
        String place = server.freshAddress();
        server.store(place).create("tasks/big.json", "{\"description\": \"...\"}".getBytes(StandardCharsets.UTF_8));
        assertThat(new String(objects.read("task_ref", place + "/tasks/big.json"), StandardCharsets.UTF_8))
                .isEqualTo("{\"description\": \"...\"}");
    }

    @Test
    void whatIsNotThereOrTooLargeIsNamed() {
        String place = server.freshAddress();
        assertThatThrownBy(() -> objects.read("task_ref", place + "/none.json")).isInstanceOf(Invalid.class)
                .hasMessageContaining("task_ref: there is no object " + place + "/none.json");
        server.store(place).create("huge.json", new byte[(4 << 20) + 1]);
        assertThatThrownBy(() -> objects.read("config_ref", place + "/huge.json")).isInstanceOf(Invalid.class)
                .hasMessageContaining("config_ref").hasMessageContaining("at most 4194304 bytes");
    }

    @Test
    void aBucketThatCannotBeReachedMayBeReachedLater() {
        S3Server gone = S3Server.start();
        String address = gone.freshAddress() + "/task.json";
        BucketObject unreachable = new BucketObject(gone::store);
        gone.close();
        assertThatThrownBy(() -> unreachable.read("task_ref", address)).isInstanceOf(StoreUnavailable.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "task.json", "/etc/passwd", "file:///etc/passwd", "s3://bucket", "s3://bucket/",
        "s3:///key", "s3://mlestar/../other/key",
        "http://host/key"})
    void whatIsNoAddressOfAnObjectIsRefused(String address) {
        assertThatThrownBy(() -> objects.read("task_ref", address)).isInstanceOf(Invalid.class);
    }
}
