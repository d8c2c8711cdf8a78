package io.mlestar.core.records;

import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.OwnFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/// Keeps two processes of one machine from working on the same run and paying twice; results are
/// right without it. The operating system releases the lock when the process ends, however it ends.
public final class LocalLock {
    private static final Logger LOG = Logger.getLogger("mle_star");
    private static final String LOCK = "lock";
    private static final Map<Path, FileLock> HELD = new ConcurrentHashMap<>();

    private LocalLock() {}

    /// Takes the lock of a run for the rest of the process's life.
    ///
    /// @return false if another process of this machine has it
    /// @throws DamagedRecord if it is a symbolic link, or lies behind one
    public static boolean take(Records records, String run) {
        Optional<Path> lock = file(records, run);
        if (lock.isEmpty()) {
            return true;
        }
        Path file = lock.get();
        if (!records.store().address("").contains("://")) {
            // The store follows no link to the run's folder.
            List<String> _ = records.store().list(Records.key(run, ""));
        }
        if (Files.isSymbolicLink(file)) {
            throw new DamagedRecord(Records.key(run, LOCK),
                    file + " is a symbolic link, and the store follows none");
        }
        return take(file);
    }

    /// True if a run stands still since its process is gone: a process of this machine has held its
    /// lock, and none holds it now. Leaves everything as it is. Steps that other machines do are
    /// not seen from here, as in a run that a cluster began, or that lies in a bucket.
    public static boolean isLeft(Records records, RunHeader run) {
        boolean isOfThisMachine =
                run.environment() != null && !records.store().address("").contains("://");
        return isOfThisMachine
                && file(records, run.runId()).filter(Files::isReadable)
                        .filter(LocalLock::isFree)
                        .isPresent();
    }

    /// Viewers share the lock with each other. One that this process holds must not be opened
    /// again: to close the file would give it up.
    private static boolean isFree(Path file) {
        if (HELD.containsKey(file)) {
            return false;
        }
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
                FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return lock != null;
        } catch (OverlappingFileLockException | IOException e) {
            return false;
        }
    }

    /// Empty for a run in the memory of this process, which no other can reach, and where no folder
    /// of this user's can be made.
    private static Optional<Path> file(Records records, String run) {
        String address = records.store().address(Records.key(run, LOCK));
        if (address.startsWith(MemoryStore.ADDRESS)) {
            return Optional.empty();
        }
        if (!address.contains("://")) {
            return Optional.of(Path.of(address));
        }
        try {
            Path locks = OwnFolder.make(
                    Path.of(System.getProperty("java.io.tmpdir"), "mlestar-locks"), "rwx------");
            return Optional.of(locks.resolve(address.replaceAll("[^A-Za-z0-9._-]", "_")));
        } catch (IOException e) {
            LOG.debugf("no locks: %s", e.getMessage());
            return Optional.empty();
        }
    }

    static synchronized boolean take(Path file) {
        if (HELD.containsKey(file)) {
            return true;
        }
        try {
            Files.createDirectories(file.getParent());
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                return false;
            }
            HELD.put(file, lock);
            return true;
        } catch (OverlappingFileLockException e) {
            return true;
        } catch (IOException e) {
            // A file system without locks: the run is right all the same.
            return true;
        }
    }
}
