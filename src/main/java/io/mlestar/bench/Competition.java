package io.mlestar.bench;

import io.mlestar.grade.Grade;
import io.mlestar.grade.Leaderboard;
import io.mlestar.task.Invalid;
import io.mlestar.task.MetricDirection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// One competition of a benchmark, in a folder of its own, with the labels that no run may read.
///
/// @param id name of its folder
/// @param data folder that contestants see
/// @param taskFile empty if it has to be made from the data and the description
/// @param description empty without one
/// @param labels hidden; empty if they are not here
/// @param leaderboard empty without one: then there are no medals
public record Competition(String id, Path home, Path data, Optional<Path> taskFile, Optional<Path> description, Optional<Path> labels,
        Optional<Path> leaderboard) {
    /// Where MLE-bench's prepared competitions have what contestants see, and where the answers.
    private static final String PUBLIC = "prepared/public";
    private static final String PRIVATE = "prepared/private";
    private static final List<String> ANSWERS = List.of("test.csv", "answers.csv", "labels.csv");

    /// All competitions in a folder: prepared by MLE-bench (`ID/prepared/public` and `private`), or `ID/task.yaml` with `ID/input` and
    /// `ID/hidden/labels.csv`. A leaderboard lies in the competition's folder, or in a checkout of MLE-bench.
    ///
    /// @param checkout of MLE-bench; empty without one
    /// @throws Invalid if the folder cannot be read or holds none
    public static List<Competition> in(Path folder, Optional<Path> checkout) {
        try (Stream<Path> homes = Files.list(folder)) {
            List<Competition> found =
                    homes.filter(Files::isDirectory).sorted().flatMap(home -> of(home.toAbsolutePath().normalize(), checkout).stream()).toList();
            if (found.isEmpty()) {
                throw new Invalid(folder + " holds no competition: neither NAME/prepared/public nor NAME/task.yaml with NAME/input");
            }
            return found;
        } catch (IOException e) {
            throw new Invalid("folder " + folder + " cannot be read: " + e.getMessage());
        }
    }

    private static Optional<Competition> of(Path home, Optional<Path> checkout) {
        String id = home.getFileName().toString();
        Optional<Path> leaderboard = file(home.resolve("leaderboard.csv"))
                .or(() -> checkout.flatMap(at -> file(at.resolve("mlebench/competitions").resolve(id).resolve("leaderboard.csv"))));
        Path prepared = home.resolve(PUBLIC);
        Optional<Path> task = file(home.resolve("task.yaml"));
        if (Files.isDirectory(prepared)) {
            return Optional
                    .of(new Competition(id, home, prepared, task, file(prepared.resolve("description.md")), answers(home.resolve(PRIVATE)), leaderboard));
        }
        Path input = home.resolve("input");
        return task.isPresent() && Files.isDirectory(input)
                ? Optional.of(new Competition(id, home, input, task, Optional.empty(), answers(home.resolve("hidden")), leaderboard)) : Optional.empty();
    }

    private static Optional<Path> answers(Path folder) {
        return ANSWERS.stream().flatMap(name -> file(folder.resolve(name)).stream()).findFirst();
    }

    private static Optional<Path> file(Path path) {
        return Optional.of(path).filter(Files::isRegularFile);
    }

    /// What the leaderboard, if there is one, asks for medals.
    ///
    /// @throws Invalid if it is none of this metric
    Optional<Grade.Medals> thresholds(MetricDirection direction) {
        return leaderboard.map(file -> Leaderboard.read(file).medals(direction));
    }

    /// Answers of a recording of it, for runs that ask no model.
    public Optional<Path> recording() {
        return Optional.of(home.resolve("answers")).filter(Files::isDirectory);
    }

    /// Settings of its own.
    public Optional<Path> config() {
        return file(home.resolve("config.yaml"));
    }
}
