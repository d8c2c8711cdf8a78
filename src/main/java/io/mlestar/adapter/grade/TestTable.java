package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.TableFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The table that a task's scripts predict, and what its rows have to be like.
///
/// @param header as it stands in the file
/// @param columns their names, without spaces around
/// @param format of its fields; its number of keys means nothing
/// @param keys places of the columns that name a row of the submission; none if its place does, or
///   nothing shows the form
/// @param numbers places of the columns that hold nothing but numbers
record TestTable(
        Path file,
        List<String> header,
        List<String> columns,
        TableFormat format,
        List<Integer> keys,
        BitSet numbers) {
    /// Texts that pandas reads as a missing value, in small letters.
    private static final Set<String> MISSING =
            Set.of("", "na", "n/a", "nan", "null", "none", "<na>", "#n/a", "#na", "-nan");

    /// @param form of the submissions; empty without a sample
    /// @throws Invalid if it is no table, or the sample's rows are not its rows
    static TestTable of(Path file, Optional<SubmissionForm> form) {
        Scan scan = new Scan(file, form);
        return new TestTable(file, scan.header, scan.columns,
                new TableFormat(scan.delimiter, scan.commas ? ',' : '.', 0), scan.keys,
                scan.numbers);
    }

    String name() {
        return file.getFileName().toString();
    }

    static boolean isMissing(String value) {
        return MISSING.contains(value.strip().toLowerCase(Locale.ROOT));
    }

    /// True if a value can stand in a column of numbers.
    static boolean isNumber(String value, char delimiter) {
        return isMissing(value)
                || Double.isFinite(Submissions.number(Submissions.plain(value, delimiter)));
    }

    static String id(CsvRecord row, List<Integer> keys) {
        return keys.stream().map(row::getField).collect(Collectors.joining(", "));
    }

    private static final class Scan {
        private final List<String> header = new ArrayList<>();
        private final List<String> columns = new ArrayList<>();
        private final List<String> ids = new ArrayList<>();
        private final BitSet numbers = new BitSet();
        private final BitSet seen = new BitSet();
        private final char delimiter;
        private final List<Integer> keys;
        private boolean commas;
        private int rows;

        Scan(Path file, Optional<SubmissionForm> form) {
            String what = String.valueOf(file.getFileName());
            List<Integer> likely = new ArrayList<>();
            Table.Problems uneven = new Table.Problems();
            this.delimiter = Table.head(what, Table.open(what, file)).delimiter();
            Table.lines(what, Table.open(what, file), delimiter, line -> {
                if (header.isEmpty()) {
                    header.addAll(line.getFields());
                    header.forEach(name -> columns.add(name.strip()));
                    numbers.set(0, header.size());
                    form.ifPresent(known -> likely.addAll(likelyKeys(known)));
                } else if (!uneven.isUneven(line, header)) {
                    take(line, likely);
                }
                return true;
            });
            numbers.and(seen);
            this.keys = form.isPresent() ? keys(what, form.get(), likely) : List.of();
            numbers.andNot(keys.stream().collect(BitSet::new, BitSet::set, BitSet::or));
        }

        /// The columns of the sample's names; else the first one, under another name.
        private List<Integer> likelyKeys(SubmissionForm form) {
            List<Integer> named = form.header()
                    .stream()
                    .limit(form.format().keys())
                    .map(columns::indexOf)
                    .toList();
            if (!named.contains(-1)) {
                return named;
            }
            return named.size() == 1 ? List.of(0) : List.of();
        }

        private void take(CsvRecord row, List<Integer> likely) {
            rows++;
            if (!likely.isEmpty()) {
                ids.add(id(row, likely));
            }
            for (int column = 0; column < header.size(); column++) {
                String value = row.getField(column).strip();
                if (!isMissing(value)) {
                    seen.set(column);
                    commas |= !Submissions.plain(value, delimiter).equals(value);
                    numbers.set(column, numbers.get(column) && isNumber(value, delimiter));
                }
            }
        }

        private List<Integer> keys(String what, SubmissionForm form, List<Integer> likely) {
            if (!likely.isEmpty() && ids.size() == form.rows()
                    && new HashSet<>(ids).equals(form.ids())) {
                return likely;
            }
            boolean isByPlace = form.format().keys() == 0
                    || NumberedIds.counted(List.copyOf(form.ids())).isPresent();
            if (form.rows() == rows && isByPlace) {
                return List.of();
            }
            throw new Invalid("the rows of the sample submission are not those of " + what + ", by "
                    + form.header()
                            .stream()
                            .limit(Math.max(1, form.format().keys()))
                            .collect(Collectors.joining(", "))
                    + ": new rows of that table do not say what is to be submitted");
        }
    }
}
