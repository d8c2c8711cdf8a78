package io.mlestar.adapter.bucket;

import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/// A folder with data, before anything is done with it. Scripts see it and nothing around it, so what lies in it must not lead out of it.
record DataFolder(Path root) {
    /// What is found on the way through it.
    interface Visitor {
        /// A regular file, or a link to one.
        void file(Path file);

        /// A link to another folder of it; its files are met where they lie.
        default void folderLink(Path link) {}

        /// What cannot be opened.
        default void closed(Path path, IOException failure) {}
    }

    /// @throws Invalid if it is no folder, or cannot be read
    static DataFolder of(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new Invalid(folder + " is not a folder");
        }
        try {
            return new DataFolder(folder.toRealPath());
        } catch (IOException e) {
            throw new Invalid(folder + " cannot be read: " + e.getMessage());
        }
    }

    /// Goes through all of it.
    ///
    /// @throws Invalid if a link leads out of it
    void visit(Visitor visitor) {
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    if (attributes.isSymbolicLink()) {
                        checkLink(file);
                    }
                    if (Files.isRegularFile(file)) {
                        visitor.file(file);
                    } else if (Files.isDirectory(file)) {
                        visitor.folderLink(file);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) {
                    visitor.closed(file, failure);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new Invalid(root + " cannot be read: " + e.getMessage());
        }
    }

    /// As a path reads, and as the machine goes: a way out and back in again is closed to a script, too.
    private void checkLink(Path link) throws IOException {
        Path target = link.resolveSibling(Files.readSymbolicLink(link)).normalize();
        if (!target.startsWith(root) || Files.exists(link) && !link.toRealPath().startsWith(root)) {
            throw new Invalid("the link " + link + " leads out of the folder with the data, to " + target
                    + ", where no script can read; put a copy in the link's place, or remove it");
        }
    }
}
