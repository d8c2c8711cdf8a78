package io.mlestar.adapter.grade;

import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Finds the sample submission in a task's data: by its content, which is the ids of the test table and columns that only training has, then by its name. The
/// data card goes by the same rules (`survey/card.py`).
final class SampleSubmission {
    private static final Pattern TABLE = Pattern.compile("[^.].*\\.(csv|tsv|tab|txt)(\\.gz|\\.zip)?");
    private static final Pattern BINARY = Pattern.compile("[^.].*\\.(parquet|feather|arrow|xlsx?|pkl|h5)");
    private static final Pattern NAME = Pattern.compile("submission|(sample|example)[-_. ]?(sub|solution|entry|output|answer)");
    static final Pattern TRAIN = Pattern.compile("(^|.*[^a-z])train(ing)?([^a-z].*|$)");
    static final Pattern TEST = Pattern.compile("(^|.*[^a-z])test(ing)?([^a-z].*|$)");
    private static final Set<String> USUAL = Set.of("sample_submission", "samplesubmission", "submission_format", "submissionformat");
    /// Larger tables, in bytes, are judged by their names alone.
    private static final long LARGEST = 64L << 20;
    private static final int DEPTH = 2;
    private static final int MOST_COMPARED = 10_000;

    private SampleSubmission() {}

    /// @throws Invalid if the folder cannot be read
    static Optional<Path> find(Path dataDir) {
        List<Path> tables = new ArrayList<>(tables(dataDir));
        role(tables, TEST).ifPresent(test -> tables.removeIf(file -> isNamed(file) && isOfOtherRows(file, test)));
        Comparator<Path> likeliest = Comparator.comparing((Path file) -> !USUAL.contains(stem(file))).thenComparing(file -> !isExample(stem(file)))
                .thenComparingInt(file -> stem(file).length()).thenComparing(Comparator.naturalOrder());
        List<Path> asking = asking(tables);
        return (asking.isEmpty() ? tables : asking).stream().filter(SampleSubmission::isNamed).min(likeliest)
                .or(() -> asking.size() == 1 ? Optional.of(asking.getFirst()) : Optional.empty());
    }

    /// The tables of text in a task's data, but for those in folders of folders.
    ///
    /// @throws Invalid if the folder cannot be read
    static List<Path> tables(Path dataDir) {
        return files(dataDir, TABLE);
    }

    /// A table that only a library reads, under the name of a sample submission.
    ///
    /// @throws Invalid if the folder cannot be read
    static Optional<Path> unread(Path dataDir) {
        return files(dataDir, BINARY).stream().filter(SampleSubmission::isNamed).findFirst();
    }

    private static List<Path> files(Path dataDir, Pattern named) {
        try (Stream<Path> files = Files.walk(dataDir, DEPTH)) {
            return files.filter(file -> named.matcher(name(file)).matches() && Files.isRegularFile(file)).sorted().toList();
        } catch (IOException e) {
            throw new Invalid("data_dir " + dataDir + " cannot be read: " + e.getMessage());
        }
    }

    private static boolean isNamed(Path file) {
        return NAME.matcher(stem(file)).find();
    }

    private static boolean isExample(String stem) {
        return stem.contains("sample") || stem.contains("example") || stem.contains("format");
    }

    /// Tables with columns of training that the test lacks, behind one of the test. A table of another name must have the very ids of the test, and one
    /// value for all: several may be the answers.
    private static List<Path> asking(List<Path> tables) {
        Optional<Path> train = role(tables, TRAIN);
        Optional<Path> test = role(tables, TEST);
        if (train.isEmpty() || test.isEmpty()) {
            return List.of();
        }
        List<String> known = header(train.get());
        List<String> tested = header(test.get());
        return tables.stream().filter(file -> !file.equals(train.get()) && !file.equals(test.get())).filter(file -> {
            List<String> names = header(file);
            List<String> asked = names.stream().filter(name -> !tested.contains(name)).toList();
            return !asked.isEmpty() && !names.equals(asked) && tested.contains(names.getFirst()) && known.containsAll(asked)
                    && (isNamed(file) || values(file, List.of(names.getFirst())).equals(values(test.get(), List.of(names.getFirst())))
                            && values(file, asked).size() == 1);
        }).toList();
    }

    /// Whether it has ids in the column that names the test's rows, and none of these, as submissions to another task have.
    private static boolean isOfOtherRows(Path file, Path test) {
        List<String> names = header(file);
        if (file.equals(test) || names.isEmpty() || !header(test).contains(names.getFirst())) {
            return false;
        }
        Set<String> ids = new HashSet<>();
        fields(file, names.getFirst(), id -> ids.add(id) && ids.size() < MOST_COMPARED);
        AtomicBoolean isOther = new AtomicBoolean(!ids.isEmpty());
        fields(test, names.getFirst(), id -> {
            isOther.compareAndSet(true, !ids.contains(id));
            return isOther.get();
        });
        return isOther.get();
    }

    private static void fields(Path file, String column, Predicate<String> goOn) {
        int place = header(file).indexOf(column);
        Table.rows("a table", Table.open("a table", file), null, 1, new Table.Problems(), _ -> true,
                (_, row) -> goOn.test(row.getField(place).strip()));
    }

    static Optional<Path> role(List<Path> tables, Pattern role) {
        return tables.stream().filter(file -> role.matcher(stem(file)).matches()).min(Comparator.comparingInt((Path file) -> stem(file).length())
                .thenComparing(Comparator.naturalOrder()));
    }

    private static List<String> header(Path file) {
        try {
            return Files.size(file) > LARGEST ? List.of()
                    : Table.rows("a table", Table.open("a table", file), null, 1, new Table.Problems(), _ -> false, (_, _) -> false).header();
        } catch (Invalid | IOException e) {
            return List.of();
        }
    }

    /// The values of a column; none if the table has no such column, or cannot be read.
    static Set<String> ids(Path table, String column) {
        int place = header(table).indexOf(column);
        Set<String> ids = new HashSet<>();
        if (place >= 0) {
            Table.rows("a table", Table.open("a table", table), null, 1, new Table.Problems(), _ -> true, (_, row) -> {
                ids.add(row.getField(place));
                return true;
            });
        }
        return ids;
    }

    private static Set<List<String>> values(Path file, List<String> columns) {
        List<Integer> places = columns.stream().map(header(file)::indexOf).toList();
        Set<List<String>> values = new HashSet<>();
        Table.rows("a table", Table.open("a table", file), null, 1, new Table.Problems(), _ -> true, (_, row) -> {
            values.add(places.stream().map(row::getField).toList());
            return true;
        });
        return values;
    }

    static String name(Path file) {
        return file.getFileName().toString().toLowerCase(Locale.ROOT);
    }

    static String stem(Path file) {
        return name(file).replaceAll("\\..*", "");
    }
}
