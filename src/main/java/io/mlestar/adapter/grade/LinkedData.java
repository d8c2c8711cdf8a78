package io.mlestar.adapter.grade;

import io.mlestar.core.store.FolderTree;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/// A task's data in another folder, but for the files that something else is to take the place of.
/// Files are linked, so that large data cost nothing, and copied where they cannot be linked;
/// nothing leads back to the folder of the task. A symbolic link leads to what is shown in its
/// place. Where files are moved, folders that hold nothing are not there: they would tell what was
/// in them. Files are made in the order of their paths here, so that no order tells which are
/// moved.
///
/// @param root folder of the task's data
/// @param without paths below it
/// @param moved paths below it, by others that they stand at
/// @param copied whether no file is linked: a copy has the time of all copies, and a link that of
///   the task's file
record LinkedData(Path root, Set<String> without, Map<String, String> moved, boolean copied) {
    private static final Set<PosixFilePermission> READ_ONLY =
            PosixFilePermissions.fromString("r--r--r--");
    /// Stands for what this process's locale cannot read of a file's name: such a file cannot be
    /// told from one that is left out.
    private static final char UNNAMED = '\uFFFD';

    /// @param view an empty folder
    void into(Path view) throws IOException {
        Path real = root.toRealPath();
        Set<Path> folders = new HashSet<>();
        try (Stream<Path> all = Files.walk(real)) {
            for (Path path : (Iterable<Path>) all.sorted(Comparator
                    .comparing(path -> place(real.relativize(path).toString())))::iterator) {
                String name = real.relativize(path).toString();
                if (without.contains(name) || name.indexOf(UNNAMED) >= 0) {
                    continue;
                }
                Path shown = shown(view, name);
                if (Files.isSymbolicLink(path)) {
                    if (Files.exists(path) && path.toRealPath().startsWith(real)) {
                        prepare(shown, folders);
                        Path there = shown(view, real.relativize(path.toRealPath()).toString());
                        Files.createSymbolicLink(shown,
                                Path.of(".").resolve(parent(shown).relativize(there)));
                    }
                } else if (Files.isDirectory(path) && moved.isEmpty()) {
                    Files.createDirectories(shown);
                } else if (Files.isRegularFile(path)) {
                    prepare(shown, folders);
                    linkOrCopy(path, shown);
                }
            }
        }
    }

    private String place(String name) {
        return moved.getOrDefault(name, name);
    }

    private Path shown(Path view, String name) throws IOException {
        Path shown = view.resolve(place(name)).normalize();
        if (!shown.startsWith(view.normalize())) {
            throw new IOException("a file would stand outside of the data: " + name);
        }
        return shown;
    }

    private static Path parent(Path file) {
        return Objects.requireNonNull(file.getParent());
    }

    private static void prepare(Path file, Set<Path> known) throws IOException {
        if (known.add(parent(file))) {
            Files.createDirectories(parent(file));
        }
    }

    private void linkOrCopy(Path file, Path shown) throws IOException {
        try {
            if (!copied) {
                Files.createLink(shown, file);
                return;
            }
        } catch (FileSystemException | UnsupportedOperationException e) {
            // A file on another file system is copied.
        }
        Files.copy(file, shown);
        finish(shown);
    }

    /// Makes a new file like all others of a view.
    static void finish(Path file) throws IOException {
        Files.setLastModifiedTime(file, FolderTree.NO_TIME);
        Files.setPosixFilePermissions(file, READ_ONLY);
    }
}
