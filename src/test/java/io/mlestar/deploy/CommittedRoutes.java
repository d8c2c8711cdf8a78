package io.mlestar.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.mlestar.ProjectFiles;
import io.mlestar.adapter.broker.Routes.Delivery;
import io.mlestar.adapter.broker.Routes.Subscriber;
import io.mlestar.adapter.broker.Routes.Trigger;
import io.mlestar.adapter.broker.Routes;
import io.mlestar.core.base.Backoff;
import module java.base;

/// The routes of events, from the Broker and the Triggers of the committed manifests.
public final class CommittedRoutes {
    /// The manifests do not set it; ten retries do not reach it.
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(15);
    private static final Duration KNATIVES_OWN = Duration.ofMinutes(10);

    private CommittedRoutes() {}

    public static Routes read() {
        return of(ProjectFiles.manifests(Manifests.HOME));
    }

    public static Routes of(List<JsonNode> documents) {
        JsonNode broker =
                documents.stream().filter(document -> document.path("kind").asText().equals("Broker")).findFirst()
                        .orElse(MissingNode.getInstance());
        return new Routes(documents.stream().filter(document -> document.path("kind").asText().equals("Trigger"))
                .map(trigger -> trigger(trigger, broker.path("spec").path("delivery"))).toList());
    }

    private static Trigger trigger(JsonNode manifest, JsonNode brokersDelivery) {
        JsonNode spec = manifest.path("spec");
        JsonNode attributes = spec.path("filter").path("attributes");
        if (spec.has("filters") || !attributes.has("type")) {
            throw new IllegalArgumentException("trigger " + manifest.path("metadata").path("name").asText()
                    + ": this broker knows a filter by exact attributes only, the type among them");
        }
        Map<String, String> filter = new TreeMap<>();
        attributes.properties().forEach(attribute -> filter.put(attribute.getKey(), attribute.getValue().asText()));
        return new Trigger(filter, subscriber(spec.path("subscriber")),
                delivery(spec.path("delivery"), brokersDelivery));
    }

    private static Subscriber subscriber(JsonNode sink) {
        return new Subscriber(sink.path("ref").path("name").asText(), sink.path("uri").asText("/"));
    }

    private static Delivery delivery(JsonNode triggers, JsonNode brokers) {
        JsonNode spec = triggers.isMissingNode() ? brokers : triggers;
        if (!spec.path("backoffPolicy").asText().equals("exponential")) {
            throw new IllegalArgumentException("this broker knows exponential backoff only");
        }
        JsonNode deadLetters = spec.has("deadLetterSink") ? spec.get("deadLetterSink") : brokers.path("deadLetterSink");
        return new Delivery(spec.path("retry").asInt(0),
                new Backoff(Duration.parse(spec.path("backoffDelay").asText("PT0.2S")), LONGEST_PAUSE),
                spec.has("timeout") ? Duration.parse(spec.get("timeout").asText()) : KNATIVES_OWN,
                deadLetters.isMissingNode() ? null : subscriber(deadLetters));
    }
}
