package io.mlestar.core.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.ProgramVersion;
import io.mlestar.core.base.Sha256;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

/// A record as it lies in a store: a JSON object whose last fields are `program`, the program that
/// wrote it, `format`, and `sha256`, the digest of all bytes before that field. What a disk or a
/// hand has changed is found when it is read, and people read it as before.
public final class ChecksummedJson {
    /// The format in which this program writes records. It grows when an older program would read
    /// one wrongly; a new field is no reason, since unknown ones are passed over.
    public static final int FORMAT = 1;
    private static final String PROGRAM = "program";
    private static final String FORMAT_FIELD = "format";
    private static final String DIGEST = "sha256";
    private static final String FIELD = "\"" + DIGEST + "\":\"";
    private static final int DIGITS = 64;
    private static final int TAIL = FIELD.length() + DIGITS + 2;

    private ChecksummedJson() {}

    /// @param record what becomes a JSON object
    public static byte[] bytes(Object record) {
        return bytes(record, ProgramVersion.HERE.toString(), FORMAT);
    }

    /// The same as written by another program or in another format.
    static byte[] bytes(Object record, String program, int format) {
        return sealed(Json.bytes(record), "", program, format);
    }

    /// The same on many lines, for people.
    public static byte[] text(Object record) {
        return sealed(Json.text(record).getBytes(StandardCharsets.UTF_8), "\n",
                ProgramVersion.HERE.toString(), FORMAT);
    }

    /// @param end of a line
    private static byte[] sealed(byte[] json, String end, String program, int format) {
        ByteArrayOutputStream sealed = new ByteArrayOutputStream(json.length + 2 * TAIL);
        sealed.write(json, 0, json.length - 1 - end.length());
        if (json.length > 2) {
            sealed.write(',');
        }
        sealed.writeBytes(end.getBytes(StandardCharsets.UTF_8));
        sealed.writeBytes(("\"" + PROGRAM + "\":" + Json.line(program) + ",\"" + FORMAT_FIELD
                + "\":" + format + ",").getBytes(StandardCharsets.UTF_8));
        byte[] content = sealed.toByteArray();
        sealed.writeBytes(
                (FIELD + digest(content, content.length) + "\"}").getBytes(StandardCharsets.UTF_8));
        return sealed.toByteArray();
    }

    /// Reads a record; empty if there is none of that key.
    ///
    /// @throws DamagedRecord whatever is wrong with it
    /// @throws NewerRecord if only a newer program can make sense of it
    public static <T> Optional<T> read(Store store, String key, Class<T> type) {
        return store.read(key)
                .map(bytes -> DamagedRecord.unlessRead(key,
                        () -> Json.read(read(key, bytes), type)));
    }

    /// @throws DamagedRecord unless it is a JSON object, and the one that was written
    /// @throws NewerRecord if only a newer program can make sense of it
    public static JsonNode read(String key, byte[] bytes) {
        return read(key, bytes, true);
    }

    /// Reads a record as [#read] does, but accepts one without a checksum, since another service
    /// may have written it.
    public static JsonNode readForeign(String key, byte[] bytes) {
        return read(key, bytes, false);
    }

    private static JsonNode read(String key, byte[] bytes, boolean isOurs) {
        JsonNode json = DamagedRecord.unlessRead(key,
                () -> Json.parse(new String(bytes, StandardCharsets.UTF_8)));
        if (!json.isObject()) {
            throw new DamagedRecord(key, "not a JSON object");
        }
        int end = bytes.length - TAIL;
        String tail = end < 0 ? "" : new String(bytes, end, TAIL, StandardCharsets.ISO_8859_1);
        boolean isSealed = tail.startsWith(FIELD);
        if (isSealed && !tail.equals(FIELD + digest(bytes, end) + "\"}")) {
            throw new DamagedRecord(key, "it is not what was written (sha256)");
        }
        JsonNode format = json.path(FORMAT_FIELD);
        if (format.asDouble(FORMAT) > FORMAT) {
            throw new NewerRecord(key, program(json), format.asText());
        }
        if (isOurs && !isSealed) {
            throw new DamagedRecord(key, "its digest is missing (sha256)");
        }
        return json;
    }

    /// The program that wrote a record; empty if the record does not say.
    public static String program(JsonNode record) {
        return record.path(PROGRAM).asText("");
    }

    private static String digest(byte[] content, int length) {
        MessageDigest digest = Sha256.digest();
        digest.update(content, 0, length);
        return HexFormat.of().formatHex(digest.digest());
    }
}
