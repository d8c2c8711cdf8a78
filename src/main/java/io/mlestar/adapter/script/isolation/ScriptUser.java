package io.mlestar.adapter.script.isolation;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/// A user of its own for the scripts of a program that runs as root, so that file permissions and
/// the limit of processes apply to them.
///
/// @param id of the user, and of its only group
public record ScriptUser(int id) {
    /// systemd's DynamicUser range: no account of a person lies there.
    private static final int FIRST = 61_184;
    private static final int LAST = 65_519;
    /// chown, dac_override, fowner, kill, setgid, setuid, setpcap.
    private static final long TO_HAVE_GUESTS = 0x1EBL;
    /// The same, net_admin and sys_admin.
    private static final long TO_MAKE_NAMESPACES = TO_HAVE_GUESTS | 1L << 12 | 1L << 21;
    private static final int LOOKED_AT = 300;

    /// The guest whose workspace this is from now on; empty if this program may not become another
    /// user, or if one could not come to what is to be shown to the script.
    ///
    /// @param folders that are shown
    public static Optional<ScriptUser> of(
            Isolation isolation,
            Workspace workspace,
            List<Path> folders,
            Python python)
            throws IOException {
        if (!mayBeHad(isolation)) {
            return Optional.empty();
        }
        if (isolation != Isolation.BUBBLEWRAP) {
            letThrough(Objects.requireNonNull(workspace.folder().getParent()));
        }
        if (closed(isolation, workspace.folder(), folders, python).isPresent()) {
            return Optional.empty();
        }
        int owner = (int) Files.getAttribute(workspace.folder(), "unix:uid");
        ScriptUser guest =
                new ScriptUser(isGuest(owner)
                        ? owner
                        : ThreadLocalRandom.current().nextInt(FIRST, LAST + 1));
        guest.own(workspace);
        return Optional.of(guest);
    }

    /// Says why scripts run as root, without its rights; empty if they run as a guest, or if this
    /// program is not root.
    ///
    /// @param workspace a folder where they would run
    /// @param folders that are shown
    public static Optional<String> whyRoot(
            Isolation isolation,
            Path workspace,
            List<Path> folders,
            Python python)
            throws IOException {
        if (user() != 0) {
            return Optional.empty();
        }
        return mayBeHad(isolation)
                ? closed(isolation, workspace, folders, python)
                        .map(path -> "others may not read " + path)
                : Optional.of("this program may not become another user here");
    }

    /// The user that this program runs as.
    public static int user() throws IOException {
        return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }

    /// Finds a path that a guest could not come to.
    private static Optional<Path> closed(
            Isolation isolation,
            Path workspace,
            List<Path> folders,
            Python python)
            throws IOException {
        List<Path> shown = Stream.concat(python.prefixes().stream(), folders.stream()).toList();
        for (Path path : shown) {
            if (!isOpen(path)) {
                return Optional.of(path);
            }
        }
        // Bubblewrap makes the folders above anew.
        return isolation == Isolation.BUBBLEWRAP
                ? Optional.empty()
                : Stream.concat(shown.stream(), Stream.of(workspace))
                        .filter(path -> !isWayOpen(path))
                        .findFirst();
    }

    /// True if this program may become another user.
    static boolean mayBeHad(Isolation isolation) throws IOException {
        long needed = isolation.isNamespaced() ? TO_MAKE_NAMESPACES : TO_HAVE_GUESTS;
        return (capabilities() & needed) == needed;
    }

    private static boolean isGuest(int id) {
        return id >= FIRST && id <= LAST;
    }

    /// Makes it the owner of what the program has put into the workspace. Files with a second name
    /// are left: an earlier guest may have linked what is not theirs.
    public void own(Workspace workspace) throws IOException {
        Files.walkFileTree(workspace.folder(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
                    throws IOException {
                return visitFile(folder, attributes);
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                    throws IOException {
                Map<String, Object> known =
                        Files.readAttributes(file, "unix:uid,nlink", LinkOption.NOFOLLOW_LINKS);
                if (!isGuest((int) known.getOrDefault("uid", 0))
                        && (attributes.isDirectory()
                                || (int) known.getOrDefault("nlink", 0) == 1)) {
                    Files.setAttribute(file, "unix:gid", id, LinkOption.NOFOLLOW_LINKS);
                    Files.setAttribute(file, "unix:uid", id, LinkOption.NOFOLLOW_LINKS);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /// The capabilities of this process, as a set of bits; 0 unless it is root.
    private static long capabilities() {
        try {
            List<String> status = Files.readAllLines(Path.of("/proc/self/status"));
            boolean root = status.stream().anyMatch(line -> line.matches("Uid:\\s+0\\s+0\\s.*"));
            return root
                    ? status.stream()
                            .filter(line -> line.startsWith("CapEff:"))
                            .mapToLong(
                                    line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                            .findFirst()
                            .orElse(0)
                    : 0;
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

    private static void letThrough(Path folder) throws IOException {
        Set<PosixFilePermission> permissions =
                EnumSet.copyOf(Files.getPosixFilePermissions(folder));
        if (permissions.add(PosixFilePermission.OTHERS_EXECUTE)) {
            Files.setPosixFilePermissions(folder, permissions);
        }
    }

    private static boolean isWayOpen(Path path) {
        try {
            for (Path above = path.toAbsolutePath().getParent(); above != null; above =
                    above.getParent()) {
                if (!Files.getPosixFilePermissions(above)
                        .contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// True if others may read the path, and all below it as far as a quick look goes.
    private static boolean isOpen(Path path) throws IOException {
        try (Stream<Path> files = Files.walk(path, 2).limit(LOOKED_AT)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (Files.isSymbolicLink(file)) {
                    continue;
                }
                Set<PosixFilePermission> may = Files.getPosixFilePermissions(file);
                if (!may.contains(PosixFilePermission.OTHERS_READ)
                        || Files.isDirectory(file)
                                && !may.contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    return false;
                }
            }
        }
        return true;
    }
}
