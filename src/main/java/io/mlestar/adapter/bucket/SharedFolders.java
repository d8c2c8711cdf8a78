package io.mlestar.adapter.bucket;

import io.mlestar.core.base.Invalid;
import java.io.File;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The folders of this machine whose files a run may use that was not started by hand: those that
/// `MLE_STAR_DATA` names, or else the working folder unless that holds the user's home, as `/`
/// does; and what is below them. Links count as what they lead to. A refusal does not tell whether
/// a folder outside them exists.
///
/// @param roots real paths; empty if the operator has to name them first
/// @param closed folders that are refused, with what is below them and what holds them, unless a
///   root lies below them
/// @param keys files with keys; a folder that holds one is refused in any case
public record SharedFolders(List<Path> roots, List<Path> closed, List<Path> keys) {
    private static final String VARIABLE = "MLE_STAR_DATA";
    private static final String KEY_FILE = "_FILE";

    /// @throws Invalid if the variable holds what is no path
    public static SharedFolders of(Map<String, String> environment) {
        return of(environment, Path.of(""), Path.of(System.getProperty("user.home")));
    }

    /// @param working where the program was started
    static SharedFolders of(Map<String, String> environment, Path working, Path home) {
        try {
            List<Path> roots =
                    Stream.of(environment.getOrDefault(VARIABLE, "").split(File.pathSeparator))
                            .map(String::strip)
                            .filter(name -> !name.isEmpty())
                            .map(Path::of)
                            .toList();
            List<Path> usual = real(home).startsWith(real(working)) ? List.of() : List.of(working);
            return new SharedFolders(
                    (roots.isEmpty() ? usual : roots).stream().map(SharedFolders::real).toList(),
                    Stream.of("/proc", "/sys", "/dev", System.getProperty("java.io.tmpdir"))
                            .map(Path::of)
                            .map(SharedFolders::real)
                            .toList(),
                    environment.entrySet()
                            .stream()
                            .filter(one -> one.getKey().endsWith(KEY_FILE)
                                    && !one.getValue().isBlank())
                            .map(one -> real(Path.of(one.getValue().strip())))
                            .toList());
        } catch (InvalidPathException e) {
            throw new Invalid(VARIABLE + " and the variables *" + KEY_FILE + " must hold paths: "
                    + e.getMessage());
        }
    }

    /// The folder of a task; data in a bucket are not on this machine.
    ///
    /// @throws Invalid as [#check]
    public void checkData(String dataDir) {
        if (!DataSets.isRemote(dataDir)) {
            check("data_dir", dataDir);
        }
    }

    /// @param field that names the folder
    /// @throws Invalid if the folder is none of these
    public void check(String field, String dir) {
        Path folder = real(field, dir);
        if (roots.isEmpty()) {
            throw new Invalid(field
                    + " is not taken, for a run that is not started by hand, by a program that was started in / or in a home folder: set "
                    + VARIABLE + " to the folders with data where the program runs");
        }
        if (roots.stream().noneMatch(root -> folder.startsWith(root) && isOpen(folder, root))) {
            throw new Invalid(field + " must be a folder below "
                    + roots.stream().map(Path::toString).collect(Collectors.joining(", "))
                    + ", and not of the system, temporary or hidden, for a run that is not started by hand; "
                    + VARIABLE
                    + " names other folders where the program runs");
        }
        checkKeys(field, dir);
    }

    /// The least that any folder of a stored run must keep to.
    ///
    /// @throws Invalid if the folder holds keys of the program
    public void checkKeys(String field, String dir) {
        Path folder = real(field, dir);
        if (keys.stream().anyMatch(key -> key.startsWith(folder))) {
            throw new Invalid(field + ": " + dir + " holds a key of the program");
        }
    }

    private static Path real(String field, String dir) {
        try {
            return real(Path.of(dir));
        } catch (InvalidPathException e) {
            throw new Invalid(field + ": " + e.getMessage());
        }
    }

    private boolean isOpen(Path folder, Path root) {
        return Stream.concat(closed.stream(), ofHome(folder))
                .noneMatch(one -> (folder.startsWith(one) || one.startsWith(folder))
                        && (root.equals(one) || !root.startsWith(one)));
    }

    /// The hidden folder of the user's home that a folder lies in, or the home itself for one that
    /// does not lie in it.
    private static Stream<Path> ofHome(Path folder) {
        Path home = real(Path.of(System.getProperty("user.home")));
        if (folder.equals(home) || !folder.startsWith(home)) {
            return Stream.of(home);
        }
        Path first = home.resolve(home.relativize(folder).getName(0));
        return first.getFileName().toString().startsWith(".") ? Stream.of(first) : Stream.empty();
    }

    /// The path without links, as far as it exists.
    static Path real(Path path) {
        Path whole = path.toAbsolutePath();
        for (Path there = whole; there != null; there = there.getParent()) {
            try {
                return there.toRealPath().resolve(there.relativize(whole)).normalize();
            } catch (IOException e) {
                // Looks at its parent.
            }
        }
        return whole;
    }
}
