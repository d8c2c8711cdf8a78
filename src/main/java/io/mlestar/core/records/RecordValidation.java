package io.mlestar.core.records;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.phase.Phases;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.DamagedRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a record of a run must hold, whatever else a newer program may write into it.
public final class RecordValidation {
    private RecordValidation() {}

    /// Reads a header, a request or a result.
    ///
    /// @throws DamagedRecord naming what is wrong or missing
    public static <T> T read(String key, byte[] bytes, Class<T> type) {
        return DamagedRecord.unlessRead(key, () -> {
            T record = Json.read(sealed(key, bytes), type);
            check(key, record);
            return record;
        });
    }

    /// Other services may do single steps, and need not seal what came back.
    public static JsonNode sealed(String key, byte[] bytes) {
        return key.contains("/steps/") && key.endsWith(Records.RESULT) ? ChecksummedJson.readForeign(key, bytes) : ChecksummedJson.read(key, bytes);
    }

    private static void check(String key, Object record) {
        Map<String, Object> needed = new LinkedHashMap<>();
        switch (record) {
            case RunHeader header -> {
                needed.put("task", header.task());
                needed.put("config", header.config());
                needed.put("prompts_digest", header.promptsDigest());
                needed.put("started_at", header.startedAt());
                needed.put("deadline", header.deadline());
            }
            case StepRequest request -> {
                needed.put("work", isKnown(request.work()) ? request.work() : null);
                needed.put("input", request.input());
                needed.put("asked_at", request.askedAt());
                needed.put("deadline", request.deadline());
            }
            // All that looks at a run reads it.
            case StepResult.Done done when key.endsWith("/" + RunMarks.RESULT) -> done.of(new Pipeline());
            default -> {}
        }
        needed.forEach((field, value) -> {
            if (value == null) {
                throw new DamagedRecord(key, field + " is missing or unknown");
            }
        });
    }

    private static boolean isKnown(@Nullable String work) {
        return work != null && (work.equals(StepRequest.SCRIPT) || work.startsWith(StepRequest.AGENT)
                || work.startsWith(StepRequest.PHASE) && Phases.BY_KIND.containsKey(work.substring(StepRequest.PHASE.length())));
    }
}
