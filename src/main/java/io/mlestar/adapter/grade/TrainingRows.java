package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.mlestar.core.base.Excerpt;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What a task's training table says of rows that are to be predicted: which columns are numbers,
/// which ids are taken, and whether it has these very rows.
final class TrainingRows {
    private static final String WHAT = "the training table";
    /// Rows that are looked for in it.
    private static final int MOST_SOUGHT = 1_000;

    private final Optional<Path> train;
    private final TestTable test;
    private final char delimiter;
    private final List<Integer> places;
    private final List<String> columns = new ArrayList<>();
    private final char cut;
    /// Places, in the test table, of the columns that are compared.
    private final List<Integer> shared;
    private final Set<List<String>> sought = new HashSet<>();
    private final Map<Integer, Table.Problems> wrong = new TreeMap<>();
    private final boolean isTelling;
    private int seen;

    /// @param header of the rows
    /// @param delimiter of theirs
    TrainingRows(Optional<Path> train, TestTable test, List<String> header, char delimiter) {
        this.train = train;
        this.test = test;
        this.delimiter = delimiter;
        this.places = test.columns().stream().map(header::indexOf).toList();
        this.cut = train
                .map(table -> Table.rows(WHAT, Table.open(WHAT, table), null, 0, new Table.Problems(), columns::addAll,
                        (_, _) -> false).delimiter())
                .orElse(delimiter);
        this.shared = IntStream.range(0, places.size())
                .filter(column -> places.get(column) >= 0 && columns.contains(test.columns().get(column))).boxed()
                .toList();
        // New rows may have the features of training rows, but not their ids or labels as well.
        this.isTelling = test.keys().stream().anyMatch(shared::contains)
                || header.stream().anyMatch(name -> columns.contains(name) && !test.columns().contains(name));
    }

    /// One of the rows to be predicted.
    void seek(CsvRecord row) {
        if (seen++ < MOST_SOUGHT) {
            sought.add(shared.stream().map(column -> row.getField(places.get(column)).strip()).toList());
        }
        for (int column = test.numbers().nextSetBit(0); column >= 0; column = test.numbers().nextSetBit(column + 1)) {
            int place = places.get(column);
            if (place >= 0 && !TestTable.isNumber(row.getField(place), delimiter)) {
                String name = Excerpt.line(test.columns().get(column), 40);
                wrong.computeIfAbsent(column, _ -> new Table.Problems()).add("value of " + name + " is not a number",
                        "values of " + name
                                + " are not numbers",
                        "\"" + Excerpt.line(row.getField(place), 40) + "\" in " + Table.line(row));
            }
        }
    }

    /// Reads the training table, after all rows were seen.
    ///
    /// @param made ids of these rows, if they are made
    /// @return the same behind those of the training table
    @Nullable
    NumberedIds behind(@Nullable NumberedIds made) {
        if (train.isEmpty()) {
            return made;
        }
        List<Integer> there = shared.stream().map(test.columns()::get).map(columns::indexOf).toList();
        int id = test.keys().size() == 1 ? columns.indexOf(test.columns().get(test.keys().getFirst())) : -1;
        NumberedIds[] last = {made};
        Table.rows(WHAT, Table.open(WHAT, train.get()), cut, 0, new Table.Problems(), _ -> true, (_, row) -> {
            sought.remove(there.stream().map(place -> row.getField(place).strip()).toList());
            wrong.keySet().removeIf(column -> shared.contains(column)
                    && !TestTable.isNumber(row.getField(columns.indexOf(test.columns().get(column))), cut));
            if (last[0] != null && id >= 0) {
                last[0] = last[0].behind(row.getField(id));
            }
            return true;
        });
        return last[0];
    }

    /// Whether the rows, or the first of them, are rows of the training table.
    boolean areSame() {
        return train.isPresent() && isTelling && sought.isEmpty();
    }

    /// Values that are no numbers, in a column where all of both tables are, in one sentence.
    Optional<String> wrong() {
        return wrong.values().stream().flatMap(problems -> problems.sentences().stream()).findFirst();
    }
}
