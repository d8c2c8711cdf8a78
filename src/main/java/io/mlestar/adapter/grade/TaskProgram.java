package io.mlestar.adapter.grade;

import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// A Python file of a task's own, in its data or beside their folder.
///
/// @param file its name
/// @param functions that it must have, as they are defined
public record TaskProgram(String file, List<String> functions) {
    static final TaskProgram METRIC =
            new TaskProgram("metric.py",
                    List.of("score(solution, submission, row_id_column_name)"));
    /// Hides rows in place of the survey's rules.
    public static final TaskProgram SPLIT =
            new TaskProgram("split.py", List.of("examples(data)", "hide(data, hidden)"));
    private static final long LARGEST = 1 << 20;

    /// Its source, if there is such a file.
    ///
    /// @throws Invalid if it lacks a function, or cannot be read
    public Optional<String> find(Path data) {
        return Stream
                .of(data,
                        Objects.requireNonNullElse(data.toAbsolutePath().normalize().getParent(),
                                data))
                .map(folder -> folder.resolve(file))
                .filter(found -> Files.isRegularFile(found, LinkOption.NOFOLLOW_LINKS))
                .findFirst()
                .map(this::read);
    }

    private String read(Path found) {
        try {
            String source = Files.size(found) > LARGEST ? "" : Files.readString(found);
            check(source, found.toString());
            return source;
        } catch (IOException e) {
            throw new Invalid(found + " cannot be read: " + Invalid.reason(e));
        }
    }

    /// @throws Invalid if a function is missing
    void check(String source, String what) {
        for (String function : functions) {
            if (!source.contains("def " + function.substring(0, function.indexOf('(') + 1))) {
                throw new Invalid(what + " must have the function " + function);
            }
        }
    }
}
