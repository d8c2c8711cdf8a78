package io.mlestar.core.records;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The recorded attempts at steps. An attempt is recorded before the model is asked or the script
/// runs, so one without an end is in flight or has died, and its possible cost is known.
///
/// ```
/// <step>.begun-1.json     who began the first attempt, when, and what it may cost
/// <step>.ended-1.json     it gave no result, why, and what it cost
/// <step>.memory-1.json    the memory ran short while it ran
/// <step>.sent-1.json      the sweep sent the step again, for the first time
/// ```
public record Invocations(Store store) {
    /// The reason of an attempt that ended because another request goes on with its answer.
    public static final String GOES_ON = "the answer goes on in another request";
    private static final String JSON = ".json";

    /// One attempt.
    ///
    /// @param number from 1
    /// @param worker who began it: a host, or the event that a Job was made for
    /// @param estimateUsd what it may cost; null if unknown
    /// @param memory how short the memory ran; empty if it did not
    /// @param aborted how it ended without a result; empty while it is in flight, and if it died
    public record Invocation(
            int number,
            Instant at,
            String worker,
            @Nullable Double estimateUsd,
            Optional<String> memory,
            Optional<Abort> aborted) {
        /// True if the attempt is in flight, or its process died.
        public boolean isOpen() {
            return aborted.isEmpty();
        }

        private boolean goesOn() {
            return aborted.filter(end -> end.reason().equals(GOES_ON)).isPresent();
        }

        /// The most that may have been paid for the attempt as long as the step has no result; null
        /// if unknown.
        public @Nullable Double maySpendUsd() {
            return aborted.isPresent() ? aborted.get().billedUsd() : estimateUsd;
        }
    }

    /// The end of an attempt that gave no result.
    ///
    /// @param billedUsd what it cost; null if unknown
    public record Abort(Instant at, String reason, @Nullable Double billedUsd) {}

    /// The attempts of a step in the order in which they began.
    public List<Invocation> of(StepPath step) {
        List<Invocation> all = new ArrayList<>();
        for (int number = 1;; number++) {
            String begin = key(step, "begun", number);
            String end = key(step, "ended", number);
            Optional<JsonNode> begun = read(begin);
            if (begun.isEmpty()) {
                return all;
            }
            all.add(new Invocation(number, at(begin, begun.get()),
                    begun.get().path("worker").asText(), usd(begin, begun.get(), "estimate_usd"),
                    read(key(step, "memory", number)).map(memory -> memory.path("said").asText()),
                    read(end).map(ended -> new Abort(at(end, ended), ended.path("reason").asText(),
                            usd(end, ended, "billed_usd")))));
        }
    }

    /// The outage for which a step waits for an answer.
    ///
    /// @param since when the first of the attempts that gave none ended
    /// @param reason of the last
    public record Unanswered(Instant since, String reason) {}

    /// Empty if no attempt gave no answer, or neither of the step's last two attempts did.
    public Optional<Unanswered> unanswered(StepPath step) {
        List<Invocation> all = of(step).stream().filter(attempt -> !attempt.goesOn()).toList();
        List<Abort> ended = all.stream().flatMap(attempt -> attempt.aborted().stream()).toList();
        boolean isRecent = all.stream()
                .skip(Math.max(0, all.size() - 2))
                .anyMatch(attempt -> !attempt.isOpen());
        return isRecent
                ? Optional.of(new Unanswered(ended.getFirst().at(), ended.getLast().reason()))
                : Optional.empty();
    }

    /// @param estimateUsd null if unknown
    /// @return the attempt's number
    public int begin(StepPath step, Instant now, String worker, @Nullable Double estimateUsd) {
        byte[] begun = ChecksummedJson.bytes(Json.object()
                .put("at", now.toString())
                .put("worker", worker)
                .put("estimate_usd", estimateUsd));
        for (int number = 1;; number++) {
            if (store.create(key(step, "begun", number), begun)) {
                return number;
            }
        }
    }

    /// @param billedUsd null if unknown
    public void abort(
            StepPath step,
            int number,
            Instant now,
            String reason,
            @Nullable Double billedUsd) {
        ObjectNode ended = Json.object()
                .put("at", now.toString())
                .put("reason", reason)
                .put("billed_usd", billedUsd);
        store.create(key(step, "ended", number), ChecksummedJson.bytes(ended));
    }

    /// Records that the memory runs short; the first record stays.
    public void memory(StepPath step, int number, String said) {
        store.create(key(step, "memory", number),
                ChecksummedJson.bytes(Json.object().put("said", said)));
    }

    /// Records that the event of a step is sent again.
    ///
    /// @return false if that was recorded before
    public boolean sendAgain(StepPath step, int number, Instant now) {
        return store.create(key(step, "sent", number),
                ChecksummedJson.bytes(Json.object().put("at", now.toString())));
    }

    /// The times at which the step's event was sent again, in order.
    public List<Instant> sentAgain(StepPath step) {
        List<Instant> sent = new ArrayList<>();
        while (true) {
            String key = key(step, "sent", sent.size() + 1);
            Optional<JsonNode> again = read(key);
            if (again.isEmpty()) {
                return sent;
            }
            sent.add(at(key, again.get()));
        }
    }

    /// True if so much time has passed. A time in the future comes from a clock that was set back
    /// since, and counts as past.
    public static boolean isOver(Instant since, Duration most, Instant now) {
        return !now.isBefore(since.plus(most)) || since.isAfter(now.plus(most));
    }

    /// @throws DamagedRecord if the record has no time
    private static Instant at(String key, JsonNode record) {
        JsonNode at = record.path("at");
        if (!at.isTextual()) {
            throw new DamagedRecord(key, "at is not an ISO-8601 time");
        }
        return DamagedRecord.unlessRead(key, () -> Json.read(at, Instant.class));
    }

    private Optional<JsonNode> read(String key) {
        return ChecksummedJson.read(store, key, JsonNode.class);
    }

    private static @Nullable Double usd(String key, JsonNode record, String name) {
        return record.hasNonNull(name)
                ? DamagedRecord.unlessRead(key,
                        () -> Invalid.usd(name, Json.read(record.get(name), Double.class)))
                : null;
    }

    private static String key(StepPath step, String what, int number) {
        return Records.stepKey(step) + "." + what + "-" + number + JSON;
    }
}
