package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Columns of the hidden rows that a metric goes by besides the targets, such as weights: they stand in the test tables that scripts see.
final class LabelColumns {
    /// The group and the part of each row, which come last.
    private static final int MARKS = 2;

    private LabelColumns() {}

    /// Adds them to the labels, before their last two columns.
    ///
    /// @param views folders of the tables that scripts see
    /// @param wanted by name
    static void add(Path file, List<Path> views, Predicate<String> wanted) throws IOException {
        Table labels = Table.of("the table of labels", new ByteArrayInputStream(Files.readAllBytes(file)), ',', 1, _ -> true);
        List<String> names = new ArrayList<>();
        Map<String, List<String>> found = new HashMap<>();
        for (Path view : views) {
            for (Path path : TaskTables.tables(view)) {
                Table table = Table.of("a table", Table.open("a table", path), null, 1, labels.rows()::containsKey);
                List<String> more = table.columns().stream().filter(name -> labels.column(name) < 0 && wanted.test(name)).toList();
                if (!table.header().getFirst().equals(labels.header().getFirst()) || table.rows().isEmpty() || more.isEmpty()) {
                    continue;
                }
                if (names.isEmpty()) {
                    names.addAll(more);
                }
                if (!names.equals(more)) {
                    continue;
                }
                table.rows().forEach((id, row) -> found.put(id, more.stream().map(name -> row.getField(table.column(name))).toList()));
            }
        }
        if (!names.isEmpty() && found.keySet().containsAll(labels.rows().keySet())) {
            write(file, labels, names, found);
        }
    }

    private static void write(Path file, Table labels, List<String> names, Map<String, List<String>> found) throws IOException {
        try (CsvWriter writer = CsvWriter.builder().build(Files.newBufferedWriter(file))) {
            writer.writeRecord(with(labels.header(), names));
            for (Map.Entry<String, CsvRecord> row : labels.rows().entrySet()) {
                writer.writeRecord(with(row.getValue().getFields(), found.getOrDefault(row.getKey(), List.of())));
            }
        }
    }

    private static List<String> with(List<String> fields, List<String> more) {
        List<String> all = new ArrayList<>(fields);
        all.addAll(fields.size() - MARKS, more);
        return all;
    }
}
