package io.mlestar.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.Sha256;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/// A record as it lies in a store: a JSON object whose last fields are `program`, which says who wrote it, `format`, and `sha256`, the digest
/// of all bytes before that field. What a disk or a hand has changed is found when it is read, and people read it as before. A record
/// without these fields is taken as it is.
public final class Sealed {
    /// How records are written here. It grows when an older program would read one wrongly; a field more is no reason, since unknown ones
    /// are passed over.
    public static final int FORMAT = 1;
    private static final String PROGRAM = "program";
    private static final String FORMAT_FIELD = "format";
    private static final String FIELD = "\"sha256\":\"";
    private static final int DIGEST = 64;
    private static final int TAIL = FIELD.length() + DIGEST + 2;

    private Sealed() {}

    /// @param record what becomes a JSON object
    public static byte[] bytes(Object record) {
        return bytes(record, ProgramVersion.HERE.toString(), FORMAT);
    }

    /// As another program writes it.
    static byte[] bytes(Object record, String program, int format) {
        byte[] json = Json.bytes(record);
        ByteArrayOutputStream sealed = new ByteArrayOutputStream(json.length + 2 * TAIL);
        sealed.write(json, 0, json.length - 1);
        if (json.length > 2) {
            sealed.write(',');
        }
        sealed.writeBytes(("\"" + PROGRAM + "\":" + Json.line(program) + ",\"" + FORMAT_FIELD + "\":" + format + ",")
                .getBytes(StandardCharsets.UTF_8));
        byte[] content = sealed.toByteArray();
        sealed.writeBytes((FIELD + digest(content, content.length) + "\"}").getBytes(StandardCharsets.UTF_8));
        return sealed.toByteArray();
    }

    /// @throws DamagedRecord unless it is a JSON object, and the one that was written
    /// @throws NewerRecord if only a newer program can make sense of it
    public static JsonNode read(String key, byte[] bytes) {
        JsonNode json;
        try {
            json = Json.parse(new String(bytes, StandardCharsets.UTF_8));
        } catch (Invalid e) {
            throw new DamagedRecord(key, e.getMessage());
        }
        if (!json.isObject()) {
            throw new DamagedRecord(key, "not a JSON object");
        }
        int end = bytes.length - TAIL;
        String tail = end < 0 ? "" : new String(bytes, end, TAIL, StandardCharsets.ISO_8859_1);
        if (tail.startsWith(FIELD) && !tail.equals(FIELD + digest(bytes, end) + "\"}")) {
            throw new DamagedRecord(key, "it is not what was written (sha256)");
        }
        int format = json.path(FORMAT_FIELD).asInt(FORMAT);
        if (format > FORMAT) {
            throw new NewerRecord(key, program(json), format);
        }
        return json;
    }

    /// Who wrote a record; empty if it does not say.
    public static String program(JsonNode record) {
        return record.path(PROGRAM).asText("");
    }

    private static String digest(byte[] content, int length) {
        MessageDigest digest = Sha256.digest();
        digest.update(content, 0, length);
        return HexFormat.of().formatHex(digest.digest());
    }
}
