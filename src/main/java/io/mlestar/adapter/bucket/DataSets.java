package io.mlestar.adapter.bucket;

import io.mlestar.core.base.Backoff;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Sha256;
import io.mlestar.core.store.FolderTree;
import io.mlestar.core.store.OwnFolder;
import io.mlestar.core.store.Store;
import io.mlestar.core.store.StoreUnavailable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Gatherers;
import org.jboss.logging.Logger;

/// Finds a task's data on this machine: a folder where it lies; a data set in a bucket in a cache,
/// where it is fetched once per machine. A run keeps the data that it began with: the address is
/// pinned by a digest of the content, as in `s3://bucket/birds#4f1c9a2b7d3e8f60`.
public final class DataSets {
    private static final Logger LOG = Logger.getLogger("mle_star.store");
    private static final int TRIES = 3;
    private static final Backoff BACKOFF =
            new Backoff(Duration.ofMillis(200), Duration.ofSeconds(1));

    /// Finds the folder of the cache; makes it, if it lies among the folders of other users.
    private interface CacheFolder {
        Path find() throws IOException;
    }

    private final CacheFolder cache;
    private final Function<String, S3Store> buckets;
    private final Map<String, S3Store> opened = new ConcurrentHashMap<>();
    private final Set<Path> seenWhole = ConcurrentHashMap.newKeySet();

    /// @param environment `MLE_STAR_CACHE` names the cache's folder; the S3 settings are as for a
    ///   store
    public DataSets(Map<String, String> environment) {
        this(environment.containsKey("MLE_STAR_CACHE")
                ? named(Path.of(environment.get("MLE_STAR_CACHE")))
                : () -> OwnFolder.make(
                        Path.of(System.getProperty("java.io.tmpdir"), "mlestar-cache"),
                        "rwxr-xr-x"),
                address -> new S3Store(S3Settings.of(address, environment)));
    }

    DataSets(Path cache, Function<String, S3Store> buckets) {
        this(named(cache), buckets);
    }

    private DataSets(CacheFolder cache, Function<String, S3Store> buckets) {
        this.cache = cache;
        this.buckets = buckets;
    }

    private static CacheFolder named(Path folder) {
        return folder.toAbsolutePath()::normalize;
    }

    /// Looks whether there are data, before a run begins.
    ///
    /// @param base where a relative folder is looked for
    /// @return the whole path, or the pinned address
    /// @throws Invalid if there are none, or others than a pin says, or if a link leads out of the
    ///   folder
    public String found(String dataDir, Path base) {
        if (isRemote(dataDir)) {
            return unpinned(dataDir) + "#" + manifest(dataDir).digest();
        }
        Path folder = Path.of(resolved(dataDir, base));
        try {
            AtomicBoolean holdsFile = new AtomicBoolean();
            DataFolder.of(folder).visit(false, file -> holdsFile.set(true));
            if (!holdsFile.get()) {
                throw new Invalid(folder + " holds no file");
            }
            return folder.toString();
        } catch (Invalid e) {
            throw new Invalid("data_dir: " + e.getMessage());
        }
    }

    /// The folder with the data; fetches them first if they are not here.
    ///
    /// @throws Invalid if they are no longer what they were
    /// @throws StoreUnavailable if they cannot be fetched now
    public Path local(String dataDir) {
        if (!isRemote(dataDir)) {
            return Path.of(dataDir);
        }
        Path cached = cacheFolder();
        int pin = dataDir.indexOf('#');
        Path known = cached.resolve(pin < 0 ? "unknown" : dataDir.substring(pin + 1));
        if (pin >= 0 && seenWhole.contains(known)) {
            return known;
        }
        DataManifest manifest = manifest(dataDir);
        Path folder = cached.resolve(manifest.digest());
        synchronized (this) {
            if (!seenWhole.contains(folder)) {
                fetchOnce(dataDir, manifest, folder);
                seenWhole.add(folder);
            }
        }
        return folder;
    }

