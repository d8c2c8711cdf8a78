package io.mlestar.adapter.tool;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;

/// Lists the files of the task's data (REQ-OR-010).
///
/// @param data gives the task's folder; called when it is wanted, since it may have to be fetched
public record ListFilesTool(Supplier<Path> data) {
    /// No arguments.
    @RegisterForReflection
    record Nothing() {}

    /// The description for models.
    public static final String DESCRIPTION =
            "Lists all files of the task's data, with sizes. The names are relative to ./input.";
    private static final int DEPTH = 20;
    private static final int MOST_LINES = 500;
    /// Even folders with millions of files are listed in a moment.
    private static final int MOST_VISITED = 100_000;

    public Tool tool() {
        return new RecordTool<>("ListFiles", DESCRIPTION, Nothing.class, nothing -> list());
    }

    private String list() {
        try {
            return listing(data.get().toRealPath(), DEPTH);
        } catch (IOException e) {
            throw new ToolRefused("the data are not on this machine, or cannot be read");
        }
    }

    private static String what(BasicFileAttributes attributes) {
        if (attributes.isDirectory()) {
            return "/";
        }
        if (attributes.isSymbolicLink()) {
            return " (link)";
        }
        return attributes.isRegularFile()
                ? " (" + attributes.size() + " bytes)"
                : " (no ordinary file)";
    }

    /// Names and sizes.
    ///
    /// @param depth 1 is the folder's own content
    static String listing(Path folder, int depth) throws IOException {
        List<String> lines = new ArrayList<>();
        int[] visited = {0};
        Files.walkFileTree(folder, EnumSet.noneOf(FileVisitOption.class), depth,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path below,
                            BasicFileAttributes attributes) {
                        if (!below.equals(folder)) {
                            lines.add(folder.relativize(below) + "/");
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        lines.add(folder.relativize(file) + what(attributes));
                        return ++visited[0] < MOST_VISITED
                                ? FileVisitResult.CONTINUE
                                : FileVisitResult.TERMINATE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure) {
                        lines.add(folder.relativize(file) + " (cannot be read)");
                        return FileVisitResult.CONTINUE;
                    }
                });
        Collections.sort(lines);
        if (lines.isEmpty()) {
            return "[the folder is empty]";
        }
        String shown = String.join("\n", lines.subList(0, Math.min(lines.size(), MOST_LINES)));
        String more =
                visited[0] < MOST_VISITED ? String.valueOf(lines.size() - MOST_LINES) : "many";
        return Truncation.end(lines.size() > MOST_LINES
                ? shown + "\n[cut: " + more + " more are not shown]"
                : shown);
    }
}
