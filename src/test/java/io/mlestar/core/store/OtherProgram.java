package io.mlestar.core.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import module java.base;

/// A store as another version of the program uses it: what is created bears that version's name and
/// format, and what it reads it knows, whichever of the two wrote it.
public final class OtherProgram extends ForwardingStore {
    public static final String NAME = "9.0.0+0ther";

    private final int format;

    public OtherProgram(Store inner, int format) {
        super(inner);
        this.format = format;
    }

    @Override
    public boolean create(String key, byte[] content) {
        return super.create(key, isRecord(key) ? resealed(content, NAME, format) : content);
    }

    @Override
    public Optional<byte[]> read(String key) {
        return super.read(key)
                .map(content -> isRecord(key)
                        ? resealed(content, ChecksummedJson.program(Json.parse(content)), ChecksummedJson.FORMAT)
                        : content);
    }

    private static boolean isRecord(String key) {
        return key.endsWith(".json");
    }

    private static byte[] resealed(byte[] content, String program, int format) {
        JsonNode record = Json.parse(content);
        return ChecksummedJson.bytes(((ObjectNode) record).remove(List.of("program", "format", "sha256")), program,
                format);
    }
}
