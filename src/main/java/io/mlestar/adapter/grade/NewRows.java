package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.TableFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// New rows in the place of a task's test table: a script that is shown them predicts these. The
/// sample submission becomes theirs, too.
public final class NewRows {
    private static final int LONGEST = 200;

    private final Path root;
    private final Path file;
    private final String what;
    private final TestTable test;
    private final Optional<Path> sample;
    private final Optional<SubmissionForm> form;
    private final List<String> header;
    private final char delimiter;
    /// Place in the file of each column of the test table.
    private final List<Integer> places;
    private final Set<String> ids = new HashSet<>();
    private final List<String> remarks = new ArrayList<>();
    private int count;

    /// Looks at all rows; writes nothing.
    ///
    /// @param task the tables of its data
    /// @param file a table with the columns of the test table
    /// @throws Invalid in one line: what is wrong with the rows, or why rows of a table cannot take
    ///   the place of what the task's scripts predict
    public NewRows(TaskTables task, Path file) {
        this.root = task.dataDir();
        this.file = file;
        this.what = "--rows " + file;
        List<Path> tables = TaskTables.tables(root);
        this.sample = task.sample();
        Optional<Path> train = task.train();
        Path tested = task.test()
                .orElseThrow(() -> new Invalid(
                        "the data in " + root
                                + " have no test table in text (such as test.csv), in whose place "
                                + what + " could stand; " + what + " is not used"));
        checkFolders(tables);
        this.form = sample.map(Submissions::form);
        this.test = TestTable.of(tested, form);
        Table.TableHead head = Table.head(what, Table.open(what, file));
        this.header = head.header();
        this.delimiter = head.delimiter();
        this.places = test.columns().stream().map(header::indexOf).toList();
        checkColumns();
        if (train.isPresent() && isSame(train.get())) {
            throw new Invalid(what + " holds the rows of " + train.get().getFileName()
                    + ", from which the script learns; give it rows that it has not seen");
        }
        read();
    }

    /// The number of rows.
    public int count() {
        return count;
    }

    /// Facts about the rows that a user should know, one sentence each.
    public List<String> remarks() {
        return List.copyOf(remarks);
    }

    /// Files of test rows that no row of a table can bring.
    private void checkFolders(List<Path> tables) {
        try (Stream<Path> files = Files.walk(root)) {
            files.filter(path -> Files.isRegularFile(path) && !tables.contains(path))
                    .filter(path -> isOfTest(root.relativize(path)))
                    .findFirst()
                    .ifPresent(path -> {
                        throw new Invalid("what is predicted lies in files of its own, e.g. "
                                + root.relativize(path)
                                + ", which " + what + " does not bring");
                    });
        } catch (IOException e) {
            throw new Invalid("data_dir " + root + " cannot be read: " + Invalid.reason(e));
        }
    }

    /// True if the file lies in a folder whose name begins with test.
    private static boolean isOfTest(Path file) {
        for (Path folder = file.getParent(); folder != null; folder = folder.getParent()) {
            if (folder.getFileName().toString().regionMatches(true, 0, "test", 0, 4)) {
                return true;
            }
        }
        return false;
    }

    private void checkColumns() {
        Set<String> twice = new LinkedHashSet<>();
        header.stream()
                .filter(name -> header.indexOf(name) != header.lastIndexOf(name))
                .forEach(twice::add);
        twice.retainAll(test.columns());
        if (!twice.isEmpty()) {
            throw new Invalid(what + " has more than one column " + listed(twice));
        }
        List<String> lacking =
                test.columns().stream().filter(name -> !header.contains(name)).toList();
        if (!lacking.isEmpty()) {
            throw new Invalid(what + " lacks the column" + (lacking.size() == 1 ? " " : "s ")
                    + listed(lacking) + " of "
                    + test.name());
        }
        List<String> more = header.stream().filter(name -> !test.columns().contains(name)).toList();
        if (!more.isEmpty()) {
            remarks.add(test.name() + " lacks the column" + (more.size() == 1 ? " " : "s ")
                    + listed(more) + " of "
                    + what + ", so the script does not see "
                    + (more.size() == 1 ? "it" : "them"));
        }
    }

    private boolean isSame(Path train) {
        try {
            return Files.isSameFile(file, train) || Files.mismatch(file, train) < 0;
        } catch (IOException e) {
            throw new Invalid(what + " cannot be read: " + Invalid.reason(e));
        }
    }

