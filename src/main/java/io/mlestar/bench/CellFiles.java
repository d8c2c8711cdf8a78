package io.mlestar.bench;

import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The cells that are done, a file each. One that is there stays as it is, so that a second call goes on where the first one stopped.
public record CellFiles(Path folder) {
    private static final String ENDING = ".json";

    /// Empty if it has to be filled.
    public Optional<Cell> of(Contest contest) {
        return Optional.of(folder.resolve(contest.id() + ENDING)).filter(Files::isRegularFile).map(CellFiles::read);
    }

    /// @throws Invalid if it cannot be written
    public void keep(Contest contest, Cell cell) {
        try {
            Files.createDirectories(folder);
            Path part = folder.resolve(contest.id() + ".part");
            Files.writeString(part, Json.text(cell));
            Files.move(part, folder.resolve(contest.id() + ENDING), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new Invalid("the cell " + contest.id() + " cannot be kept in " + folder + ": " + e.getMessage());
        }
    }

    /// @throws Invalid naming one that cannot be read
    public List<Cell> all() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ENDING)).sorted().map(CellFiles::read).toList();
        } catch (IOException e) {
            throw new Invalid("the cells in " + folder + " cannot be read: " + e.getMessage());
        }
    }

    private static Cell read(Path file) {
        try {
            return Json.read(Json.parse(Files.readAllBytes(file)), Cell.class);
        } catch (IOException e) {
            throw new Invalid("the cell " + file + " cannot be read: " + e.getMessage());
        }
    }
}
