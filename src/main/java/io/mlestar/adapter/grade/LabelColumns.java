package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.writer.CsvWriter;
import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/// Columns of the hidden rows that a metric goes by besides the targets, such as weights.
final class LabelColumns {
    /// The group and the part of each row, which come last.
    private static final int MARKS = 2;

    private LabelColumns() {}

    /// Moves them into the labels, before their last two columns, and removes the other ones.
    ///
    /// @param columns a table with a row for each of the labels, in their order
    /// @param wanted by name
    static void move(Path columns, Path labels, Predicate<String> wanted) throws IOException {
        if (!Files.isRegularFile(columns, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<List<String>> known = read(labels);
        List<List<String>> others = read(columns);
        Files.delete(columns);
        List<String> names = others.getFirst();
        List<String> targets = known.getFirst().subList(0, known.getFirst().size() - MARKS);
        List<Integer> places = IntStream.range(0, names.size())
                .filter(i -> wanted.test(names.get(i)) && !targets.contains(names.get(i)))
                .boxed()
                .toList();
        if (places.isEmpty()) {
            return;
        }
        if (known.size() != others.size()) {
            throw new Invalid("the program that hides rows left other columns for " + others.size()
                    + " rows, and labels for " + known.size());
        }
        try (CsvWriter writer = CsvWriter.builder().build(Files.newBufferedWriter(labels))) {
            for (int row = 0; row < known.size(); row++) {
                List<String> other = others.get(row);
                List<String> all = new ArrayList<>(known.get(row));
                all.addAll(all.size() - MARKS, places.stream().map(other::get).toList());
                writer.writeRecord(all);
            }
        }
    }

    private static List<List<String>> read(Path table) throws IOException {
        try (CsvReader<CsvRecord> reader = CsvReader.builder().ofCsvRecord(table)) {
            return reader.stream().map(CsvRecord::getFields).toList();
        }
    }
}
