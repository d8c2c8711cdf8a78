package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.writer.CsvWriter;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.TableFormat;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The rows of a task whose submissions name them by their place alone. Between views places
/// differ, so predictions are kept in a form of their own: the name of each row, and the columns
/// that are predicted.
///
/// @param sample a submission of the view, as the task asks for one
/// @param names of its rows, in order; those of the task's own rows are their places, from 1
/// @param asked columns that are predicted
record PlacedRows(byte[] sample, List<String> names, List<String> asked) {
    private static final String NAME = "row";
    private static final String WHAT = "the submission";

    PlacedRows {
        names = List.copyOf(names);
        asked = List.copyOf(asked);
    }

    /// @param order the name of each row, as the survey writes it
    /// @param labels of the hidden rows
    static PlacedRows of(byte[] sample, byte[] order, byte[] labels) {
        List<String> columns = Table.of("the table of labels", labels, TableFormat.USUAL).columns();
        List<String> names = new String(order, StandardCharsets.UTF_8).lines().toList();
        return new PlacedRows(sample, names,
                columns.subList(0, columns.size() - HiddenLabels.MARKS));
    }

    /// The rows of the task itself, where none are hidden.
    PlacedRows own(byte[] ownSample) {
        int rows = Table.of("the sample submission", ownSample, 0).rows().size();
        List<String> places = new ArrayList<>();
        for (int place = 1; place <= rows; place++) {
            places.add(String.valueOf(place));
        }
        return new PlacedRows(ownSample, places, asked);
    }

    SubmissionForm form() {
        return SubmissionForm.of("the sample submission",
                () -> new ByteArrayInputStream(named(new ByteArrayInputStream(sample))));
    }

    /// The format of the task's submissions. A first column that counts their rows names them.
    TableFormat format() {
        SubmissionForm known =
                SubmissionForm.of("the sample submission", () -> new ByteArrayInputStream(sample));
        boolean isCounted =
                known.format().keys() == 1 && !asked.contains(known.header().getFirst());
        return new TableFormat(known.format().delimiter(), known.format().decimal(),
                isCounted ? 1 : 0);
    }

    /// A submission for the view in the form that is kept. Closes the stream.
    ///
    /// @throws Invalid for the author of the script, if it has other columns or rows than the
    ///   view's
    byte[] named(InputStream submission) {
        int keys = format().keys();
        Table shown = Table.of("the sample submission", sample, keys);
        Table given = Table.of(WHAT, submission, shown.format().delimiter(), keys, _ -> true);
        given.check("");
        if (!given.header().equals(shown.header())) {
            throw new Invalid("the header is " + header(given) + "; it must be " + header(shown));
        }
        if (!given.rows().keySet().equals(shown.rows().keySet())) {
            throw new Invalid("rows: " + given.rows().size() + "; there must be " + names.size()
                    + ", as in the sample submission");
        }
        List<Integer> places = asked.stream().map(given::column).toList();
        List<List<String>> rows = new ArrayList<>();
        rows.add(with(NAME, asked));
        Iterator<String> name = names.iterator();
        for (String id : shown.rows().keySet()) {
            CsvRecord row = Objects.requireNonNull(given.rows().get(id));
            rows.add(with(name.next(), places.stream().map(row::getField).toList()));
        }
        return written(rows, ',');
    }

    /// Predictions for the rows of this view as the task asks for them.
    byte[] asked(byte[] named) {
        Map<String, CsvRecord> predicted = Table.of("predictions", named, TableFormat.USUAL).rows();
        Table shown = Table.of("the sample submission", sample, 0);
        List<List<String>> rows = new ArrayList<>();
        rows.add(shown.header());
        shown.rows().forEach((place, row) -> {
            List<String> fields = new ArrayList<>(row.getFields());
            CsvRecord values = predicted.get(names.get(Integer.parseInt(place) - 1));
            for (int column = 0; values != null && column < asked.size(); column++) {
                fields.set(shown.column(asked.get(column)), values.getField(column + 1));
            }
            rows.add(fields);
        });
        return written(rows, shown.format().delimiter());
    }

    private static List<String> with(String first, List<String> rest) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(rest);
        return all;
    }

    private static String header(Table table) {
        return Excerpt.line(String.join(String.valueOf(table.format().delimiter()), table.header()),
                120);
    }

    private static byte[] written(List<List<String>> rows, char delimiter) {
        StringWriter text = new StringWriter();
        CsvWriter writer = CsvWriter.builder().fieldSeparator(delimiter).bufferSize(0).build(text);
        rows.forEach(writer::writeRecord);
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
