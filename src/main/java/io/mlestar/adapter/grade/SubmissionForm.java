package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.step.TableFormat;
import java.io.InputStream;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The form that the submissions of a task have, as its sample submission shows it: delimiter,
/// header, what names a row, and which columns hold numbers. The sample is well formed by
/// definition, so what it does a submission may do. A submission is compared row by row: its script
/// may have written anything, of any size.
public final class SubmissionForm {
    /// A submission with twice the rows and so many more is not read further.
    private static final int MORE = 1_000;

    private final TableFormat format;
    private final List<String> header;
    private final Map<String, Integer> places = new LinkedHashMap<>();
    /// Columns that hold more than numbers.
    private final BitSet texts = new BitSet();
    /// Columns in which the sample, too, lacks values.
    private final BitSet gaps = new BitSet();
    private final Table.Problems uneven = new Table.Problems();
    /// Ids of rows of the test table that the sample lacks, as one of a few example rows does: a
    /// submission has all of them or none.
    private final Set<String> further;
    /// Columns that the test table has, too, where the place of a row names it.
    private final Set<String> shown;

    private SubmissionForm(SubmissionForm sample, Set<String> further, Set<String> shown) {
        this.format = sample.format;
        this.header = sample.header;
        this.places.putAll(sample.places);
        this.texts.or(sample.texts);
        this.gaps.or(sample.gaps);
        this.further = further;
        this.shown = shown;
    }

    /// @throws RepeatedRows if columns as many as `keys` do not tell the sample's rows apart
    private SubmissionForm(String what, InputStream sample, char delimiter, int keys) {
        boolean[] commas = {false};
        this.further = Set.of();
        this.shown = Set.of();
        this.header = Table.rows(what, sample, delimiter, keys, uneven, _ -> true, (id, row) -> {
            if (places.putIfAbsent(id, places.size()) != null) {
                throw new RepeatedRows();
            }
            for (int column = 0; column < row.getFieldCount(); column++) {
                String value = row.getField(column).strip();
                String plain = Submissions.plain(value, delimiter);
                commas[0] |= !plain.equals(value);
                texts.set(column, texts.get(column) || !Double.isFinite(Submissions.number(plain)));
                gaps.set(column, gaps.get(column) || isMissing(value));
            }
            return true;
        }).header();
        this.format = new TableFormat(delimiter, commas[0] ? ',' : '.', keys);
    }

    /// Says that so many columns do not tell the rows of a sample apart.
    private static final class RepeatedRows extends RuntimeException {
        private static final long serialVersionUID = 1;

        RepeatedRows() {
            super("rows repeat", null, false, false);
        }
    }

    /// Reads the sample. The fewest leading columns that tell its rows apart name a row; where
    /// there are none but all, its place does.
    ///
    /// @param what it is called in messages
    /// @param sample opens it
    /// @throws io.mlestar.core.base.Invalid if it is no table
    public static SubmissionForm of(String what, Supplier<InputStream> sample) {
        Table.TableHead read = Table.head(what, sample.get());
        for (int keys = 1; keys < read.header().size(); keys++) {
            try {
                return new SubmissionForm(what, sample.get(), read.delimiter(), keys);
            } catch (RepeatedRows e) {
                // One column more may do.
            }
        }
        return new SubmissionForm(what, sample.get(), read.delimiter(), 0);
    }

    /// The same for a task whose test table has these rows, if the sample names some of them.
    SubmissionForm of(Set<String> tested) {
        if (!tested.containsAll(places.keySet())) {
            return this;
        }
        Set<String> others = new HashSet<>(tested);
        others.removeAll(places.keySet());
        return new SubmissionForm(this, others, shown);
    }

    /// The same for a task whose test table has these columns: where no column names a row, they
    /// say what it is about.
    SubmissionForm beside(List<String> tested) {
        return format.keys() > 0 || tested.containsAll(header)
                ? this
                : new SubmissionForm(this, further,
                        header.stream().filter(tested::contains).collect(Collectors.toSet()));
    }

    /// True if a column holds values to be predicted.
    private boolean isPredicted(int column) {
        return shown.isEmpty()
                ? column >= format.firstValue(header.size())
                : !shown.contains(header.get(column));
    }

    public TableFormat format() {
        return format;
    }

    /// The number of rows of the test table that a submission of so many rows does not predict.
    public int unpredicted(int rows) {
        return Math.max(0, places.size() + further.size() - rows);
    }

    List<String> header() {
        return header;
    }

    /// Ids of the rows, in the order of the sample.
    Set<String> ids() {
        return Collections.unmodifiableSet(places.keySet());
    }

    /// The number of columns that hold values to be predicted.
    int columns() {
        return (int) IntStream.range(0, header.size()).filter(this::isPredicted).count();
    }

