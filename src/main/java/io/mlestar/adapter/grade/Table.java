package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.TableFormat;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// A table of text, whose rows are named by their first columns, or by their places.
///
/// @param what it is called in messages
/// @param rows by id; of rows with one id the first
/// @param problems lines that cannot be used, one sentence each
/// @param shown columns that say what a row is about, where its place names it; empty if that is
///   not known
public record Table(
        String what,
        List<String> header,
        TableFormat format,
        Map<String, CsvRecord> rows,
        List<String> problems,
        Set<String> shown) {
    /// In place of a delimiter: the one that the first lines show.
    static final char DETECTED = 0;
    private static final long LARGEST = 512L << 20;

    /// @param keys how many leading columns name a row; 0: its place
    /// @throws Invalid if the file is missing, too large, or no table
    public static Table read(String what, Path file, int keys) {
        return of(what + " " + file, open(what + " " + file, file), keys);
    }

    /// @param what the file is called in messages
    /// @throws Invalid if the file is missing, too large, or cannot be read
    public static InputStream open(String what, Path file) {
        try {
            if (Files.size(Invalid.file(what, file)) > LARGEST) {
                throw new Invalid(what + " is larger than 512 MB");
            }
            return Files.newInputStream(file);
        } catch (NoSuchFileException e) {
            throw new Invalid(what + " does not exist");
        } catch (IOException e) {
            throw new Invalid(what + " cannot be read: " + Invalid.reason(e));
        }
    }

    /// @param keys how many leading columns name a row; 0: its place
    /// @throws Invalid if it is no table
    public static Table of(String what, byte[] csv, int keys) {
        return of(what, new ByteArrayInputStream(csv), keys);
    }

    /// @throws Invalid if it is no table
    public static Table of(String what, byte[] csv, TableFormat format) {
        return of(what, new ByteArrayInputStream(csv), format.delimiter(), format.keys(),
                _ -> true);
    }

    /// Reads all rows, by the delimiter that the first lines show. Closes the stream.
    static Table of(String what, InputStream csv, int keys) {
        return of(what, csv, DETECTED, keys, _ -> true);
    }

    /// Closes the stream.
    ///
    /// @param delimiter or [#DETECTED]
    /// @param keys how many leading columns name a row; 0: its place
    /// @param kept whether the row of an id is kept
    /// @throws Invalid if it is no table
    static Table of(
            String what,
            InputStream csv,
            char delimiter,
            int keys,
            Predicate<String> kept) {
        Map<String, CsvRecord> rows = new LinkedHashMap<>();
        Problems problems = new Problems();
        TableHead read = rows(what, csv, delimiter, keys, problems, _ -> true, (id, row) -> {
            if (kept.test(id) && rows.putIfAbsent(id, row) != null) {
                problems.repeated(id, row);
            }
            return true;
        });
        return new Table(what, read.header(), new TableFormat(read.delimiter(), '.', keys), rows,
                problems.sentences(), Set.of());
    }

    /// @param delimiter by which the lines were cut
    record TableHead(List<String> header, char delimiter) {}

    /// Goes through the rows that have as many fields as the header. Closes the stream.
    ///
    /// @param delimiter or [#DETECTED]
    /// @param keys how many leading columns name a row; 0: its place
    /// @param problems counts the other rows
    /// @param begin whether to go on after the header
    /// @param each whether to go on after a row, with its id
    /// @throws Invalid if it is no table
    static TableHead rows(
            String what,
            InputStream csv,
            char delimiter,
            int keys,
            Problems problems,
            Predicate<List<String>> begin,
            BiPredicate<String, CsvRecord> each) {
        List<String> header = new ArrayList<>();
        int[] place = {0};
        char cut = lines(what, csv, delimiter, line -> {
            if (header.isEmpty()) {
                line.getFields().forEach(field -> header.add(field.strip()));
                return begin.test(header);
            }
            place[0]++;
            return problems.isUneven(line, header) || each.test(id(line, keys, place[0]), line);
        });
        if (header.isEmpty()) {
            throw new Invalid(what + " is empty");
        }
        return new TableHead(List.copyOf(header), cut);
    }

    /// Reads the header alone, by the delimiter that the first lines show. Closes the stream.
    ///
    /// @throws Invalid if it is no table
    static TableHead head(String what, InputStream csv) {
        return rows(what, csv, DETECTED, 1, new Problems(), _ -> false, (_, _) -> false);
    }

    private static String id(CsvRecord row, int keys, int place) {
        return switch (keys) {
            case 0 -> String.valueOf(place);
            case 1 -> row.getField(0);
            default -> row.getFields().stream().limit(keys).collect(Collectors.joining(", "));
        };
    }

    /// Goes through the lines of a table, the header first, without the empty ones. Closes the
    /// stream.
    ///
    /// @param delimiter or [#DETECTED]
    /// @param each whether to go on
    /// @return the delimiter by which they were cut
    /// @throws Invalid if it is no text, or too long
    static char lines(
            String what,
            InputStream csv,
            char delimiter,
            Predicate<CsvRecord> each) {
        try (TableText text = TableText.of(what, csv)) {
            char cut = delimiter == DETECTED ? text.delimiter() : delimiter;
            long length = 0;
            try (CsvReader<CsvRecord> lines = text.lines(cut)) {
                for (CsvRecord line : lines) {
                    length += line.getFields().stream().mapToLong(String::length).sum();
                    if (length > LARGEST) {
                        throw new Invalid(what + " is larger than 512 MB");
                    }
                    if (!each.test(line)) {
                        break;
                    }
                }
            }
            return cut;
        } catch (CsvParseException e) {
            throw new Invalid(what + " is not valid CSV: " + e.getMessage());
        } catch (UncheckedIOException e) {
            throw new Invalid(what + " cannot be read: "
                    + Invalid.reason(Objects.requireNonNull(e.getCause())));
        } catch (IOException e) {
            throw new Invalid(what + " cannot be read: " + Invalid.reason(e));
        }
    }

    /// The values of a column; none if the table has no such column.
    static Set<String> ids(String what, Path file, String column) {
        Set<String> ids = new HashSet<>();
        int[] place = {-1};
        rows(what, open(what, file), DETECTED, 1, new Problems(), header -> {
            place[0] = header.indexOf(column);
            return place[0] >= 0;
        }, (_, row) -> {
            ids.add(row.getField(place[0]));
            return true;
        });
        return ids;
    }

    /// The names of a table's columns.
    static List<String> columnsOf(String what, Path file) {
        return head(what, open(what, file)).header();
    }

    /// @throws Invalid with the first problem, if there is one
    void check(String before) {
        problems.stream().findFirst().ifPresent(problem -> {
            throw new Invalid(before + problem);
        });
    }

    /// Place of a column; -1 if there is none.
    int column(String name) {
        return header.indexOf(name);
    }

    /// The same without its last columns.
    Table withoutLast(int count) {
        return new Table(what, header.subList(0, header.size() - count), format, rows, problems,
                shown);
    }

    /// The columns that hold values, not names of rows.
    List<String> columns() {
        return shown.isEmpty()
                ? header.subList(firstValue(), header.size())
                : header.stream().filter(name -> !shown.contains(name)).toList();
    }

    int firstValue() {
        return format.firstValue(header.size());
    }

    /// Gives `1`, `1.0`, `True` and, where fields may hold decimal commas, `1,0` one form.
    String label(CsvRecord row, int column) {
        return Grading.label(Submissions.plain(row.getField(column), format.delimiter()));
    }

    /// NaN if the field is no number.
    double number(CsvRecord row, int column) {
        return Submissions.number(label(row, column));
    }

    static String line(CsvRecord row) {
        return "line " + row.getStartingLineNumber();
    }

    /// Counts the problems of each kind and keeps the first example.
    static final class Problems {
        private record Wording(String one, String many) {}

        private final Map<Wording, String> first = new LinkedHashMap<>();
        private final Map<Wording, Integer> counts = new HashMap<>();

        /// @param one what follows the number 1
        /// @param many what follows any other number
        void add(String one, String many, String example) {
            Wording kind = new Wording(one, many);
            first.putIfAbsent(kind, example);
            counts.merge(kind, 1, Integer::sum);
        }

        /// True if the line has more or fewer fields than the header: notes that as a problem.
        boolean isUneven(CsvRecord line, List<String> header) {
            boolean uneven = line.getFieldCount() != header.size();
            if (uneven) {
                String fields = " with another number of fields than the header's " + header.size();
                add("line" + fields, "lines" + fields,
                        line(line) + " with " + line.getFieldCount());
            }
            return uneven;
        }

        void repeated(String id, CsvRecord row) {
            add("row repeats an id", "rows repeat an id",
                    "id " + Excerpt.line(id, 40) + " in " + line(row));
        }

        List<String> sentences() {
            return first.entrySet()
                    .stream()
                    .map(kind -> sentence(kind.getKey(), counts.getOrDefault(kind.getKey(), 0),
                            kind.getValue()))
                    .toList();
        }

        private static String sentence(Wording kind, int count, String example) {
            return count == 1
                    ? "1 " + kind.one() + ": " + example
                    : count + " " + kind.many() + "; the first: " + example;
        }
    }
}
