package io.mlestar.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.Sha256;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/// A record as it lies in a store: a JSON object whose last field, `sha256`, is the digest of all bytes before that field. What a disk or
/// a hand has changed is found when it is read, and people and older programs read it as before. A record of an older program has no
/// such field and is taken as it is.
public final class Sealed {
    private static final String FIELD = "\"sha256\":\"";
    private static final int DIGEST = 64;
    private static final int TAIL = FIELD.length() + DIGEST + 2;

    private Sealed() {}

    /// @param record what becomes a JSON object
    public static byte[] bytes(Object record) {
        byte[] json = Json.bytes(record);
        ByteArrayOutputStream sealed = new ByteArrayOutputStream(json.length + TAIL + 1);
        sealed.write(json, 0, json.length - 1);
        if (json.length > 2) {
            sealed.write(',');
        }
        byte[] content = sealed.toByteArray();
        sealed.writeBytes((FIELD + digest(content, content.length) + "\"}").getBytes(StandardCharsets.UTF_8));
        return sealed.toByteArray();
    }

    /// @throws DamagedRecord unless it is a JSON object, and the one that was written
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
        return json;
    }

    private static String digest(byte[] content, int length) {
        MessageDigest digest = Sha256.digest();
        digest.update(content, 0, length);
        return HexFormat.of().formatHex(digest.digest());
    }
}
