package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import java.util.Arrays;
import java.util.List;

/// The predictions for the rows that count.
interface Predictions {
    /// @param column of the submission, besides the id, from 0
    double[] numbers(int column);

    /// @param column of the submission, besides the id, from 0
    String[] classes(int column);

    /// The values as a submission would have them.
    String[] texts(int column);

    /// A submission's own rows, in the order of the labels.
    record SubmittedRows(Table submission, List<CsvRecord> rows) implements Predictions {
        private int place(int column) {
            return submission.column(submission.columns().get(column));
        }

        @Override
        public double[] numbers(int column) {
            return Grading.numbers(submission, rows, place(column));
        }

        @Override
        public String[] classes(int column) {
            return Grading.classes(submission, rows, place(column));
        }

        @Override
        public String[] texts(int column) {
            int field = place(column);
            return rows.stream()
                    .map(row -> Submissions.plain(row.getField(field),
                            submission.format().delimiter()))
                    .toArray(String[]::new);
        }
    }

    /// Columns as a submission would have them.
    record PredictedTexts(List<String[]> columns) implements Predictions {
        @Override
        public double[] numbers(int column) {
            return Arrays.stream(texts(column)).mapToDouble(Submissions::number).toArray();
        }

        @Override
        public String[] classes(int column) {
            return texts(column);
        }

        @Override
        public String[] texts(int column) {
            return columns.get(column);
        }
    }
}