    /// Names the content of data, by their names and every byte of them.
    public String digest(String dataDir) {
        if (isRemote(dataDir)) {
            return manifest(dataDir).digest();
        }
        DataFolder folder = DataFolder.of(Path.of(dataDir));
        List<Path> files = new ArrayList<>();
        folder.visit(false, files::add);
        MessageDigest digest = Sha256.digest();
        for (Path file : files.stream().sorted().toList()) {
            digest.update((folder.root().relativize(file) + "\0").getBytes(StandardCharsets.UTF_8));
            try {
                digest.update(
                        Sha256.hex(Files.newInputStream(file)).getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new Invalid("data_dir: " + file + " cannot be read: " + Invalid.reason(e));
            }
        }
        return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
    }

    private Path cacheFolder() {
        try {
            return cache.find();
        } catch (IOException e) {
            throw new StoreUnavailable(
                    "data sets cannot be cached (MLE_STAR_CACHE): " + e.getMessage(), e);
        }
    }

    /// The address of the data, or their folder as a whole path.
    ///
    /// @throws Invalid if it can be none
    public static String resolved(String dataDir, Path base) {
        try {
            return isRemote(dataDir)
                    ? dataDir
                    : base.resolve(dataDir).toAbsolutePath().normalize().toString();
        } catch (InvalidPathException e) {
            throw new Invalid("data_dir: " + e.getMessage());
        }
    }

    /// True if the data lie in a bucket.
    public static boolean isRemote(String dataDir) {
        return dataDir.startsWith("s3://");
    }

    private static String unpinned(String dataDir) {
        return dataDir.replaceFirst("#.*$", "");
    }

    private S3Store bucket(String dataDir) {
        return opened.computeIfAbsent(unpinned(dataDir), buckets);
    }

    private DataManifest manifest(String dataDir) {
        DataManifest manifest = DataManifest.of(bucket(dataDir))
                .orElseThrow(() -> new Invalid(
                        "data_dir " + dataDir + " holds no object; mlestar data push FOLDER "
                                + unpinned(dataDir)));
        int pin = dataDir.indexOf('#');
        if (pin >= 0 && !dataDir.substring(pin + 1).equals(manifest.digest())) {
            throw new Invalid(
                    "the data at " + unpinned(dataDir) + " have changed: they were "
                            + dataDir.substring(pin + 1)
                            + " and are " + manifest.digest());
        }
        return manifest;
    }

    /// Fetches a data set. One process at a time does so; the others wait and find it. The folder
    /// gets its name when it is whole.
    private void fetchOnce(String dataDir, DataManifest manifest, Path folder) {
        Path cached = Objects.requireNonNull(folder.getParent());
        Path aside = cached.resolve(folder.getFileName() + ".part");
        try {
            Files.createDirectories(cached);
            try (FileChannel channel =
                    FileChannel.open(cached.resolve(folder.getFileName() + ".lock"),
                            StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                if (isWhole(folder, manifest)) {
                    return;
                }
                delete(aside);
                delete(folder);
                LOG.infof("fetching %s, %d files, to %s", dataDir, manifest.files().size(), folder);
                manifest.files()
                        .stream()
                        .gather(Gatherers.mapConcurrent(Store.AT_ONCE,
                                file -> fetch(bucket(dataDir), file, aside.resolve(file.name()))))
                        .forEach(file -> file.toFile().setReadOnly());
                Files.move(aside, folder, StandardCopyOption.ATOMIC_MOVE);
                LOG.debugf("%s is here (%s)", dataDir, lock);
            }
        } catch (IOException e) {
            throw new StoreUnavailable("cannot fetch " + dataDir + " to " + cached + ": " + e, e);
        }
    }

    /// Checks the size of every file: a machine that lost power may have cut one.
    private static boolean isWhole(Path folder, DataManifest manifest) throws IOException {
        for (DataManifest.File file : manifest.files()) {
            Path here = folder.resolve(file.name());
            if (!Files.isRegularFile(here) || Files.size(here) != file.size()) {
                return false;
            }
        }
        return true;
    }

    private static Path fetch(S3Store bucket, DataManifest.File file, Path target) {
        for (int attempt = 1;; attempt++) {
            try (InputStream content =
                    new DigestCheckingStream(
                            bucket.open(file.name(), Optional.ofNullable(file.version())), file)) {
                Files.createDirectories(target.getParent());
                Files.copy(content, target, StandardCopyOption.REPLACE_EXISTING);
                Files.setLastModifiedTime(target, FolderTree.NO_TIME);
                return target;
            } catch (IOException e) {
                if (attempt == TRIES || !Backoff.sleep(BACKOFF.jittered(attempt))) {
                    throw new StoreUnavailable(
                            "cannot fetch " + bucket.address(file.name()) + ": " + e.getMessage(),
                            e);
                }
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            FolderTree.delete(folder);
        }
    }
}
