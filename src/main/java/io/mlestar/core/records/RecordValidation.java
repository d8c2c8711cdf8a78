package io.mlestar.core.records;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.DamagedRecord;

/// Reads the records of a run. A newer program may have written more fields than this one knows.
final class RecordValidation {
    private RecordValidation() {}

    /// Reads a header, a request or a result.
    ///
    /// @throws DamagedRecord naming what is wrong or missing
    static <T> T read(String key, byte[] bytes, Class<T> type) {
        return DamagedRecord.unlessRead(key, () -> {
            T record = Json.read(sealed(key, bytes), type);
            if (record instanceof StepRequest request && !request.isKnown()) {
                throw new Invalid("work is unknown: " + request.work());
            }
            if (record instanceof StepResult result
                    && result.ending() instanceof StepResult.Done done
                    && key.endsWith("/" + RunMarks.RESULT)) {
                // Every view of a run reads the pipeline's result, so it is checked here, once.
                done.of(new Pipeline());
            }
            return record;
        });
    }

    /// Other services may do single steps, and need not add a digest to their results.
    static JsonNode sealed(String key, byte[] bytes) {
        return key.contains("/steps/") && key.endsWith(Records.RESULT)
                ? ChecksummedJson.readForeign(key, bytes)
                : ChecksummedJson.read(key, bytes);
    }
}
