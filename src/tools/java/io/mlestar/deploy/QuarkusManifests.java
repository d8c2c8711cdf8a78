package io.mlestar.deploy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.knative.serving.v1.Service;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.mlestar.ProjectFiles;
import module java.base;

/// The manifests that Quarkus Kubernetes writes from `application.properties` and
/// `src/main/kubernetes`, as typed objects; and typed objects as YAML. They are kept in
/// `k8s/quarkus`, and a test compares them with a build.
final class QuarkusManifests {
    static final Path HOME = Path.of("k8s/quarkus");
    private static final ObjectMapper MODELS =
            new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
    /// Values that Kubernetes assumes where nothing is said. The extension says them, and they
    /// would only hide what was chosen.
    private static final Map<String, String> ASSUMED =
            Map.ofEntries(Map.entry("scheme", "HTTP"), Map.entry("protocol", "TCP"), Map.entry("type", "ClusterIP"),
                    Map.entry("initialDelaySeconds", "0"), Map.entry("periodSeconds", "10"),
                    Map.entry("timeoutSeconds", "1"), Map.entry("successThreshold", "1"),
                    Map.entry("failureThreshold", "3"), Map.entry("readOnly", "false"), Map.entry("optional", "false"),
                    Map.entry("defaultMode", "420"));
    /// Marks of a build, not of what it builds.
    private static final Set<String> MARKS = Set.of("app.quarkus.io/quarkus-version", "app.kubernetes.io/managed-by");

    private QuarkusManifests() {}

    /// The Service of any function.
    static Service function() {
        return read("knative.yml", Service.class);
    }

    /// The whole program. The extension takes its name from the pod together with that in the
    /// selector, and adds a probe of the start, which the patience of the others makes needless.
    static Deployment program() {
        return new DeploymentBuilder(read("kubernetes.yml", Deployment.class)).editSpec().editTemplate()
                .editMetadata().addToLabels("app.kubernetes.io/name", "mlestar").endMetadata()
                .editSpec().editFirstContainer().withStartupProbe(null).endContainer().endSpec()
                .endTemplate().endSpec().build();
    }

    /// The whole program, with its account and where it is reached.
    static String one() {
        return yaml(read("kubernetes.yml", ServiceAccount.class),
                read("kubernetes.yml", io.fabric8.kubernetes.api.model.Service.class), program());
    }

    private static <T extends HasMetadata> T read(String file, Class<T> kind) {
        JsonNode manifest = ProjectFiles.documents(ProjectFiles.text(HOME.resolve(file))).stream()
                .filter(document -> document.path("kind").asText().equals(kind.getSimpleName())).findFirst()
                .orElseThrow();
        strip(manifest);
        try {
            return MODELS.treeToValue(manifest, kind);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(HOME.resolve(file) + ": " + e.getOriginalMessage(), e);
        }
    }

    private static void strip(JsonNode node) {
        if (node instanceof ObjectNode map) {
            map.properties().removeIf(entry -> MARKS.contains(entry.getKey())
                    || entry.getValue().asText().equals(ASSUMED.get(entry.getKey())));
        }
        node.forEach(QuarkusManifests::strip);
    }

    /// The documents of a file.
    static String yaml(HasMetadata... objects) {
        return Stream.of(objects).map(object -> ConditionalYaml.written(MODELS.valueToTree(object)))
                .collect(Collectors.joining("---\n"));
    }
}
