package io.mlestar.adapter.bucket;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Sha256;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The files of a data set in a bucket.
///
/// @param files sorted by name
@RegisterForReflection
record DataManifest(List<File> files) {
    /// The object that holds it. It is written last, so where it is, all files are.
    static final String KEY = "mlestar-data.json";

    /// @param name below the data set's folder, with `/`
    /// @param sha256 in hex; null if `mlestar data push` did not make the data set
    /// @param version as the server calls it; null beside a digest, which says more
    record File(String name, long size, @Nullable String sha256, @Nullable String version) {
        File {
            if (!isSafe(name) || size < 0) {
                throw new Invalid("a data set must not hold a file named \"" + name + "\"");
            }
        }

        private static boolean isSafe(String name) {
            try {
                Path path = Path.of(name);
                return !name.isEmpty() && !path.isAbsolute() && path.normalize().equals(path)
                        && !path.startsWith("..");
            } catch (InvalidPathException e) {
                return false;
            }
        }
    }

    DataManifest {
        files = List.copyOf(files);
    }

    /// Reads the manifest of the bucket. A data set without one is described by the list of its
    /// objects.
    ///
    /// @return empty if there is not one object
    static Optional<DataManifest> of(S3Store bucket) {
        Optional<DataManifest> written =
                bucket.read(KEY)
                        .map(bytes -> Json.readStrictly(Json.parse(bytes), DataManifest.class));
        return written.or(() -> Optional.of(new DataManifest(bucket.all()
                .stream()
                .map(object -> new File(object.key(), object.size(), null, object.version()))
                .toList()))).filter(manifest -> !manifest.files().isEmpty());
    }

    byte[] bytes() {
        return Json.text(this).getBytes(StandardCharsets.UTF_8);
    }

    /// Names the content: it changes with every byte of it.
    String digest() {
        return Sha256.hex(bytes()).substring(0, 16);
    }
}
