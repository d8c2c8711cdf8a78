package io.mlestar.app.cli.draft;

import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The text of a task in a file: one that a user names, or that lies with the data, as competitions
/// have it.
///
/// @param name of the file
/// @param text with lines that end with no space
public record DescriptionFile(String name, String text) {
    private static final List<String> USUAL = List.of("description.md", "description.txt");
    /// Most are about the data; one that names a metric describes the task.
    private static final List<String> README = List.of("readme.md", "readme.txt");
    private static final long LONGEST = 256 << 10;

    /// @throws Invalid if it cannot be read
    public static DescriptionFile of(Path file) {
        try {
            return new DescriptionFile(file.getFileName().toString(),
                    stripped(Files.readString(Invalid.file("the description " + file, file))));
        } catch (IOException e) {
            throw new Invalid("the description " + file + " cannot be read: " + Invalid.reason(e));
        }
    }

    /// Finds a description in the folder of the data, or beside it where the data are the folder
    /// `input` or `data` of a task.
    ///
    /// @param data where the data of that place are now
    /// @throws Invalid if it is there and cannot be read
    public static Optional<DescriptionFile> with(DataPlace place, Path data) {
        boolean isPart =
                place.archive().isEmpty()
                        && DataPlace.USUAL.contains(data.getFileName().toString());
        return Stream.of(data, data.resolveSibling(""))
                .limit(isPart ? 2 : 1)
                .flatMap(DescriptionFile::in)
                .findFirst();
    }

    private static Stream<DescriptionFile> in(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> found =
                    files.filter(file -> USUAL.contains(name(file)) || README.contains(name(file)))
                            .filter(Files::isRegularFile)
                            .sorted(Comparator.comparing(DescriptionFile::name))
                            .toList();
            return found.stream()
                    .filter(file -> file.toFile().length() <= LONGEST)
                    .map(DescriptionFile::of)
                    .filter(file -> !file.text.isBlank()
                            && (USUAL.contains(file.name.toLowerCase(Locale.ROOT))
                                    || DescribedMetric.in(file.text).isPresent()));
        } catch (IOException e) {
            throw new Invalid("folder " + folder + " cannot be read: " + Invalid.reason(e));
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString().toLowerCase(Locale.ROOT);
    }

    /// A text without spaces where its lines end, which would make YAML quote it.
    public static String stripped(String text) {
        return text.lines().map(String::stripTrailing).collect(Collectors.joining("\n")).strip()
                + "\n";
    }
}
