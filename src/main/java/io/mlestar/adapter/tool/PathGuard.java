package io.mlestar.adapter.tool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;

/// Decides where a model's paths lead: `input/…` to the data, everything else to the scratch
/// folder, and nothing beyond. Links are followed before they are judged.
///
/// @param folder gives the task's folder, never written; asked when it is wanted
/// @param scratch the step's own folder
record PathGuard(Supplier<Path> folder, Path scratch) {
    private static final String INPUT = "input";

    Path data() {
        try {
            return folder.get().toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException("the data cannot be read", e);
        }
    }

    /// Says why a file could not be used, with the model's names for the folders: this machine's
    /// differ at each run.
    String reason(IOException e) {
        return String.valueOf(e.getMessage())
                .replace(data().toString(), "./" + INPUT)
                .replace(scratch.toString(), ".")
                .replace(String.valueOf(scratch.getParent()), "..");
    }

    /// A file or folder that is there.
    ///
    /// @throws ToolRefused if it is not, or lies elsewhere
    Path existing(String path) throws IOException {
        Path named = named(path);
        if (!Files.exists(named)) {
            throw new ToolRefused("there is no file or folder \"" + path + "\"");
        }
        Path real = named.toRealPath();
        if (!real.startsWith(scratch.toRealPath()) && !real.startsWith(data())) {
            throw elsewhere(path);
        }
        return real;
    }

    /// A file to be written; it may be there or not. Its folder is made.
    ///
    /// @throws ToolRefused if it lies elsewhere, or is no ordinary file
    Path writable(String path) throws IOException {
        Path file = named(path);
        if (!file.startsWith(scratch) || file.equals(scratch)) {
            throw new ToolRefused(
                    "\"" + path
                            + "\" cannot be written: the data are read-only; write in the working folder");
        }
        // It lies below the scratch folder, so there are folders above it.
        Path folder = Objects.requireNonNull(file.getParent());
        Path there = folder;
        while (!Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
            there = Objects.requireNonNull(there.getParent());
        }
        if (!Files.exists(there) || !there.toRealPath().startsWith(scratch.toRealPath())) {
            throw elsewhere(path);
        }
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new ToolRefused("\"" + path + "\" is no ordinary file; it is not written");
        }
        if (!Files.isDirectory(there)) {
            throw new ToolRefused("\"" + path + "\" lies below a file");
        }
        return Files.createDirectories(folder.toAbsolutePath()).resolve(file.getFileName());
    }

    /// Absolute, without `.`, by name only.
    private Path named(String path) {
        Path named;
        try {
            named = Path.of(path.isEmpty() ? "." : path);
        } catch (InvalidPathException e) {
            throw new ToolRefused("the path is not valid: " + e.getReason());
        }
        for (Path part : named) {
            if (part.toString().equals("..")) {
                throw new ToolRefused("\"" + path + "\": a path must not hold \"..\"");
            }
        }
        Path full = scratch.resolve(named).normalize();
        if (!full.startsWith(scratch) && full.startsWith(data())) {
            return full;
        }
        if (!full.startsWith(scratch)) {
            throw elsewhere(path);
        }
        Path inside = scratch.relativize(full);
        if (!inside.startsWith(INPUT)) {
            return full;
        }
        return inside.getNameCount() == 1
                ? data()
                : data().resolve(inside.subpath(1, inside.getNameCount()));
    }

    private static ToolRefused elsewhere(String path) {
        return new ToolRefused("\"" + path + "\" lies outside the working folder and ./input");
    }
}