    /// True if all columns to be predicted hold numbers.
    boolean areNumbers() {
        return texts.stream().noneMatch(this::isPredicted);
    }

    /// The number of rows of a submission.
    public int rows() {
        return places.size();
    }

    private static boolean isMissing(String value) {
        return value.isEmpty() || value.equalsIgnoreCase("nan");
    }

    /// Compares a submission, and closes it.
    ///
    /// @param what it is called in messages
    /// @param kept whether the row of an id is kept
    /// @return those rows, with all problems of the submission
    /// @throws io.mlestar.core.base.Invalid if it is no table
    public Table read(String what, InputStream submission, Predicate<String> kept) {
        ComparedRows compared = new ComparedRows(kept);
        List<String> given = Table.rows(what, submission, format.delimiter(), format.keys(),
                compared.lines, header::equals, compared::take).header();
        return new Table(
                what, given, format, compared.rows, given.equals(header)
                        ? compared.problems()
                        : List.of(
                                "the header is " + shown(given) + "; it must be " + shown(header)),
                shown);
    }

    private String shown(List<String> header) {
        return Excerpt.line(String.join(String.valueOf(format.delimiter()), header), 120);
    }

    /// One submission, row by row.
    private final class ComparedRows {
        private final Predicate<String> kept;
        private final Map<String, CsvRecord> rows = new LinkedHashMap<>();
        private final Table.Problems lines = new Table.Problems();
        private final Table.Problems unknown = new Table.Problems();
        private final Table.Problems values = new Table.Problems();
        private final BitSet seen = new BitSet();
        private final int most =
                (int) Math.min(Integer.MAX_VALUE - 1, 2L * (places.size() + further.size()) + MORE);
        private final Set<String> seenFurther = new HashSet<>();
        private int count;

        ComparedRows(Predicate<String> kept) {
            this.kept = kept;
        }

        /// Two forms of one text look the same, and are two ids.
        private static String shown(String id) {
            return Excerpt.line(id, 40) + (Normalizer.isNormalized(id, Normalizer.Form.NFC)
                    ? ""
                    : " (with accents apart, not in Unicode's form NFC)");
        }

        /// @return whether to go on
        boolean take(String id, CsvRecord row) {
            Integer place = places.get(id);
            if (place == null && further.contains(id)) {
                takeFurther(id, row);
            } else if (place == null) {
                unknown.add("id is not in the sample submission",
                        "ids are not in the sample submission",
                        shown(id) + " in " + Table.line(row));
            } else if (seen.get(place)) {
                lines.repeated(id, row);
            } else {
                seen.set(place);
                if (kept.test(id)) {
                    rows.put(id, row);
                }
            }
            for (int column = 0; column < header.size(); column++) {
                if (!isPredicted(column)) {
                    continue;
                }
                String value = row.getField(column).strip();
                boolean good = texts.get(column)
                        ? gaps.get(column) || !isMissing(value)
                        : Double.isFinite(
                                Submissions.number(Submissions.plain(value, format.delimiter())));
                if (!good) {
                    String name = Excerpt.line(header.get(column), 40);
                    values.add("value of " + name
                            + (texts.get(column) ? " is missing" : " is not a finite number"),
                            "values of " + name
                                    + (texts.get(column)
                                            ? " are missing"
                                            : " are not finite numbers"),
                            "\"" + Excerpt.line(value, 40) + "\" in " + Table.line(row));
                }
            }
            return ++count <= most;
        }

        private void takeFurther(String id, CsvRecord row) {
            if (!seenFurther.add(id)) {
                lines.repeated(id, row);
            } else if (kept.test(id)) {
                rows.put(id, row);
            }
        }

        /// The problems, one sentence each.
        List<String> problems() {
            int wanted = places.size() + (seenFurther.isEmpty() ? 0 : further.size());
            if (count > most) {
                return List.of("there are more than " + most + " rows; there must be " + wanted);
            }
            Table.Problems missing = new Table.Problems();
            places.forEach((id, place) -> {
                if (!seen.get(place)) {
                    missing.add("id is missing", "ids are missing", shown(id));
                }
            });
            if (!seenFurther.isEmpty()) {
                further.stream()
                        .filter(id -> !seenFurther.contains(id))
                        .sorted()
                        .forEach(id -> missing.add("id of the test table is missing",
                                "ids of the test table are missing", Excerpt.line(id, 40)));
            }
            List<String> found = new ArrayList<>(lines.sentences());
            found.removeAll(uneven.sentences());
            if (count != wanted) {
                found.add("rows: " + count + "; there must be " + wanted);
            }
            List.of(missing, unknown, values).forEach(kind -> found.addAll(kind.sentences()));
            return found;
        }
    }
}
