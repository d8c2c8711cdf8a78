package io.mlestar.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/// Who gets which event, as the manifests in `k8s/` say it: one reading of them serves the cluster's broker and the embedded one.
public record Routes(List<Trigger> triggers) {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final String KUSTOMIZATION = "kustomization.yaml";

    public Routes {
        triggers = List.copyOf(triggers);
    }

    /// A Service or JobSink that events are posted to.
    ///
    /// @param path of the address, `/` if the manifest says nothing
    public record Subscriber(String kind, String name, String path) {
        public boolean isJobSink() {
            return kind.equals("JobSink");
        }
    }

    /// How hard a broker tries.
    ///
    /// @param retries after the first delivery
    /// @param backoff before the first retry; doubles each time if exponential
    /// @param timeout of one delivery
    /// @param deadLetters who gets what could not be delivered
    public record Delivery(int retries, Duration backoff, boolean exponential, Duration timeout, Subscriber deadLetters) {
        private static final Duration KNATIVES_OWN = Duration.ofMinutes(10);

        /// The pause after a number of deliveries that failed.
        public Duration pause(int failed) {
            return exponential ? backoff.multipliedBy(1L << Math.min(failed - 1, 12)) : backoff.multipliedBy(failed);
        }
    }

    /// @param attributes of the event that must be equal
    public record Trigger(String name, Map<String, String> attributes, Subscriber subscriber, Delivery delivery) {
        private boolean wants(Map<String, String> headers) {
            return attributes.entrySet().stream().allMatch(wanted -> wanted.getValue().equals(headers.get("ce-" + wanted.getKey())));
        }
    }

    public List<Trigger> of(Event event) {
        Map<String, String> headers = event.headers();
        return triggers.stream().filter(trigger -> trigger.wants(headers)).toList();
    }

    /// The routes of `k8s/base`, which is part of the program.
    public static Routes load() {
        List<JsonNode> documents = new ArrayList<>();
        read("k8s/base", documents);
        return of(documents);
    }

    /// @param documents the manifests of a Broker and its Triggers, and whatever else
    public static Routes of(List<JsonNode> documents) {
        JsonNode broker = documents.stream().filter(document -> document.path("kind").asText().equals("Broker")).findFirst()
                .orElse(MissingNode.getInstance());
        return new Routes(documents.stream().filter(document -> document.path("kind").asText().equals("Trigger"))
                .map(trigger -> trigger(trigger, broker.path("spec").path("delivery"))).toList());
    }

    private static Trigger trigger(JsonNode manifest, JsonNode brokersDelivery) {
        String name = manifest.path("metadata").path("name").asText();
        JsonNode spec = manifest.path("spec");
        if (spec.has("filters")) {
            throw new IllegalArgumentException("trigger " + name + ": this broker knows filter.attributes only, not filters");
        }
        Map<String, String> attributes = spec.path("filter").path("attributes").properties().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, attribute -> attribute.getValue().asText()));
        return new Trigger(name, attributes, subscriber(spec.path("subscriber")), delivery(spec.path("delivery"), brokersDelivery));
    }

    private static Subscriber subscriber(JsonNode sink) {
        return new Subscriber(sink.path("ref").path("kind").asText(), sink.path("ref").path("name").asText(), sink.path("uri").asText("/"));
    }

    private static Delivery delivery(JsonNode triggers, JsonNode brokers) {
        JsonNode spec = triggers.isMissingNode() ? brokers : triggers;
        JsonNode deadLetters = spec.has("deadLetterSink") ? spec.get("deadLetterSink") : brokers.path("deadLetterSink");
        return new Delivery(spec.path("retry").asInt(0), Duration.parse(spec.path("backoffDelay").asText("PT0.2S")),
                spec.path("backoffPolicy").asText().equals("exponential"),
                spec.has("timeout") ? Duration.parse(spec.get("timeout").asText()) : Delivery.KNATIVES_OWN,
                deadLetters.isMissingNode() ? null : subscriber(deadLetters));
    }

    /// Reads what a kustomization of the program's resources lists; what lies outside of `k8s/` is none of the broker's business.
    private static void read(String folder, List<JsonNode> documents) {
        for (JsonNode kustomization : documents(folder + "/" + KUSTOMIZATION)) {
            for (JsonNode resource : kustomization.path("resources")) {
                String path = Path.of(folder, resource.asText()).normalize().toString();
                if (path.endsWith(".yaml")) {
                    documents.addAll(documents(path));
                } else if (path.startsWith("k8s/")) {
                    read(path, documents);
                }
            }
        }
    }

    private static List<JsonNode> documents(String resource) {
        try (InputStream in = Objects.requireNonNull(Routes.class.getClassLoader().getResourceAsStream(resource), resource)) {
            return parse(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<JsonNode> parse(InputStream yaml) throws IOException {
        try (MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class).readValues(yaml)) {
            return documents.readAll();
        } catch (JsonProcessingException e) {
            throw new IOException("not YAML: " + e.getOriginalMessage(), e);
        }
    }
}
