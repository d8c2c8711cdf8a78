package io.mlestar.records;

import io.mlestar.phase.Phases;
import io.mlestar.store.DamagedRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a record of a run must hold, whatever else a newer program may write into it.
final class Whole {
    private Whole() {}

    /// @throws DamagedRecord naming what is missing
    static void check(String key, Object record) {
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
