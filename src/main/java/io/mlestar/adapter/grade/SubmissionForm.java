package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.mlestar.core.base.Excerpt;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// The form that the submissions of a task have, as its sample submission shows it: header, ids, and which columns hold numbers. A submission is compared row
/// by row: its script may have written anything, of any size.
public final class SubmissionForm {
    private static final int LOOKED_AT = 100;
    /// A submission with twice the rows and so many more is not read further.
    private static final int MORE = 1_000;

    private final List<String> header;
    private final Map<String, Integer> places;
    /// Columns that do not hold numbers.
    private final BitSet texts;

    private SubmissionForm(List<String> header, Map<String, Integer> places, BitSet texts) {
        this.header = header;
        this.places = places;
        this.texts = texts;
    }

    /// Reads the sample, and closes it.
    ///
    /// @param what it is called in messages
    /// @throws io.mlestar.core.base.Invalid if it is no CSV in UTF-8
    public static SubmissionForm of(String what, InputStream sample) {
        Map<String, Integer> places = new LinkedHashMap<>();
        BitSet texts = new BitSet();
        List<String> header = Table.rows(what, sample, new Table.Problems(), _ -> true, row -> {
            for (int column = 0; column < row.getFieldCount() && places.size() < LOOKED_AT; column++) {
                texts.set(column, texts.get(column) || !Double.isFinite(Submissions.number(row.getField(column).strip())));
            }
            places.putIfAbsent(row.getField(0), places.size());
            return true;
        });
        return new SubmissionForm(header, places, texts);
    }

    /// How many rows a submission has.
    public int rows() {
        return places.size();
    }

    /// Compares a submission, and closes it.
    ///
    /// @param what it is called in messages
    /// @param kept whether the row of an id is kept
    /// @return those rows, with all problems of the submission
    /// @throws io.mlestar.core.base.Invalid if it is no CSV in UTF-8
    public Table read(String what, InputStream submission, Predicate<String> kept) {
        ComparedRows compared = new ComparedRows(kept);
        List<String> given = Table.rows(what, submission, compared.lines, header::equals, compared);
        return new Table(what, given, compared.rows, given.equals(header) ? compared.problems()
                : List.of("the header is " + shown(given) + "; it must be " + shown(header)));
    }

    private static String shown(List<String> header) {
        return Excerpt.line(String.join(",", header), 120);
    }

    /// One submission, row by row.
    private final class ComparedRows implements Predicate<CsvRecord> {
        private final Predicate<String> kept;
        private final Map<String, CsvRecord> rows = new LinkedHashMap<>();
        private final Table.Problems lines = new Table.Problems();
        private final Table.Problems unknown = new Table.Problems();
        private final Table.Problems values = new Table.Problems();
        private final BitSet seen = new BitSet();
        private final int most = (int) Math.min(Integer.MAX_VALUE - 1, 2L * places.size() + MORE);
        private int count;

        ComparedRows(Predicate<String> kept) {
            this.kept = kept;
        }

        @Override
        public boolean test(CsvRecord row) {
            String id = row.getField(0);
            Integer place = places.get(id);
            if (place == null) {
                unknown.add("ids are not in the sample submission", Excerpt.line(id, 40) + " in " + Table.line(row));
            } else if (seen.get(place)) {
                lines.repeated(row);
            } else {
                seen.set(place);
                if (kept.test(id)) {
                    rows.put(id, row);
                }
            }
            for (int column = 1; column < row.getFieldCount(); column++) {
                String value = row.getField(column).strip();
                boolean good = texts.get(column) ? !value.isEmpty() && !value.equalsIgnoreCase("nan") : Double.isFinite(Submissions.number(value));
                if (!good) {
                    values.add("values of " + Excerpt.line(header.get(column), 40) + (texts.get(column) ? " are missing" : " are no finite numbers"),
                            "\"" + Excerpt.line(value, 40) + "\" in " + Table.line(row));
                }
            }
            return ++count <= most;
        }

        /// One sentence each.
        List<String> problems() {
            if (count > most) {
                return List.of("there are more than " + most + " rows; there must be " + places.size());
            }
            Table.Problems missing = new Table.Problems();
            places.forEach((id, place) -> {
                if (!seen.get(place)) {
                    missing.add("ids are missing", Excerpt.line(id, 40));
                }
            });
            List<String> found = new ArrayList<>(lines.sentences());
            if (count != places.size()) {
                found.add("there are " + count + " rows; there must be " + places.size());
            }
            List.of(missing, unknown, values).forEach(kind -> found.addAll(kind.sentences()));
            return found;
        }
    }
}
