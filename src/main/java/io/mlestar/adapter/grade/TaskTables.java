package io.mlestar.adapter.grade;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.engine.RunContexts;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.DataTables;
import io.mlestar.core.step.Facts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The tables of text in a task's data that submissions and new rows are compared with.
///
/// @param train empty if none has labels
/// @param test empty if none has the rows to be predicted
/// @param sample the sample submission; empty if there is none
public record TaskTables(
        Path dataDir,
        Optional<Path> train,
        Optional<Path> test,
        Optional<Path> sample) {
    private static final Pattern TABLE =
            Pattern.compile("[^.].*\\.(csv|tsv|tab|txt)(\\.gz|\\.zip)?");
    private static final Pattern BINARY =
            Pattern.compile("[^.].*\\.(parquet|feather|arrow|xlsx?|pkl|h5)");
    private static final Pattern SAMPLE =
            Pattern.compile("submission|(sample|example)[-_. ]?(sub|solution|entry|output|answer)");
    private static final Pattern EXAMPLE = Pattern.compile("sample|example|format");
    private static final Pattern TRAIN = Pattern.compile("(^|[^a-z])train(ing)?([^a-z]|$)");
    private static final Pattern TEST = Pattern.compile("(^|[^a-z])test(ing)?([^a-z]|$)");
    private static final int DEPTH = 2;

    /// @param found by the survey; empty if it did not look, and names have to tell
    /// @throws Invalid if the folder cannot be read
    public static TaskTables of(Path dataDir, Optional<DataTables> found) {
        if (found.isPresent()) {
            DataTables known = found.get();
            return new TaskTables(dataDir, file(dataDir, known.train()),
                    file(dataDir, known.test()), file(dataDir, known.submission()));
        }
        List<Path> tables = files(dataDir, TABLE);
        Optional<Path> sample = named(tables, SAMPLE);
        List<Path> others =
                tables.stream().filter(table -> sample.filter(table::equals).isEmpty()).toList();
        return new TaskTables(dataDir, named(others, TRAIN), named(others, TEST), sample);
    }

    /// Finds the tables as the survey of a run did.
    ///
    /// @param dataDir folder with the run's data on this machine
    public static TaskTables of(Path dataDir, Records records, String run) {
        return of(dataDir, RunContexts.facts(records, run).map(Facts::tables));
    }

    private static Optional<Path> file(Path dataDir, @Nullable String path) {
        return Optional.ofNullable(path)
                .map(below -> dataDir.resolve(below).normalize())
                .filter(file -> file.startsWith(dataDir.normalize())
                        && TABLE.matcher(name(file)).matches()
                        && Files.isRegularFile(file));
    }

    private static Optional<Path> named(List<Path> tables, Pattern name) {
        return tables.stream()
                .filter(table -> name.matcher(stem(table)).find())
                .min(Comparator.comparing((Path table) -> !EXAMPLE.matcher(stem(table)).find())
                        .thenComparingInt(table -> stem(table).length())
                        .thenComparing(Comparator.naturalOrder()));
    }

    /// The tables of text in a folder, but for those in folders of folders.
    ///
    /// @throws Invalid if the folder cannot be read
    static List<Path> tables(Path dataDir) {
        return files(dataDir, TABLE);
    }

    /// Says why there is no sample submission, if a file is called like one and no table of text.
    ///
    /// @throws Invalid if the folder cannot be read
    public Optional<String> unreadSample() {
        return sample.isPresent()
                ? Optional.empty()
                : named(files(dataDir, BINARY), SAMPLE).map(file -> "\"" + file.getFileName()
                        + "\" is no table of text; put it beside the data as CSV");
    }

    private static List<Path> files(Path dataDir, Pattern named) {
        try (Stream<Path> files = Files.walk(dataDir, DEPTH)) {
            return files.filter(
                    file -> named.matcher(name(file)).matches() && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new Invalid("data_dir " + dataDir + " cannot be read: " + e.getMessage());
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString().toLowerCase(Locale.ROOT);
    }

    static String stem(Path file) {
        return name(file).replaceAll("\\..*", "");
    }

    /// The form that the sample submission shows, for all rows of the test table: the sample may
    /// have only some of them.
    ///
    /// @throws Invalid if it cannot be read
    public Optional<SubmissionForm> form() {
        return sample.map(Submissions::form)
                .map(form -> test.map(table -> ofTest(form, table)).orElse(form));
    }

    private static SubmissionForm ofTest(SubmissionForm form, Path test) {
        return switch (form.format().keys()) {
            case 0 -> form.beside(Table.columnsOf("the test table", test));
            case 1 -> form.of(Table.ids("the test table", test, form.header().getFirst()));
            default -> form;
        };
    }
}
