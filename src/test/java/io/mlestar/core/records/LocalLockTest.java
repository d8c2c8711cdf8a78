package io.mlestar.core.records;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.MemoryStore;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalLockTest {
    @TempDir
    private Path folder;

    @Test
    void aRunIsLeftIfItsLockIsThereAndNoProcessHoldsIt() throws Exception {
        Records records = new Records(new FolderStore(folder));
        RunHeader run = begunHere();
        assertThat(LocalLock.isLeft(records, run)).as("never conducted here").isFalse();
        assertThat(folder.resolve("runs/r")).as("looking leaves no trace").doesNotExist();
        Path lock = Path.of(records.store().address(Records.key("r", "lock")));
        Files.createDirectories(lock.getParent());
        Files.createFile(lock);
        assertThat(LocalLock.isLeft(records, run)).as("its process is gone").isTrue();
        assertThat(LocalLock.isLeft(records, begunElsewhere())).as("other machines may do its steps").isFalse();
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE); var held = channel.lock()) {
            assertThat(held.isValid()).isTrue();
            assertThat(LocalLock.isLeft(records, run)).as("a process works on it").isFalse();
        }
        assertThat(LocalLock.isLeft(records, run)).isTrue();
        assertThat(LocalLock.take(records, "r")).isTrue();
        assertThat(LocalLock.isLeft(records, run)).as("this process works on it").isFalse();
        assertThat(isHeldForOthers(lock)).as("a look does not give the lock up").isTrue();
    }

    @Test
    void aLockThatIsALinkIsRefusedAndMakesNoFile() throws Exception {
        Records records = new Records(new FolderStore(folder.resolve("store")));
        Path runs = Files.createDirectories(folder.resolve("store/runs"));
        Files.createSymbolicLink(Files.createDirectory(runs.resolve("r")).resolve("lock"), folder.resolve("made"));
        Files.createSymbolicLink(runs.resolve("linked"), Files.createDirectory(folder.resolve("other")));
        for (String run : List.of("r", "linked")) {
            refusal(DamagedRecord.class, () -> LocalLock.take(records, run)).contains("symbolic link");
        }
        assertThat(folder.resolve("made")).doesNotExist();
        assertThat(folder.resolve("other")).isEmptyDirectory();
    }

    @Test
    void aRunInMemoryBelongsToItsProcessAndLeavesNoFile() {
        Records records = new Records(new MemoryStore());
        assertThat(LocalLock.take(records, "r")).isTrue();
        assertThat(LocalLock.isLeft(records, begunHere())).isFalse();
        assertThat(Path.of("memory:runs")).doesNotExist();
    }

    private static RunHeader begunElsewhere() {
        return DrivenRun.start(new MemoryStore(), "r", "{}", 0).records().header("r").orElseThrow();
    }

    private static RunHeader begunHere() {
        ObjectNode header = (ObjectNode) Json.tree(begunElsewhere());
        return Json.read(
                header.set("environment", Json.tree(new RunHeader.Environment("3.12 at /python3", "numpy", "none"))),
                RunHeader.class);
    }

    /// Asks another process, since this one cannot see its own locks.
    private static boolean isHeldForOthers(Path lock) throws Exception {
        String python =
                "import fcntl,sys\nf=open(sys.argv[1],'r+')\ntry: fcntl.lockf(f,fcntl.LOCK_EX|fcntl.LOCK_NB)\nexcept OSError: sys.exit(3)";
        return new ProcessBuilder("python3", "-c", python, lock.toString()).start().waitFor() == 3;
    }
}
