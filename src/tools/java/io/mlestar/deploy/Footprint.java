package io.mlestar.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.mlestar.ProjectFiles;
import io.mlestar.core.event.Event;
import module java.base;

/// Counts what each profile puts into a cluster and asks of it, from the manifests as kustomize
/// renders them (`make footprint`). The operator's guide shows the same lines, and a test compares.
final class Footprint {
    private static final String SCALE = "/spec/template/metadata/annotations/autoscaling.knative.dev~1";
    private static final String POD = "/spec/template/spec";

    private Footprint() {}

    /// A kind of pod. In a run there is one of each, unless more than it takes at once comes at
    /// once.
    ///
    /// @param resting how many there are while no run goes on
    /// @param most how many there may be; 0 if that is the cluster's to say
    private record Pods(JsonNode requests, int resting, int most) {
        BigDecimal amount(String resource) {
            return Quantity.getAmountInBytes(new Quantity(requests.path(resource).asText()));
        }
    }

    public static void main(String[] arguments) {
        lines().forEach(System.out::println);
    }

    static List<String> lines() {
        List<JsonNode> full = ProjectFiles.documents(Kustomize.overlay("kafka"));
        return List.of(
                "| profile | objects | Services | Triggers | pods at rest | request | a pod of each and a script's request | most pods | request |",
                "|---|---|---|---|---|---|---|---|---|",
                row("one", ProjectFiles.documents(Kustomize.build("resources: [../../k8s/one]"))),
                row("small", ProjectFiles.documents(Kustomize.overlay("kafka", "small"))),
                row("full", full));
    }

    private static String row(String profile, List<JsonNode> objects) {
        List<Pods> pods = objects.stream().flatMap(object -> pods(object, objects)).toList();
        long triggers = objects.stream().filter(object -> object.path("kind").asText().equals("Trigger")).count();
        return "| `%s` | %d | %d | %d | %d | %s | %s | %d | %s |".formatted(profile, objects.size(),
                pods.stream().filter(kind -> kind.most() > 0).count(),
                triggers, pods.stream().mapToInt(Pods::resting).sum(), requests(pods, Pods::resting),
                requests(pods, kind -> 1),
                pods.stream().mapToInt(Pods::most).sum(), requests(pods, Pods::most));
    }

    private static Stream<Pods> pods(JsonNode object, List<JsonNode> all) {
        JsonNode requests = object.at((object.path("kind").asText().equals("JobSink") ? "/spec/job" : "") + POD
                + "/containers/0/resources/requests");
        return switch (object.path("apiVersion").asText() + "/" + object.path("kind").asText()) {
            case "serving.knative.dev/v1/Service" -> {
                int least = object.at(SCALE + "min-scale").asInt();
                boolean woken = woken(all).contains(object.at("/metadata/name").asText());
                yield Stream
                        .of(new Pods(requests, Math.max(least, woken ? 1 : 0), object.at(SCALE + "max-scale").asInt()));
            }
            case "apps/v1/Deployment" ->
                Stream.of(new Pods(requests, object.at("/spec/replicas").asInt(), object.at("/spec/replicas").asInt()));
            case "sinks.knative.dev/v1alpha1/JobSink" ->
                object.at("/metadata/name").asText().equals("script-cpu") ? Stream.of(new Pods(requests, 0, 0))
                        : Stream.empty();
            default -> Stream.empty();
        };
    }

    /// Whatever the timer calls each minute has a pod nearly all the time.
    private static Set<String> woken(List<JsonNode> all) {
        return all.stream().filter(object -> object.at("/spec/filter/attributes/type").asText().equals(Event.SWEEP))
                .map(trigger -> trigger.at("/spec/subscriber/ref/name").asText()).collect(Collectors.toSet());
    }

    private static String requests(List<Pods> pods, ToIntFunction<Pods> number) {
        double cpu = sum(pods, number, "cpu").doubleValue();
        double mebibytes =
                sum(pods, number, "memory").divide(BigDecimal.valueOf(1 << 20), RoundingMode.HALF_UP).doubleValue();
        return String.format(Locale.ROOT, mebibytes < 1024 ? "%.2f CPU, %.0f MiB" : "%.2f CPU, %.1f GiB", cpu,
                mebibytes < 1024 ? mebibytes : mebibytes / 1024);
    }

    private static BigDecimal sum(List<Pods> pods, ToIntFunction<Pods> number, String resource) {
        return pods.stream().map(kind -> kind.amount(resource).multiply(BigDecimal.valueOf(number.applyAsInt(kind))))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
