package io.mlestar.adapter.tool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Tells text from binary by the first bytes of a file.
final class FileKind {
    private static final int LOOKED_AT = 8192;
    private static final Map<String, String> STARTS = starts();

    private FileKind() {}

    private static Map<String, String> starts() {
        Map<String, String> starts = new LinkedHashMap<>();
        starts.put("\u0089PNG", "PNG image");
        starts.put("\u00ff\u00d8\u00ff", "JPEG image");
        starts.put("GIF8", "GIF image");
        starts.put("RIFF", "RIFF (WAV, WebP or AVI)");
        starts.put("PK\u0003\u0004", "ZIP archive (or npz, xlsx, PyTorch)");
        starts.put("\u001f\u008b", "gzip");
        starts.put("PAR1", "Parquet table");
        starts.put("\u0089HDF", "HDF5");
        starts.put("\u0093NUMPY", "NumPy array");
        starts.put("\u0080\u0004", "Python pickle");
        starts.put("\u0080\u0005", "Python pickle");
        starts.put("%PDF", "PDF");
        starts.put("\u007fELF", "ELF program");
        starts.put("SQLite format 3", "SQLite database");
        starts.put("\u00ff\u00fe", "UTF-16 text");
        starts.put("\u00fe\u00ff", "UTF-16 text");
        return starts;
    }

    /// What kind of binary the file is; empty if it is text that can be shown.
    static Optional<String> binary(Path file) throws IOException {
        byte[] start;
        try (InputStream in = Files.newInputStream(file)) {
            start = in.readNBytes(LOOKED_AT);
        }
        return isText(start) ? Optional.empty() : Optional.of(named(start));
    }

    private static String named(byte[] start) {
        String text = new String(start, StandardCharsets.ISO_8859_1);
        return STARTS.entrySet().stream().filter(kind -> text.startsWith(kind.getKey())).map(Map.Entry::getValue)
                .findFirst().orElse("unknown type");
    }

    /// No NUL, and hardly any control character; text in Latin-1 passes.
    static boolean isText(byte[] start) {
        int odd = 0;
        for (byte b : start) {
            if (b == 0) {
                return false;
            }
            odd += b > 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t' && b != '\f' && b != 0x1b ? 1 : 0;
        }
        String text = new String(start, StandardCharsets.ISO_8859_1);
        return odd * 50 <= start.length && STARTS.keySet().stream().filter(known -> known.charAt(0) > 0x7e || known.equals("%PDF"))
                .noneMatch(text::startsWith);
    }
}
