package io.mlestar.app.cli.draft;

import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The place of a task's data, and of the task's file: beside the data, never among them, since
/// scripts can read everything there.
///
/// @param name of the task's folder
/// @param archive that holds the data, to be unpacked to `data`; empty if they lie there
/// @param data folder, absolute
/// @param file to be written, absolute
public record DataPlace(String name, Optional<Path> archive, Path data, Path file) {
    /// Names of folders that hold nothing but data.
    static final List<String> USUAL = List.of("input", "data");
    private static final Pattern DATA =
            Pattern.compile(
                    "(?i).*\\.(csv|tsv|tab|jsonl|ndjson|json|parquet|pq)(\\.gz|\\.bz2|\\.zip)?");

    /// Finds the places; creates nothing.
    ///
    /// @param given a folder, or an archive with the data
    /// @param out where the user wants the file; null for the usual place
    /// @throws Invalid if there is no such folder, or the file is there already, or would lie among
    ///   the data
    public static DataPlace of(Path given, @Nullable Path out) {
        Path absolute = given.toAbsolutePath().normalize();
        String name = Objects.toString(absolute.getFileName(), "task");
        DataPlace place;
        if (Files.isDirectory(absolute)) {
            place = of(absolute, name);
        } else if (!Files.exists(absolute)) {
            throw new Invalid(given.toString().matches("[a-z0-9]+:/.*")
                    ? given.toString().replaceFirst(":/", "://")
                            + " is an address; new looks at a folder or a zip of this machine, so download it first"
                    : "there is no folder " + given);
        } else if (!isArchive(absolute)) {
            throw new Invalid(given + " is neither a folder nor a zip");
        } else {
            String stem = name.substring(0, name.length() - ".zip".length());
            Path home = absolute.resolveSibling(stem);
            if (Files.exists(home)) {
                throw new Invalid(
                        "there is " + home + " already; if the data are in it: mlestar new "
                                + given.resolveSibling(stem));
            }
            place = new DataPlace(stem, Optional.of(absolute), home.resolve(USUAL.getFirst()),
                    home.resolve("task.yaml"));
        }
        return out == null
                ? place.checked()
                : new DataPlace(place.name, place.archive, place.data,
                        out.toAbsolutePath().normalize()).checked();
    }

    /// `input` or `data` in it, unless it holds tables itself; the one archive in it; or itself,
    /// and then the file lies beside it.
    private static DataPlace of(Path folder, String name) {
        List<Path> entries = entries(folder);
        boolean holdsTables = entries.stream()
                .anyMatch(entry -> Files.isRegularFile(entry)
                        && DATA.matcher(entry.toString()).matches());
        Optional<Path> below =
                USUAL.stream().map(folder::resolve).filter(Files::isDirectory).findFirst();
        if (below.isPresent() && !holdsTables) {
            return new DataPlace(name, Optional.empty(), below.get(), folder.resolve("task.yaml"));
        }
        if (entries.size() == 1 && isArchive(entries.getFirst())) {
            return new DataPlace(name, Optional.of(entries.getFirst()),
                    folder.resolve(USUAL.getFirst()),
                    folder.resolve("task.yaml"));
        }
        return new DataPlace(name, Optional.empty(), folder,
                Objects.requireNonNullElse(folder.getParent(), folder)
                        .resolve(name + ".task.yaml"));
    }

    private static List<Path> entries(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(entry -> !entry.getFileName().toString().startsWith("."))
                    .limit(1_000)
                    .toList();
        } catch (IOException e) {
            throw new Invalid("folder " + folder + " cannot be read: " + e.getMessage());
        }
    }

    private static boolean isArchive(Path file) {
        return Files.isRegularFile(file)
                && file.toString().toLowerCase(Locale.ROOT).endsWith(".zip");
    }

    /// @throws Invalid if there is such a file
    public static void checkFree(Path file) {
        if (Files.exists(file)) {
            throw new Invalid("there is " + file
                    + " already, and it is not overwritten; --out FILE writes another");
        }
    }

    private DataPlace checked() {
        checkFree(file);
        if (file.startsWith(data)) {
            throw new Invalid(
                    file + " would lie among the data, where scripts see it; say --out FILE for another place");
        }
        if (archive.isEmpty()
                && !Files.isDirectory(Objects.requireNonNullElse(file.getParent(), file))) {
            throw new Invalid("there is no folder " + file.getParent());
        }
        return this;
    }

    /// The data folder as the task file names it.
    public String dataDir() {
        Path from = Objects.requireNonNull(file.getParent());
        String relative = from.relativize(data).toString().replace('\\', '/');
        return relative.startsWith("..") ? relative : "./" + relative;
    }

    /// The folder into which an archive is unpacked. It lies beside the archive, so that it can be
    /// moved to its place once all is well.
    public Path aside() {
        return archive.orElseThrow().resolveSibling("." + name + ".part");
    }

    /// Writes the file and moves the unpacked data to their place: both or nothing.
    ///
    /// @throws Invalid if it cannot be written
    public void keep(String text) {
        boolean makesHome =
                archive.isPresent() && !Files.exists(Objects.requireNonNull(data.getParent()));
        boolean written = false;
        try {
            if (makesHome) {
                Files.createDirectories(data.getParent());
            }
            Files.write(file, text.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE_NEW);
            written = true;
            if (archive.isPresent()) {
                Files.move(aside(), data, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            try {
                if (written) {
                    Files.deleteIfExists(file);
                }
                if (makesHome) {
                    Files.deleteIfExists(data.getParent());
                }
            } catch (IOException again) {
                e.addSuppressed(again);
            }
            throw new Invalid(
                    e instanceof FileAlreadyExistsException
                            ? "there is " + file + " already, and it is not overwritten"
                            : file + " cannot be written: " + Invalid.reason(e));
        }
    }
}