    private void read() {
        Table.Problems problems = new Table.Problems();
        List<Integer> keys = test.keys().stream().map(places::get).toList();
        Table.rows(what, Table.open(what, file), delimiter, 0, problems, _ -> true, (_, row) -> {
            count++;
            String id = TestTable.id(row, keys);
            if (!keys.isEmpty() && keys.stream().anyMatch(key -> row.getField(key).isBlank())) {
                problems.add("row without an id", "rows without an id", Table.line(row));
            } else if (!keys.isEmpty() && !ids.add(id)) {
                problems.repeated(id, row);
            }
            return true;
        });
        if (!problems.sentences().isEmpty()) {
            throw new Invalid(what + ": " + problems.sentences().getFirst());
        }
        if (count == 0) {
            throw new Invalid(what + " has a header and no rows");
        }
    }

    private static String listed(Collection<String> names) {
        return Excerpt.line(
                names.stream()
                        .map(name -> name.isEmpty() ? "\"\"" : name)
                        .collect(Collectors.joining(", ")),
                LONGEST);
    }

    /// Fills a folder with the task's data and these rows. Other files named as the test table or
    /// the sample are left out: they would be read in their place.
    ///
    /// @throws Invalid if the test table's encoding cannot say what the rows hold
    public void show(Path view) throws IOException {
        Set<String> gone = new HashSet<>();
        List<Path> replaced = Stream.concat(Stream.of(test.file()), sample.stream()).toList();
        Set<String> stems = replaced.stream().map(TaskTables::stem).collect(Collectors.toSet());
        try (Stream<Path> files = Files.walk(root)) {
            files.filter(path -> replaced.contains(path)
                    || Files.isRegularFile(path) && stems.contains(TaskTables.stem(path)))
                    .forEach(path -> gone.add(root.relativize(path).toString()));
        }
        new LinkedData(root, gone, Map.of(), false).into(view);
        write(view);
        for (Path table : replaced) {
            LinkedData.finish(view.resolve(root.relativize(table)));
        }
    }

    private void write(Path view) throws IOException {
        try (CsvWriter rows = writer(view, test.file(), test.format().delimiter());
                CsvWriter asked =
                        sample.isEmpty()
                                ? null
                                : writer(view, sample.get(),
                                        form.orElseThrow().format().delimiter())) {
            rows.writeRecord(test.header());
            List<String> example = new ArrayList<>();
            if (asked != null) {
                Table.rows("the sample submission",
                        Table.open("the sample submission", sample.orElseThrow()), Table.DETECTED,
                        0,
                        new Table.Problems(), head -> {
                            asked.writeRecord(head);
                            return true;
                        }, (_, row) -> !example.addAll(row.getFields()));
            }
            Optional<NumberedIds> counted =
                    form.flatMap(known -> NumberedIds.counted(List.copyOf(known.ids())));
            int[] number = {0};
            Table.rows(what, Table.open(what, file), delimiter, 0, new Table.Problems(), _ -> true,
                    (_, row) -> {
                        int at = number[0]++;
                        List<String> fields = IntStream.range(0, places.size())
                                .mapToObj(column -> field(column, row))
                                .toList();
                        rows.writeRecord(fields);
                        if (asked != null) {
                            List<String> names = form.orElseThrow().format().keys() == 0
                                    ? List.of()
                                    : names(fields, counted, at);
                            asked.writeRecord(Stream
                                    .concat(names.stream(), example.stream().skip(names.size()))
                                    .toList());
                        }
                        return true;
                    });
        } catch (UncheckedIOException | CharacterCodingException e) {
            throw unwritten(e);
        }
    }

    /// The names of a row in the sample: its place, where the test table has no names.
    private List<String> names(List<String> fields, Optional<NumberedIds> counted, int at) {
        return test.keys().isEmpty()
                ? List.of(counted.orElseThrow().of(at))
                : test.keys().stream().map(fields::get).toList();
    }

    private RuntimeException unwritten(Exception failure) {
        if (failure instanceof CharacterCodingException
                || failure.getCause() instanceof CharacterCodingException) {
            return new Invalid(
                    what + " has characters that the encoding of " + test.name() + " cannot say");
        }
        return failure instanceof RuntimeException other
                ? other
                : new IllegalStateException(failure);
    }

    private CsvWriter writer(Path view, Path like, char cut) throws IOException {
        Path to = view.resolve(root.relativize(like));
        return CsvWriter.builder()
                .fieldSeparator(cut)
                .lineDelimiter(LineDelimiter.LF)
                .build(TableText.writer(like.getFileName().toString(), like, to));
    }

    /// A number is written with the decimal mark of the test table.
    private String field(int column, CsvRecord row) {
        TableFormat format = test.format();
        String value = row.getField(places.get(column));
        return !test.numbers().get(column) || TestTable.isMissing(value)
                ? value
                : Submissions.plain(value, delimiter).replace('.', format.decimal());
    }
}
