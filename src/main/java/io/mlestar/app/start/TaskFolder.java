package io.mlestar.app.start;

import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The tasks that the pages may start runs of: files `task.yaml` and `NAME.task.yaml` in a folder
/// that the operator names, and in the folders right in it. A link that leads out of it counts for
/// nothing.
///
/// @param root real path; empty if the operator names none
public record TaskFolder(Optional<Path> root) {
    public static final String VARIABLE = "MLE_STAR_TASKS";
    private static final int DEPTH = 2;
    private static final int MOST = 200;
    private static final int MOST_FILES = 20_000;
    private static final long LARGEST = 1 << 20;
    private static final Pattern NAME = Pattern.compile("(.+\\.)?task\\.(yaml|yml|json)");

    /// @throws Invalid if there is no such folder
    public static TaskFolder of(Optional<String> folder) {
        return new TaskFolder(folder.map(named -> {
            try {
                Path real = Path.of(named).toRealPath();
                if (Files.isDirectory(real)) {
                    return real;
                }
            } catch (IOException | InvalidPathException e) {
                // Said below.
            }
            throw new Invalid(
                    "the folder of tasks (serve --tasks, " + VARIABLE
                            + ") must be a folder, but is \"" + named + "\"");
        }));
    }

    /// The files, by their paths in the folder.
    public List<String> names() {
        return root.stream().flatMap(TaskFolder::names).toList();
    }

    private static Stream<String> names(Path root) {
        try (Stream<Path> files = Files.walk(root, DEPTH)) {
            return files.limit(MOST_FILES)
                    .filter(file -> NAME.matcher(file.getFileName().toString()).matches()
                            && isInside(root, file))
                    .map(file -> root.relativize(file).toString())
                    .sorted()
                    .limit(MOST)
                    .toList()
                    .stream();
        } catch (IOException | UncheckedIOException e) {
            throw new Invalid("the folder of tasks cannot be read: " + e.getMessage());
        }
    }

    private static boolean isInside(Path root, Path file) {
        try {
            return Files.isRegularFile(file) && Files.size(file) <= LARGEST
                    && file.toRealPath().startsWith(root);
        } catch (IOException e) {
            return false;
        }
    }

    /// @param name one of [#names]
    /// @throws Invalid if it is none
    public Path file(String name) {
        return root.filter(folder -> names().contains(name))
                .map(folder -> folder.resolve(name))
                .orElseThrow(
                        () -> new Invalid("there is no task \"" + name
                                + "\" in the folder that serve --tasks names"));
    }
}
