package io.mlestar.adapter.bucket;

import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Consumer;

/// A folder with data. Scripts see it and nothing around it, so no link in it may lead out of it.
record DataFolder(Path root) {
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

    /// Goes through all regular files, and links to them.
    ///
    /// @param forBucket whether to refuse what a bucket cannot hold: links to folders, and what
    ///   cannot be read
    /// @throws Invalid if a link leads out of the folder
    void visit(boolean forBucket, Consumer<Path> visitor) {
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                        throws IOException {
                    if (attributes.isSymbolicLink()) {
                        checkLink(file);
                    }
                    if (Files.isRegularFile(file)) {
                        visitor.accept(file);
                    } else if (forBucket && Files.isDirectory(file)) {
                        throw new Invalid(file
                                + " is a link to a folder, which a bucket cannot hold; put the folder in its place, or remove it");
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) {
                    if (forBucket) {
                        throw new Invalid(file + " cannot be read: " + failure);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new Invalid(root + " cannot be read: " + e.getMessage());
        }
    }

    /// Both by name and by the real path: a script cannot follow a way out and back in again,
    /// either.
    private void checkLink(Path link) throws IOException {
        Path target = link.resolveSibling(Files.readSymbolicLink(link)).normalize();
        if (!target.startsWith(root) || Files.exists(link) && !link.toRealPath().startsWith(root)) {
            throw new Invalid("the link " + link + " leads out of the folder with the data, to "
                    + target
                    + ", where no script can read; put a copy in the link's place, or remove it");
        }
    }
}
