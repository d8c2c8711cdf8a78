package io.mlestar.app.cli.draft;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.store.FolderTree;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/// A hostile archive, unpacked to a folder that `close` deletes unless it was moved to its place
/// before.
public record Unpacking(Path folder) implements AutoCloseable {
    private static final int MOST_FILES = 2_000_000;
    /// Bytes that stay free on the disk.
    private static final long RESERVE = 1L << 30;

    /// @param archive a zip
    /// @param folder to be made
    /// @throws Invalid if it is none, does not fit on the disk, or names files that lie elsewhere
    public static Unpacking of(Path archive, Path folder) {
        if (Files.exists(folder)) {
            throw new Invalid("there is " + folder
                    + " already, of an earlier attempt or another one; remove it");
        }
        Unpacking unpacking = new Unpacking(folder);
        boolean whole = false;
        try {
            unpacking.unpack(archive);
            whole = true;
            return unpacking;
        } catch (IOException e) {
            throw new Invalid(archive + " cannot be unpacked: "
                    + (e instanceof FileAlreadyExistsException ? "it names a file twice: " : "")
                    + e.getMessage());
        } finally {
            if (!whole) {
                unpacking.close();
            }
        }
    }

    private void unpack(Path archive) throws IOException {
        Files.createDirectory(folder);
        long room = Files.getFileStore(folder).getUsableSpace() - RESERVE;
        byte[] block = new byte[1 << 16];
        try (ZipFile zip = opened(archive)) {
            if (zip.size() > MOST_FILES) {
                throw new Invalid(archive + " names more than " + MOST_FILES + " files");
            }
            for (ZipEntry entry : Collections.list(zip.entries())) {
                if (entry.isDirectory() || entry.getName().startsWith("__MACOSX/")) {
                    continue;
                }
                Path file = folder.resolve(entry.getName()).normalize();
                if (!file.startsWith(folder) || file.equals(folder)) {
                    throw new Invalid(
                            archive + " names a file that would lie elsewhere: " + entry.getName());
                }
                Files.createDirectories(file.getParent());
                try (InputStream in = zip.getInputStream(entry);
                        OutputStream out =
                                Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
                    for (int read = in.read(block); read >= 0; read = in.read(block)) {
                        room -= read;
                        if (room < 0) {
                            throw new Invalid(archive + " does not fit on the disk unpacked");
                        }
                        out.write(block, 0, read);
                    }
                }
            }
        }
    }

    /// Names that are not UTF-8 count as code page 850: what Windows uses in Western Europe, with
    /// all letters of the format's own 437.
    private static ZipFile opened(Path archive) throws IOException {
        try {
            return new ZipFile(archive.toFile());
        } catch (ZipException notUtf8) {
            return new ZipFile(archive.toFile(), Charset.forName("IBM850"));
        }
    }

    /// Removes what was not moved.
    @Override
    public void close() {
        if (!Files.exists(folder)) {
            return;
        }
        try {
            FolderTree.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + folder, e);
        }
    }
}
