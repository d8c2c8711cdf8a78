package io.mlestar.core.store;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;

/// A folder with all that is in it.
public final class FolderTree {
    /// The time of files and folders that are made for scripts, so that none tells where it comes
    /// from. Archives know none before 1980.
    public static final FileTime NO_TIME = FileTime.from(Instant.parse("2000-01-01T00:00:00Z"));

    private FolderTree() {}

    /// Removes it; links are removed, not followed.
    ///
    /// @throws IOException at the first file that cannot be removed, or if there is no such folder
    public static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            // A folder may be read-only.
            @Override
            public FileVisitResult preVisitDirectory(Path below, BasicFileAttributes attributes)
                    throws IOException {
                if (!Files.isWritable(below)) {
                    Files.setPosixFilePermissions(below,
                            PosixFilePermissions.fromString("rwx------"));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                    throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path below, IOException failure)
                    throws IOException {
                Files.delete(below);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
