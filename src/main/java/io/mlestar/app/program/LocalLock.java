package io.mlestar.app.program;

import io.mlestar.core.records.Records;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.OwnFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/// Keeps two processes of one machine from working on the same run and paying twice; results are right without it. The operating system releases the
/// lock when the process ends, however it ends.
public final class LocalLock {
    private static final Logger LOG = Logger.getLogger("mle_star");
    private static final List<FileLock> HELD = new ArrayList<>();

    private LocalLock() {}

    /// Takes the lock of a run for the rest of the process's life.
    ///
    /// @return false if another process of this machine has it
    public static boolean take(Records records, String run) {
        return file(records, run).map(LocalLock::take).orElse(true);
    }

    /// Whether a process of this machine has held the lock of a run and none holds it now. Leaves everything as it is.
    public static boolean isLeft(Records records, String run) {
        return file(records, run).filter(Files::isWritable).filter(LocalLock::isFree).isPresent();
    }

    private static boolean isFree(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE); FileLock lock = channel.tryLock()) {
            return lock != null;
        } catch (OverlappingFileLockException | IOException e) {
            return false;
        }
    }

    /// Empty for a run in the memory of this process, which no other can reach, and where no folder of this user's can be made.
    private static Optional<Path> file(Records records, String run) {
        String address = records.store().address(Records.key(run, "lock"));
        if (address.startsWith(MemoryStore.ADDRESS)) {
            return Optional.empty();
        }
        if (!address.contains("://")) {
            return Optional.of(Path.of(address));
        }
        try {
            Path locks = OwnFolder.make(Path.of(System.getProperty("java.io.tmpdir"), "mlestar-locks"), "rwx------");
            return Optional.of(locks.resolve(address.replaceAll("[^A-Za-z0-9._-]", "_")));
        } catch (IOException e) {
            LOG.debugf("no locks: %s", e.getMessage());
            return Optional.empty();
        }
    }

    static synchronized boolean take(Path file) {
        try {
            Files.createDirectories(file.getParent());
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                return false;
            }
            HELD.add(lock);
            return true;
        } catch (OverlappingFileLockException e) {
            return true;
        } catch (IOException e) {
            // A file system without locks: the run is right all the same.
            return true;
        }
    }
}
