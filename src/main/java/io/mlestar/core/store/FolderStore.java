package io.mlestar.core.store;

import io.mlestar.core.base.Invalid;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/// A store in a folder of this machine. An object is written aside, forced to the disk, and given
/// its name by a hard link, which the file system makes for one writer only, across processes too;
/// then the folder that holds the name is forced to the disk. So an object is whole or not there,
/// whatever happens, and after a power cut what was created is there. No symbolic link below the
/// folder is followed, and nothing but regular files is read: who may write to the folder must not
/// show others the files of this process.
public final class FolderStore implements PrunableStore {
    /// The store if none is named.
    public static final String USUAL = "./runs-store";
    private static final String ASIDE = ".writing";

    private final Path root;
    private final Path aside;
    private volatile boolean made;

    /// Makes nothing: the folder is made with the first object. One that goes away later is not
    /// made again.
    ///
    /// @throws StoreUnavailable if the folder cannot be made or written to
    public FolderStore(Path folder) {
        root = folder.toAbsolutePath().normalize();
        aside = root.resolve(ASIDE);
        made = Files.isDirectory(aside);
        Path there = aside;
        while (!Files.exists(there)) {
            there = above(there);
        }
        if (!Files.isDirectory(there)) {
            throw unavailable("use the folder " + root,
                    new FileAlreadyExistsException(there.toString()));
        }
        if (!Files.isWritable(there)) {
            throw unavailable("use the folder " + root,
                    new AccessDeniedException(there.toString()));
        }
    }

    @Override
    public boolean create(String key, byte[] content) {
        return create(key, new ByteArrayInputStream(content));
    }

    @Override
    public boolean create(String key, InputStream content) {
        Path target = inFolders(key);
        checkFolder(key, aside);
        Path written = aside.resolve(UUID.randomUUID().toString());
        try (content) {
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                return false;
            }
            if (!made) {
                make(aside);
                made = true;
            }
            write(written, content);
            make(above(target));
            Files.createLink(target, written);
            force(above(target));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } catch (IOException e) {
            throw unavailable("write " + key, e);
        } finally {
            deleteAside(written);
        }
    }

    private static void write(Path file, InputStream content) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            content.transferTo(Channels.newOutputStream(channel));
            channel.force(true);
        }
    }

    /// Makes a folder, and those above it, so that they outlive a power cut.
    private static void make(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        make(above(folder));
        try {
            Files.createDirectory(folder);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder)) {
                throw new NotDirectoryException(folder.toString());
            }
        }
        force(above(folder));
    }

    private static Path above(Path file) {
        return Objects.requireNonNull(file.getParent(), "an absolute path");
    }

    /// Forces the names in a folder to the disk, as far as the file system offers that.
    private static void force(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static void deleteAside(Path written) {
        try {
            Files.deleteIfExists(written);
        } catch (IOException e) {
            // A file left aside takes room and does no harm: that folder is never read.
        }
    }

    @Override
    public Optional<byte[]> read(String key) {
        Path file = inFolders(key);
        try {
            if (!Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isRegularFile()) {
                throw new DamagedRecord(key,
                        file + " is a symbolic link, or another file that is not regular; the store reads none");
            }
            try (InputStream content = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.of(content.readAllBytes());
            }
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw unavailable("read " + key, e);
        }
    }

    @Override
    public List<String> list(String folder) {
        Path path = inFolders(folder);
        checkFolder(folder, path);
        try (Stream<Path> entries = Files.list(path)) {
            return entries.map(
                    entry -> entry.getFileName()
                            + (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) ? "/" : ""))
                    .sorted()
                    .toList();
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (IOException e) {
            throw unavailable("list " + folder, e);
        }
    }

    /// Folders that are empty then go too, but for the outermost, in which others may be about to
    /// make one.
    @Override
    public void delete(String key) {
        Path file = inFolders(key);
        try {
            Files.deleteIfExists(file);
            for (Path folder = above(file); !folder.equals(root)
                    && !above(folder).equals(root); folder =
                            above(folder)) {
                Files.deleteIfExists(folder);
            }
        } catch (DirectoryNotEmptyException e) {
            // Others keep it.
        } catch (IOException e) {
            throw unavailable("delete " + key, e);
        }
    }

    @Override
    public String address(String key) {
        return path(key).toString();
    }

    private Path path(String key) {
        Path path = root.resolve(key).normalize();
        if (!path.startsWith(root) || path.startsWith(aside)) {
            throw new IllegalArgumentException("the key " + key + " leads out of the store");
        }
        return path;
    }

    /// The object's path, which leads through no link.
    private Path inFolders(String key) {
        Path path = path(key);
        for (Path folder = path; !folder.equals(root) && !above(folder).equals(root);) {
            folder = above(folder);
            checkFolder(key, folder);
        }
        return path;
    }

    private void checkFolder(String key, Path folder) {
        if (!folder.equals(root) && Files.isSymbolicLink(folder)) {
            throw new DamagedRecord(key,
                    folder + " is a symbolic link, and the store follows none");
        }
    }

    private static StoreUnavailable unavailable(String what, IOException e) {
        return new StoreUnavailable("cannot " + what + ": " + reason(e), e);
    }

    private static String reason(IOException failure) {
        String why = Invalid.reason(failure);
        return failure instanceof FileSystemException of && of.getFile() != null
                ? of.getFile() + ": " + why
                : why;
    }
}
