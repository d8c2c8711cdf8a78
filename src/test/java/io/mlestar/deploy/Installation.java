package io.mlestar.deploy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fabric8.knative.eventing.v1.Broker;
import io.fabric8.knative.eventing.v1.Trigger;
import io.fabric8.knative.eventing.v1alpha1.EventPolicy;
import io.fabric8.knative.serving.v1.Service;
import io.fabric8.knative.sinks.v1alpha1.JobSink;
import io.fabric8.knative.sources.v1.PingSource;
import io.fabric8.knative.sources.v1.SinkBinding;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import module java.base;
import org.jspecify.annotations.Nullable;

/// The objects that a kustomization would put into a cluster, read with the models of Kubernetes
/// and Knative.
///
/// @param unreadable what the models do not know: kinds, fields, values of another type
record Installation(List<HasMetadata> objects, List<String> unreadable) {
    private static final Map<String, Class<? extends HasMetadata>> KINDS = Map.ofEntries(
            Map.entry("v1/Namespace", Namespace.class), Map.entry("v1/ServiceAccount", ServiceAccount.class),
            Map.entry("v1/ConfigMap", ConfigMap.class), Map.entry("v1/Secret", Secret.class),
            Map.entry("v1/Service", io.fabric8.kubernetes.api.model.Service.class),
            Map.entry("apps/v1/Deployment", Deployment.class),
            Map.entry("batch/v1/CronJob", CronJob.class),
            Map.entry("v1/PersistentVolumeClaim", PersistentVolumeClaim.class),
            Map.entry("v1/ResourceQuota", ResourceQuota.class),
            Map.entry("networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class),
            Map.entry("eventing.knative.dev/v1/Broker", Broker.class),
            Map.entry("eventing.knative.dev/v1/Trigger", Trigger.class),
            Map.entry("eventing.knative.dev/v1alpha1/EventPolicy", EventPolicy.class),
            Map.entry("serving.knative.dev/v1/Service", Service.class),
            Map.entry("sinks.knative.dev/v1alpha1/JobSink", JobSink.class),
            Map.entry("sources.knative.dev/v1/PingSource", PingSource.class),
            Map.entry("sources.knative.dev/v1/SinkBinding", SinkBinding.class));
    private static final ObjectMapper YAML = JsonMapper.builder(YAMLFactory.builder().build())
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .withCoercionConfig(LogicalType.Textual,
                    text -> Stream.of(CoercionInputShape.Integer, CoercionInputShape.Float,
                            CoercionInputShape.Boolean).forEach(shape -> text.setCoercion(shape, CoercionAction.Fail)))
            .build();

    private static final Map<String, Read> READ = new ConcurrentHashMap<>();

    /// @param labels of the pods
    record Pods(HasMetadata owner, Map<String, String> labels, String account, Boolean token,
            List<Container> containers, List<Volume> volumes) {
        String name() {
            return owner.getKind() + " " + owner.getMetadata().getName();
        }

        boolean isOf(String kind) {
            return kind.equals(labels.get("mlestar.io/class"));
        }
    }

    /// @param object null if the models cannot read it
    private record Read(@Nullable HasMetadata object, List<String> unreadable) {}

    /// Most objects of two installations are the same, and each is read once.
    static Installation read(String yaml) {
        List<Read> all = Stream.of(yaml.split("(?m)^---$")).filter(document -> !document.isBlank())
                .map(document -> READ.computeIfAbsent(document, Installation::document)).toList();
        return new Installation(all.stream().map(Read::object).filter(Objects::nonNull).toList(),
                all.stream().flatMap(read -> read.unreadable().stream()).toList());
    }

    private static Read document(String yaml) {
        JsonNode document = tree(yaml);
        String kind = document.path("apiVersion").asText() + "/" + document.path("kind").asText();
        String name = kind + " " + document.path("metadata").path("name").asText();
        if (!KINDS.containsKey(kind)) {
            return new Read(null, List.of(name + ": unknown kind"));
        }
        try {
            HasMetadata object = YAML.treeToValue(document, KINDS.get(kind));
            List<String> unknown = new ArrayList<>();
            walk(object, name, unknown);
            return new Read(object, unknown);
        } catch (JsonProcessingException e) {
            return new Read(null, List.of(name + ": " + e.getOriginalMessage()));
        }
    }

    private static JsonNode tree(String yaml) {
        try {
            return YAML.readTree(yaml);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The models keep every field they do not know aside.
    private static void walk(Object value, String at, List<String> unknown) {
        switch (value) {
            case null -> {}
            case Collection<?> many -> many.forEach(one -> walk(one, at + "[]", unknown));
            case Map<?, ?> map -> map.forEach((key, one) -> walk(one, at + "." + key, unknown));
            default -> {
                if (!value.getClass().getName().startsWith("io.fabric8.") || value instanceof Enum) {
                    return;
                }
                for (Method getter : value.getClass().getMethods()) {
                    if (getter.getName().startsWith("get") && getter.getParameterCount() == 0
                            && getter.getDeclaringClass() != Object.class) {
                        String field = getter.getName().substring(3);
                        Object found = get(getter, value);
                        if (field.equals("AdditionalProperties")) {
                            ((Map<?, ?>) found).keySet().forEach(key -> unknown.add(at + ": unknown field " + key));
                        } else {
                            walk(found, at + "." + Character.toLowerCase(field.charAt(0)) + field.substring(1),
                                    unknown);
                        }
                    }
                }
            }
        }
    }

    private static Object get(Method getter, Object value) {
        try {
            return getter.invoke(value);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }

    <T extends HasMetadata> List<T> all(Class<T> kind) {
        return objects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    boolean has(String apiVersion, String kind, String name) {
        return objects.stream()
                .anyMatch(object -> object.getApiVersion().equals(apiVersion) && object.getKind().equals(kind)
                        && object.getMetadata().getName().equals(name));
    }

    /// Whatever runs containers.
    List<Pods> pods() {
        return objects.stream().map(object -> switch (object) {
            case Service service -> {
                var template = service.getSpec().getTemplate();
                yield new Pods(service, labels(template.getMetadata().getLabels()),
                        template.getSpec().getServiceAccountName(),
                        template.getSpec().getAutomountServiceAccountToken(), template.getSpec().getContainers(),
                        template.getSpec().getVolumes());
            }
            case JobSink sink -> pods(sink, sink.getSpec().getJob().getSpec().getTemplate());
            case Deployment deployment -> pods(deployment, deployment.getSpec().getTemplate());
            case CronJob nightly -> pods(nightly, nightly.getSpec().getJobTemplate().getSpec().getTemplate());
            default -> null;
        }).filter(Objects::nonNull).toList();
    }

    private static Pods pods(HasMetadata owner, PodTemplateSpec template) {
        return new Pods(owner, labels(template.getMetadata().getLabels()), template.getSpec().getServiceAccountName(),
                template.getSpec().getAutomountServiceAccountToken(), template.getSpec().getContainers(),
                template.getSpec().getVolumes());
    }

    static Map<String, String> labels(Map<String, String> labels) {
        return Objects.requireNonNullElse(labels, Map.of());
    }

    static boolean selects(Map<String, String> wanted, Map<String, String> labels) {
        return wanted.entrySet().stream().allMatch(entry -> entry.getValue().equals(labels.get(entry.getKey())));
    }

    static boolean selects(LabelSelector selector, Map<String, String> labels) {
        return selects(labels(selector.getMatchLabels()), labels)
                && Stream.ofNullable(selector.getMatchExpressions()).flatMap(Collection::stream)
                        .allMatch(expression -> switch (expression.getOperator()) {
                            case "In" -> expression.getValues().contains(labels.get(expression.getKey()));
                            case "NotIn" -> !expression.getValues().contains(labels.get(expression.getKey()));
                            case "Exists" -> labels.containsKey(expression.getKey());
                            default -> throw new IllegalArgumentException("operator " + expression.getOperator());
                        });
    }
}
