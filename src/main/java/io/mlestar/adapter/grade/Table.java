package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// A CSV file whose first column names the rows.
///
/// @param what it is called in messages
/// @param rows by id; of rows with one id the first
/// @param problems lines that cannot be used, one sentence each
public record Table(String what, List<String> header, Map<String, CsvRecord> rows, List<String> problems) {
    private static final long LARGEST = 512L << 20;
    /// In characters; of a file without line ends memory holds so much.
    private static final int LONGEST_FIELD = 4 << 20;

    /// @throws Invalid if the file is missing, too large, or no CSV in UTF-8
    public static Table read(String what, Path file) {
        return of(what + " " + file, open(what + " " + file, file), _ -> true);
    }

    /// @param what the file is called in messages
    /// @throws Invalid if the file is missing, too large, or cannot be read
    public static InputStream open(String what, Path file) {
        try {
            if (Files.size(file) > LARGEST) {
                throw new Invalid(what + " is larger than 512 MB");
            }
            return Files.newInputStream(file);
        } catch (NoSuchFileException e) {
            throw new Invalid(what + " does not exist");
        } catch (IOException e) {
            throw new Invalid(what + " cannot be read");
        }
    }

    /// @throws Invalid if it is no CSV in UTF-8
    public static Table of(String what, byte[] csv) {
        return of(what, new ByteArrayInputStream(csv), _ -> true);
    }

    /// Closes the stream.
    ///
    /// @param kept whether the row of an id is kept
    /// @throws Invalid if it is no CSV in UTF-8
    static Table of(String what, InputStream csv, Predicate<String> kept) {
        Map<String, CsvRecord> rows = new LinkedHashMap<>();
        Problems problems = new Problems();
        List<String> header = rows(what, csv, problems, _ -> true, row -> {
            if (kept.test(row.getField(0)) && rows.putIfAbsent(row.getField(0), row) != null) {
                problems.repeated(row);
            }
            return true;
        });
        return new Table(what, header, rows, problems.sentences());
    }

    /// Goes through the rows that have as many fields as the header. Closes the stream.
    ///
    /// @param problems counts the others
    /// @param begin whether to go on after the header
    /// @param each whether to go on after a row
    /// @return the header
    /// @throws Invalid if it is no CSV in UTF-8
    static List<String> rows(String what, InputStream csv, Problems problems, Predicate<List<String>> begin, Predicate<CsvRecord> each) {
        List<String> header = new ArrayList<>();
        lines(what, csv, line -> {
            if (header.isEmpty()) {
                line.getFields().forEach(field -> header.add(field.strip()));
                return begin.test(header);
            }
            return problems.isUneven(line, header) || each.test(line);
        });
        if (header.isEmpty()) {
            throw new Invalid(what + " is empty");
        }
        return List.copyOf(header);
    }

    /// Goes through the lines of a CSV file, the header first, without the empty ones. Closes the stream.
    ///
    /// @param each whether to go on
    /// @throws Invalid if it is no CSV in UTF-8
    static void lines(String what, InputStream csv, Predicate<CsvRecord> each) {
        try (BufferedReader text = new BufferedReader(new InputStreamReader(csv, StandardCharsets.UTF_8.newDecoder()))) {
            skipByteOrderMark(text);
            try (CsvReader<CsvRecord> reader = CsvReader.builder().skipEmptyLines(true).allowExtraFields(true).allowMissingFields(true)
                    .maxBufferSize(LONGEST_FIELD).ofCsvRecord(text)) {
                for (CsvRecord line : reader) {
                    if (!each.test(line)) {
                        return;
                    }
                }
            }
        } catch (CsvParseException e) {
            throw new Invalid(what + " is not valid CSV: " + e.getMessage());
        } catch (UncheckedIOException | IOException e) {
            throw new Invalid(what + (e instanceof CharacterCodingException || e.getCause() instanceof CharacterCodingException ? " is not text in UTF-8"
                    : " cannot be read"));
        }
    }

    private static void skipByteOrderMark(BufferedReader text) throws IOException {
        text.mark(1);
        if (text.read() != '\uFEFF') {
            text.reset();
        }
    }

    /// Place of a column; -1 if there is none.
    int column(String name) {
        return header.indexOf(name);
    }

    static String line(CsvRecord row) {
        return "line " + row.getStartingLineNumber();
    }

    /// Counts the problems of each kind and keeps the first example.
    static final class Problems {
        private final Map<String, String> first = new LinkedHashMap<>();
        private final Map<String, Integer> counts = new HashMap<>();

        void add(String kind, String example) {
            first.putIfAbsent(kind, example);
            counts.merge(kind, 1, Integer::sum);
        }

        /// Whether the line has another number of fields than the header.
        boolean isUneven(CsvRecord line, List<String> header) {
            boolean uneven = line.getFieldCount() != header.size();
            if (uneven) {
                add("lines with another number of fields than the header's " + header.size(), line(line) + " with " + line.getFieldCount());
            }
            return uneven;
        }

        void repeated(CsvRecord row) {
            add("rows repeat an id", "id " + Excerpt.line(row.getField(0), 40) + " in " + line(row));
        }

        List<String> sentences() {
            return first.entrySet().stream().map(kind -> counts.get(kind.getKey()) + " " + kind.getKey() + "; the first: " + kind.getValue()).toList();
        }
    }
}
