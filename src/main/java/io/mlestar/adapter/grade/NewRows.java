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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
    private final List<String> header = new ArrayList<>();
    private final char delimiter;
    /// Place in the file of each column of the test table; -1 for an id that is made.
    private final List<Integer> places;
    private final Set<String> ids = new HashSet<>();
    private final List<String> remarks = new ArrayList<>();
    private @Nullable NumberedIds made;
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
                        "the data in " + root + " have no test table in text (such as test.csv), in whose place "
                                + what + " could stand; " + what + " is not used"));
        checkFolders(tables);
        this.form = sample.map(Submissions::form);
        this.test = TestTable.of(tested, form);
        this.delimiter =
                Table.rows(what, Table.open(what, file), null, 0, new Table.Problems(), header::addAll, (_, _) -> false)
                        .delimiter();
        this.places = test.columns().stream().map(header::indexOf).toList();
        checkColumns();
        if (train.isPresent() && isSame(train.get())) {
            throw ofTraining(train.get());
        }
        TrainingRows training = new TrainingRows(train, test, header, delimiter);
        read(training);
        made = training.behind(made);
        if (training.areSame()) {
            throw ofTraining(train.orElseThrow());
        }
        training.wrong().ifPresent(sentence -> {
            throw new Invalid(what + ": " + sentence + "; in " + test.name() + " all are");
        });
        if (made != null) {
            remarks.add(what + " has no column " + test.columns().get(test.keys().getFirst()) + "; its rows get "
                    + (count == 1 ? made.of(0) : made.of(0) + " to " + made.of(count - 1)));
        }
        List<Path> known = Stream.of(Optional.of(tested), train, sample).flatMap(Optional::stream).toList();
        tables.stream().filter(table -> !known.contains(table)).forEach(this::compare);
    }

    /// How many rows there are.
    public int count() {
        return count;
    }

    /// What a user should know of them, one sentence each.
    public List<String> remarks() {
        return List.copyOf(remarks);
    }

    /// Files of test rows that no row of a table can bring.
    private void checkFolders(List<Path> tables) {
        try (Stream<Path> files = Files.walk(root)) {
            files.filter(path -> !tables.contains(path) && Files.isRegularFile(path)
                    && root.relativize(path).getNameCount() > 1
                    && IntStream.range(0, root.relativize(path).getNameCount() - 1)
                            .anyMatch(i -> root.relativize(path).getName(i).toString().regionMatches(true, 0, "test", 0,
                                    4)))
                    .findFirst().ifPresent(path -> {
                        throw new Invalid("what is predicted lies in files of its own, e.g. " + root.relativize(path)
                                + ", which " + what + " does not bring");
                    });
        } catch (IOException e) {
            throw new Invalid("data_dir " + root + " cannot be read: " + Invalid.reason(e));
        }
    }

    private void checkColumns() {
        Set<String> twice = new LinkedHashSet<>();
        header.stream().filter(name -> header.indexOf(name) != header.lastIndexOf(name)).forEach(twice::add);
        twice.retainAll(test.columns());
        if (!twice.isEmpty()) {
            throw new Invalid(what + " has more than one column " + listed(twice));
        }
        List<Integer> lacking = test.lackedBy(header).boxed().toList();
        boolean canMake = test.keys().size() == 1 && lacking.equals(test.keys());
        if (canMake) {
            made = NumberedIds.behind(test.ids())
                    .orElseThrow(() -> new Invalid(what + " lacks the column " + test.columns().get(lacking.getFirst())
                            + ", and those of " + test.name()
                            + " are no numbers, after which ids could be made; give each row its own"));
        } else if (!lacking.isEmpty()) {
            throw new Invalid(what + " lacks the column" + (lacking.size() == 1 ? " " : "s ")
                    + listed(lacking.stream().map(test.columns()::get).toList()) + " of " + test.name());
        }
        List<String> more = header.stream().filter(name -> !test.columns().contains(name)).toList();
        if (!more.isEmpty()) {
            remarks.add(test.name() + " lacks the column" + (more.size() == 1 ? " " : "s ") + listed(more) + " of "
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

    private Invalid ofTraining(Path train) {
        return new Invalid(what + " holds the rows of " + train.getFileName()
                + ", from which the script learns; give it rows that it has not seen");
    }

    private void read(TrainingRows training) {
        Table.Problems problems = new Table.Problems();
        List<Integer> keys = test.keys().stream().map(places::get).filter(place -> place >= 0).toList();
        Table.rows(what, Table.open(what, file), delimiter, 0, problems, _ -> true, (_, row) -> {
            count++;
            String id = TestTable.id(row, keys);
            if (!keys.isEmpty() && keys.stream().anyMatch(key -> row.getField(key).isBlank())) {
                problems.add("row without an id", "rows without an id", Table.line(row));
            } else if (!keys.isEmpty() && !ids.add(id)) {
                problems.repeated(id, row);
            }
            training.seek(row);
            return true;
        });
        if (!problems.sentences().isEmpty()) {
            throw new Invalid(what + ": " + problems.sentences().getFirst());
        }
        if (count == 0) {
            throw new Invalid(what + " has a header and no rows");
        }
    }

    /// Whether another table, which scripts may join by the id, has rows for those of the test and
    /// not for these.
    private void compare(Path table) {
        if (test.keys().size() != 1) {
            return;
        }
        String name = test.columns().get(test.keys().getFirst());
        String called = root.relativize(table).toString();
        Set<String> tested = new HashSet<>(test.ids());
        Set<String> lacking = new HashSet<>(made == null ? ids : IntStream.range(0, count).mapToObj(made::of).toList());
        List<String> columns = new ArrayList<>();
        try {
            Table.rows(called, Table.open(called, table), null, 0, new Table.Problems(), columns::addAll, (_, row) -> {
                int place = columns.indexOf(name);
                if (place >= 0) {
                    tested.remove(row.getField(place));
                    lacking.remove(row.getField(place));
                }
                return place >= 0;
            });
        } catch (Invalid e) {
            // What cannot be read as a table is joined by no id.
            return;
        }
        if (!lacking.isEmpty() && 2 * tested.size() < test.ids().size()) {
            remarks.add(called + " has rows for the " + name + " of " + test.name() + ", but none for " + lacking.size()
                    + " of the " + count + " of " + what
                    + ": what the script takes from there it lacks");
        }
    }

    private static String listed(Collection<String> names) {
        return Excerpt.line(
                names.stream().map(name -> name.isEmpty() ? "\"\"" : name).collect(Collectors.joining(", ")), LONGEST);
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
                        sample.isEmpty() ? null : writer(view, sample.get(), form.orElseThrow().format().delimiter())) {
            rows.writeRecord(test.header());
            List<String> example = new ArrayList<>();
            if (asked != null) {
                Table.rows("the sample submission", Table.open("the sample submission", sample.orElseThrow()), null, 0,
                        new Table.Problems(), head -> {
                            asked.writeRecord(head);
                            return true;
                        }, (_, row) -> !example.addAll(row.getFields()));
            }
            Optional<NumberedIds> counted = form.flatMap(known -> NumberedIds.counted(List.copyOf(known.ids())));
            int[] number = {0};
            Table.rows(what, Table.open(what, file), delimiter, 0, new Table.Problems(), _ -> true, (_, row) -> {
                int at = number[0]++;
                List<String> fields =
                        IntStream.range(0, places.size()).mapToObj(column -> field(column, row, at)).toList();
                rows.writeRecord(fields);
                if (asked != null) {
                    List<String> names = form.orElseThrow().format().keys() == 0 ? List.of()
                            : test.keys().isEmpty() ? List.of(counted.orElseThrow().of(at))
                            : test.keys().stream().map(fields::get).toList();
                    asked.writeRecord(Stream.concat(names.stream(), example.stream().skip(names.size())).toList());
                }
                return true;
            });
        } catch (UncheckedIOException | CharacterCodingException e) {
            throw unwritten(e);
        }
    }

    private RuntimeException unwritten(Exception failure) {
        return failure instanceof CharacterCodingException || failure.getCause() instanceof CharacterCodingException
                ? new Invalid(what + " has characters that the encoding of " + test.name() + " cannot say")
                : failure instanceof RuntimeException other ? other : new IllegalStateException(failure);
    }

    private CsvWriter writer(Path view, Path like, char cut) throws IOException {
        Path to = view.resolve(root.relativize(like));
        return CsvWriter.builder().fieldSeparator(cut).lineDelimiter(LineDelimiter.LF)
                .build(TableText.writer(like.getFileName().toString(), like, to));
    }

    /// A number is written with the decimal mark of the test table.
    private String field(int column, CsvRecord row, int at) {
        int place = places.get(column);
        if (place < 0) {
            return Objects.requireNonNull(made).of(at);
        }
        TableFormat format = test.format();
        String value = row.getField(place);
        return !test.numbers().get(column) || TestTable.isMissing(value) ? value
                : Submissions.plain(value, delimiter).replace('.', format.decimal());
    }
}
