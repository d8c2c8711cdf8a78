package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.TableFormat;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/// The text of a table as people write it: plain, in gzip or alone in a zip archive, in UTF-8,
/// UTF-16 or Windows-1252, with one of the usual delimiters. The data card
/// (`survey/card-tables.py`) goes by the same rules.
///
/// @param charset its encoding
/// @param delimiter the one that cuts the first lines into as many fields as the very first
record TableText(BufferedReader text, Charset charset, char delimiter) implements Closeable {
    private static final int HEAD = 1 << 16;
    private static final int LONGEST_CHARACTER = 4;
    private static final Charset WINDOWS = Charset.forName("windows-1252");
    /// The most characters of a field: of a file without line ends memory holds so much.
    private static final int LONGEST_FIELD = 4 << 20;

    /// Closes the stream if it fails.
    ///
    /// @throws Invalid if it is no text
    static TableText of(String what, InputStream packed) throws IOException {
        try {
            InputStream bytes =
                    new BufferedInputStream(unpacked(what, new BufferedInputStream(packed)), HEAD);
            bytes.mark(HEAD);
            byte[] head = bytes.readNBytes(HEAD);
            bytes.reset();
            Charset charset = charset(what, head);
            BufferedReader text = new BufferedReader(new InputStreamReader(bytes, charset), HEAD);
            text.mark(HEAD);
            if (text.read() != '\uFEFF') {
                text.reset();
            }
            return new TableText(text, charset, delimiter(head(text)));
        } catch (IOException | RuntimeException e) {
            packed.close();
            throw e;
        }
    }

    private static InputStream unpacked(String what, InputStream file) throws IOException {
        return switch (Packing.of(file)) {
            case PLAIN -> file;
            case GZIP -> new GZIPInputStream(file);
            case ZIP -> {
                ZipInputStream zip = zip(file);
                entry(what, zip);
                yield zip;
            }
        };
    }

    private enum Packing {
        PLAIN, GZIP, ZIP;

        static Packing of(InputStream file) throws IOException {
            file.mark(4);
            String magic = new String(file.readNBytes(4), StandardCharsets.ISO_8859_1);
            file.reset();
            if (magic.startsWith("\u001f\u008b")) {
                return GZIP;
            }
            return magic.equals("PK\u0003\u0004") ? ZIP : PLAIN;
        }
    }

    /// Names in any code page.
    private static ZipInputStream zip(InputStream file) {
        return new ZipInputStream(file, StandardCharsets.ISO_8859_1);
    }

    private static String entry(String what, ZipInputStream zip) throws IOException {
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            if (!entry.isDirectory() && !entry.getName().startsWith("__MACOSX/")) {
                return entry.getName();
            }
        }
        throw new Invalid(what + " is an archive without a file");
    }

    /// Opens a file for another table that is packed and encoded as this one.
    ///
    /// @throws Invalid if that is no table
    static Writer writer(String what, Path like, Path to) throws IOException {
        Charset charset;
        try (TableText text = of(what, Table.open(what, like))) {
            charset = text.charset();
        }
        try (InputStream file = new BufferedInputStream(Files.newInputStream(like))) {
            OutputStream packed = switch (Packing.of(file)) {
                case PLAIN -> new BufferedOutputStream(Files.newOutputStream(to));
                case GZIP -> new GZIPOutputStream(Files.newOutputStream(to));
                case ZIP -> {
                    String name = entry(what, zip(file));
                    ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(to),
                            StandardCharsets.ISO_8859_1);
                    zip.putNextEntry(new ZipEntry(name));
                    yield zip;
                }
            };
            // Fails at a character that the encoding cannot say.
            return new OutputStreamWriter(packed, charset.newEncoder());
        }
    }

    private static Charset charset(String what, byte[] head) {
        if (head.length > 1 && (head[0] == (byte) 0xfe && head[1] == (byte) 0xff
                || head[0] == (byte) 0xff && head[1] == (byte) 0xfe)) {
            return StandardCharsets.UTF_16;
        }
        int odd = zeros(head, 1);
        int even = zeros(head, 0);
        if (3 * Math.max(odd, even) > head.length / 2 && 9 * Math.min(odd, even) < head.length) {
            return odd > even ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_16BE;
        }
        long controls = IntStream.range(0, head.length)
                .filter(i -> head[i] >= 0 && head[i] < ' '
                        && "\0\t\n\f\r\u001a".indexOf(head[i]) < 0)
                .count();
        if (20 * controls > head.length || head.length > 0 && odd + even == head.length) {
            throw new Invalid(what + " is no text");
        }
        CharBuffer decoded = CharBuffer.allocate(head.length);
        ByteBuffer undecoded = ByteBuffer.wrap(head);
        CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(undecoded, decoded, false);
        boolean isCut = undecoded.remaining() < LONGEST_CHARACTER && head.length == HEAD;
        return result.isMalformed() && !isCut || undecoded.hasRemaining() && head.length < HEAD
                ? WINDOWS
                : StandardCharsets.UTF_8;
    }

    private static int zeros(byte[] head, int from) {
        return (int) IntStream.iterate(from, i -> i < head.length, i -> i + 2)
                .filter(i -> head[i] == 0)
                .count();
    }

    /// The first characters, which stay to be read.
    private static String head(BufferedReader text) throws IOException {
        char[] head = new char[HEAD];
        text.mark(HEAD);
        int length = 0;
        for (int read = text.read(head); read > 0; read = text.read(head, length, HEAD - length)) {
            length += read;
        }
        text.reset();
        return new String(head, 0, length);
    }

    static char delimiter(String head) {
        char best = ',';
        double most = 0;
        for (char delimiter : TableFormat.DELIMITERS.toCharArray()) {
            List<Integer> widths = widths(head, delimiter);
            if (!widths.isEmpty() && widths.getFirst() > 1) {
                double fits = widths.stream().filter(widths.getFirst()::equals).count()
                        / (double) widths.size();
                // A delimiter that fits most lines is before all that do not.
                double worth = (fits > 0.8 ? HEAD : 0) + fits * widths.getFirst();
                if (worth > most) {
                    best = delimiter;
                    most = worth;
                }
            }
        }
        return best;
    }

    /// The numbers of fields in the first lines.
    private static List<Integer> widths(String head, char delimiter) {
        List<Integer> widths = new ArrayList<>();
        reader(delimiter).ofCsvRecord(head).forEach(line -> widths.add(line.getFieldCount()));
        if (widths.size() > 2 && head.length() == HEAD) {
            widths.removeLast();
        }
        return widths;
    }

    /// A quote within a field, or text behind a closing one, is text, as Python's `csv` and pandas
    /// take it.
    private static CsvReader.CsvReaderBuilder reader(char delimiter) {
        return CsvReader.builder()
                .fieldSeparator(delimiter)
                .skipEmptyLines(true)
                .allowExtraFields(true)
                .allowMissingFields(true)
                .allowExtraCharsAfterClosingQuote(true)
                .maxBufferSize(LONGEST_FIELD);
    }

    CsvReader<CsvRecord> lines(char cut) {
        return reader(cut).ofCsvRecord(text);
    }

    @Override
    public void close() throws IOException {
        text.close();
    }
}
