package io.mlestar.core.store;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A folder with a known name in a place where other users make folders, too, such as the system's
/// temporary folder. One that another user has made or can write to is not used: that user could
/// exchange what lies in it.
public final class OwnFolder {
    private static final Set<PosixFilePermission> FOREIGN_WRITERS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private OwnFolder() {}

    /// The folder, or where it is another user's the one with this user's name behind it. It is
    /// made if it is missing.
    ///
    /// @param permissions of a folder that is made, such as `rwx--x--x`
    /// @throws IOException if neither can be used
    public static Path make(Path wanted, String permissions) throws IOException {
        if (wanted.getParent() != null) {
            Files.createDirectories(wanted.getParent());
        }
        for (Path folder : candidates(wanted)) {
            try {
                Files.createDirectory(folder, PosixFilePermissions
                        .asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                // Only now, since the mask of the process takes away from what a new folder is
                // given.
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
                return folder;
            } catch (FileAlreadyExistsException e) {
                if (isOwn(folder)) {
                    return folder;
                }
            }
        }
        throw new FileSystemException(wanted.toString(), null,
                "it belongs to another user, is a link, or others may write to it; remove it, or name another temporary folder (MLE_STAR_JAVA_OPTS=-Djava.io.tmpdir=FOLDER)");
    }

    /// The same, if it is there and can be used.
    public static Optional<Path> find(Path wanted) throws IOException {
        for (Path folder : candidates(wanted)) {
            if (isOwn(folder)) {
                return Optional.of(folder);
            }
        }
        return Optional.empty();
    }

    private static List<Path> candidates(Path wanted) {
        String user = System.getProperty("user.name").replaceAll("[^A-Za-z0-9._-]", "_");
        return List.of(wanted, wanted.resolveSibling(wanted.getFileName() + "-" + user));
    }

    private static boolean isOwn(Path folder) throws IOException {
        try {
            PosixFileAttributes is = Files.readAttributes(folder, PosixFileAttributes.class,
                    LinkOption.NOFOLLOW_LINKS);
            return is.isDirectory() && is.owner().equals(me())
                    && Collections.disjoint(is.permissions(), FOREIGN_WRITERS);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /// The owner of what this process makes; its name may be unknown to the system.
    private static UserPrincipal me() throws IOException {
        Path made = Files.createTempFile("mlestar-owner-", "");
        try {
            return Files.getOwner(made);
        } finally {
            Files.delete(made);
        }
    }
}
