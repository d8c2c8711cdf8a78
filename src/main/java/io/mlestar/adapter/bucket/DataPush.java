package io.mlestar.adapter.bucket;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Sha256;
import io.mlestar.core.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/// Uploads a folder to a bucket as a data set: many files at once, the manifest last. It may be
/// repeated after a failure: what is there is not sent again, and nothing is ever replaced.
public final class DataPush {
    private static final String SHA256 = "sha256";

    private final S3Store bucket;

    /// @param address `s3://bucket/prefix`
    public DataPush(String address, Map<String, String> environment) {
        this(new S3Store(S3Settings.of(address, environment)));
    }

    DataPush(S3Store bucket) {
        this.bucket = bucket;
    }

    /// @param sent files that were not there before
    public record PushResult(int files, long bytes, int sent, String digest) {}

    /// @throws Invalid if the folder holds no file, or what a bucket cannot hold, or the bucket
    ///   holds something else under one of the names
    public PushResult push(Path folder) {
        List<String> names = names(folder);
        DataManifest manifest = new DataManifest(names.stream()
                .gather(Gatherers.mapConcurrent(Store.AT_ONCE, name -> described(folder, name)))
                .toList());
        Optional<byte[]> there = bucket.read(DataManifest.KEY);
        there.ifPresent(
                bytes -> same(Json.readStrictly(Json.parse(bytes), DataManifest.class), manifest));
        int sent = 0;
        if (there.isEmpty()) {
            sent = (int) manifest.files()
                    .stream()
                    .gather(Gatherers.mapConcurrent(Store.AT_ONCE,
                            file -> send(folder.resolve(file.name()), file)))
                    .filter(done -> done)
                    .count();
            if (!bucket.create(DataManifest.KEY, manifest.bytes())) {
                same(DataManifest.of(bucket).orElseThrow(), manifest);
            }
        }
        return new PushResult(names.size(),
                manifest.files().stream().mapToLong(DataManifest.File::size).sum(), sent,
                manifest.digest());
    }

    private static List<String> names(Path folder) {
        DataFolder data = DataFolder.of(folder);
        List<String> names = new ArrayList<>();
        data.visit(true,
                file -> names.add(data.root().relativize(file).toString().replace('\\', '/')));
        names.remove(DataManifest.KEY);
        if (names.isEmpty()) {
            throw new Invalid(folder + " holds no file");
        }
        return names.stream().sorted().toList();
    }

    private static DataManifest.File described(Path folder, String name) {
        Path file = folder.resolve(name);
        try (DigestInputStream in =
                new DigestInputStream(Files.newInputStream(file), Sha256.digest())) {
            long size = in.transferTo(OutputStream.nullOutputStream());
            return new DataManifest.File(name, size,
                    HexFormat.of().formatHex(in.getMessageDigest().digest()), null);
        } catch (IOException e) {
            throw new Invalid(file + " cannot be read: " + e.getMessage());
        }
    }

    private void same(DataManifest there, DataManifest here) {
        if (!there.equals(here)) {
            String first = Stream.concat(here.files().stream(), there.files().stream())
                    .filter(file -> !there.files().contains(file) || !here.files().contains(file))
                    .findFirst()
                    .orElseThrow()
                    .name();
            throw new Invalid(bucket.address("") + " is another data set: " + first
                    + " differs; push to a new prefix");
        }
    }

    /// @return false if it is there
    private boolean send(Path source, DataManifest.File file) {
        Optional<Map<String, String>> there = bucket.labels(file.name());
        try {
            if (there.isEmpty()
                    && bucket.create(file.name(),
                            new DigestCheckingStream(Files.newInputStream(source), file),
                            Map.of(SHA256, file.sha256()))) {
                return true;
            }
            boolean isSame = there.or(() -> bucket.labels(file.name()))
                    .map(labels -> labels.get(SHA256))
                    .map(known -> known.equals(file.sha256()))
                    .orElseGet(() -> holds(file));
            if (!isSame) {
                throw new Invalid(bucket.address(file.name())
                        + " holds another content; push to a new prefix");
            }
            return false;
        } catch (IOException e) {
            throw new Invalid(source + " cannot be read: " + e.getMessage());
        }
    }

    /// True if an object that another program put there has this content.
    private boolean holds(DataManifest.File file) {
        try (InputStream there =
                new DigestCheckingStream(bucket.open(file.name(), Optional.empty()), file)) {
            there.transferTo(OutputStream.nullOutputStream());
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
