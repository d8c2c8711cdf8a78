package io.mlestar.core.store;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/// A folder with all that is in it.
public final class FolderTree {
    private FolderTree() {}

    /// Removes it; links are removed, not followed.
    ///
    /// @throws IOException at the first file that cannot be removed, or if there is no such folder
    public static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            // A folder may be read-only.
            @Override
            public FileVisitResult preVisitDirectory(Path below, BasicFileAttributes attributes) throws IOException {
                if (!Files.isWritable(below)) {
                    Files.setPosixFilePermissions(below, PosixFilePermissions.fromString("rwx------"));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path below, IOException failure) throws IOException {
                Files.delete(below);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
