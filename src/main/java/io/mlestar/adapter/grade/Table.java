package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.nio.ByteBuffer;
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
import java.util.function.Consumer;

/// A CSV file whose first column names the rows.
///
/// @param what it is called in messages
/// @param rows by id; of rows with one id the first
/// @param problems lines that cannot be used, one sentence each
public record Table(String what, List<String> header, Map<String, CsvRecord> rows, List<String> problems) {
    private static final long LARGEST = 512L << 20;

    /// @throws Invalid if the file is missing, too large, or no CSV in UTF-8
    public static Table read(String what, Path file) {
        return of(what + " " + file, bytes(what, file));
    }

    static byte[] bytes(String what, Path file) {
        try {
            if (Files.size(file) > LARGEST) {
                throw new Invalid(what + " " + file + " is larger than 512 MB");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new Invalid("there is no file " + file);
        } catch (IOException e) {
            throw new Invalid(what + " " + file + " cannot be read: " + e.getMessage());
        }
    }

    /// @throws Invalid if it is no CSV in UTF-8
    public static Table of(String what, byte[] csv) {
        List<String> header = new ArrayList<>();
        Map<String, CsvRecord> rows = new LinkedHashMap<>();
        Problems problems = new Problems();
        lines(what, csv, line -> {
            if (header.isEmpty()) {
                line.getFields().forEach(field -> header.add(field.strip()));
            } else if (line.getFieldCount() != header.size()) {
                problems.add("lines with another number of fields than the header's " + header.size(), line(line) + " with " + line.getFieldCount());
            } else if (rows.putIfAbsent(line.getField(0), line) != null) {
                problems.add("rows repeat an id", "id " + Excerpt.line(line.getField(0), 40) + " in " + line(line));
            }
        });
        if (header.isEmpty()) {
            throw new Invalid(what + " is empty");
        }
        return new Table(what, List.copyOf(header), rows, problems.sentences());
    }

    /// Goes through the lines of a CSV file, the header first, without the empty ones.
    ///
    /// @throws Invalid if it is no CSV in UTF-8
    static void lines(String what, byte[] csv, Consumer<CsvRecord> each) {
        try (CsvReader<CsvRecord> reader = CsvReader.builder().skipEmptyLines(true).allowExtraFields(true)
                .allowMissingFields(true).ofCsvRecord(text(what, csv))) {
            reader.forEach(each);
        } catch (CsvParseException e) {
            throw new Invalid(what + " is not valid CSV: " + e.getMessage());
        } catch (IOException e) {
            throw new Invalid(what + " cannot be read: " + e.getMessage());
        }
    }

    private static String text(String what, byte[] csv) {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(csv)).toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new Invalid(what + " is not text in UTF-8");
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

        List<String> sentences() {
            return first.entrySet().stream().map(kind -> counts.get(kind.getKey()) + " " + kind.getKey() + "; the first: " + kind.getValue()).toList();
        }
    }
}
