package io.mlestar.app.function;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.event.Publisher;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.DamagedRecord;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/// Publishes that a requested run is refused: a sender behind a broker gets no other answer.
@Singleton
class RunRejections {
    private static final String NO_RUN = "refused";

    private final Publisher publisher;
    private final Records records;

    RunRejections(Publisher publisher, Records records) {
        this.publisher = publisher;
        this.records = records;
    }

    /// Publishes the same event each time that the same request is refused.
    ///
    /// @param source of the event that asked for the run; with `id` it names that event
    /// @param requested its data; null if there is none
    void tell(String source, String id, JsonNode requested, String error) {
        Optional<String> run = runOf(requested);
        ObjectNode data = Json.object().put("error", error);
        run.ifPresent(known -> data.put("run_id", known));
        data.putObject("request").put("source", source).put("id", id);
        publisher.publish(new Event(Event.RUN_FAILED,
                "refused-" + UUID
                        .nameUUIDFromBytes((source + " " + id).getBytes(StandardCharsets.UTF_8)),
                run.orElse(NO_RUN), data));
    }

    /// An existing run has not failed because a request used its name.
    private Optional<String> runOf(JsonNode requested) {
        JsonNode run = requested == null ? null : requested.get("run_id");
        if (run == null || !run.isTextual()) {
            return Optional.empty();
        }
        try {
            return records.header(StepPath.root(run.asText()).run()).isPresent()
                    ? Optional.empty()
                    : Optional.of(run.asText());
        } catch (Invalid | DamagedRecord e) {
            return Optional.empty();
        }
    }
}
