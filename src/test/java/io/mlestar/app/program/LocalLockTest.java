package io.mlestar.app.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.records.Records;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.MemoryStore;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalLockTest {
    @TempDir
    private Path folder;

    @Test
    void aRunIsLeftIfItsLockIsThereAndNobodyHoldsIt() throws Exception {
        Records records = new Records(new FolderStore(folder));
        assertThat(LocalLock.isLeft(records, "r")).as("never conducted here").isFalse();
        assertThat(folder.resolve("runs/r")).as("looking leaves no trace").doesNotExist();
        Path lock = Path.of(records.store().address(Records.key("r", "lock")));
        Files.createDirectories(lock.getParent());
        Files.createFile(lock);
        assertThat(LocalLock.isLeft(records, "r")).as("its process is gone").isTrue();
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE); var held = channel.lock()) {
            assertThat(held.isValid()).isTrue();
            assertThat(LocalLock.isLeft(records, "r")).as("somebody works on it").isFalse();
        }
        assertThat(LocalLock.isLeft(records, "r")).isTrue();
    }

    @Test
    void aRunInMemoryBelongsToItsProcessAndLeavesNoFile() {
        Records records = new Records(new MemoryStore());
        assertThat(LocalLock.take(records, "r")).isTrue();
        assertThat(LocalLock.isLeft(records, "r")).isFalse();
        assertThat(Path.of("memory:runs")).doesNotExist();
    }
}
