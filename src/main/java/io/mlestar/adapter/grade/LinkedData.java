package io.mlestar.adapter.grade;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/// A task's data in another folder, but for the files that something else is to take the place of. Files are linked, so that large data cost nothing, and copied
/// where they cannot be linked; nothing leads back to the folder of the task. A symbolic link leads to what is shown in its place.
///
/// @param root folder of the task's data
/// @param without paths below it
record LinkedData(Path root, Set<String> without) {
    private static final Set<PosixFilePermission> READ_ONLY = PosixFilePermissions.fromString("r--r--r--");
    /// Stands for what this process's locale cannot read of a file's name: such a file cannot be told from one that is left out.
    private static final char UNNAMED = '\uFFFD';

    /// @param view an empty folder
    void into(Path view) throws IOException {
        Path real = root.toRealPath();
        try (Stream<Path> all = Files.walk(real)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                String name = real.relativize(path).toString();
                Path shown = view.resolve(name);
                if (Files.isSymbolicLink(path)) {
                    if (Files.exists(path) && path.toRealPath().startsWith(real)) {
                        Path there = view.resolve(real.relativize(path.toRealPath()).toString());
                        Files.createSymbolicLink(shown, Path.of(".").resolve(Objects.requireNonNull(shown.getParent()).relativize(there)));
                    }
                } else if (Files.isDirectory(path)) {
                    Files.createDirectories(shown);
                } else if (Files.isRegularFile(path) && !without.contains(name) && name.indexOf(UNNAMED) < 0) {
                    linkOrCopy(path, shown);
                }
            }
        }
    }

    private static void linkOrCopy(Path file, Path shown) throws IOException {
        try {
            Files.createLink(shown, file);
        } catch (FileSystemException | UnsupportedOperationException e) {
            Files.copy(file, shown);
            readOnly(shown);
        }
    }

    static void readOnly(Path file) throws IOException {
        Files.setPosixFilePermissions(file, READ_ONLY);
    }
}
