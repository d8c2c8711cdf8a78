package io.mlestar.deploy;

import io.fabric8.knative.serving.v1.Service;
import io.fabric8.knative.serving.v1.ServiceBuilder;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvFromSourceBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Quantity;
import io.mlestar.core.event.Functions.Spec;
import module java.base;

/// The Knative Services: one per function, those of the profile `small` for many, and that of the
/// pages.
final class ServiceManifests {
    private static final String SCALE = "autoscaling.knative.dev/";

    /// The figures in which the kinds of function differ.
    ///
    /// @param concurrency requests that one pod works on at once
    /// @param pods most at once
    /// @param window seconds without a request after which a pod goes away
    /// @param young MB of objects that the native program makes before it looks which of them are
    ///   still needed; untold, the process grows by half for what calls leave
    ///   (docs/operating/native.md)
    /// @param memory MiB that a pod asks for: what it has after a thousand calls, and some room
    private record Size(int concurrency, int pods, int window, int young, int memory) {
        /// Waits for a model nearly all the time.
        static final Size AGENT = new Size(8, 20, 60, 8, 80);
        /// Reads what its steps have left again and again.
        static final Size PHASE = new Size(8, 10, 60, 24, 96);

        static Size of(Spec function) {
            return switch (function.kind()) {
                case AGENT -> AGENT;
                case PHASE -> PHASE;
                // One sweep at a time is enough, and it looks at all runs. It comes each minute, so
                // its pod has to go soon.
                case RUN -> function.export().equals("sweep") ? new Size(1, 1, 10, 24, 96) : new Size(8, 10, 60, 8, 80);
                case SCRIPT -> throw new IllegalArgumentException("a script is a Job, not a Service");
            };
        }
    }

    private ServiceManifests() {}

    static Service status() {
        return service("status", "status", Manifests.LONGEST_REQUEST_SECONDS, new Size(100, 2, 60, 24, 96),
                "MLE_STAR_ROLE", "status");
    }

    /// All agents. Its pods are those of one agent: they wait for models, and each takes as many
    /// calls at once.
    static Service agents() {
        return service("agents", "agent", Manifests.LONGEST_REQUEST_SECONDS, Size.AGENT, "MLE_STAR_ROLE", "agents");
    }

    /// The phases and the functions around a run. The sweep's timer keeps one pod of it alive.
    static Service phases() {
        return service("phases", "phase", SmallManifests.LONGEST_PHASE.toSeconds(), Size.PHASE, "MLE_STAR_ROLE",
                "phases");
    }

    static Service of(Spec function) {
        return service(function.kubernetesName(), function.kind().name().toLowerCase(Locale.ROOT),
                function.longestRequest().toSeconds(), Size.of(function),
                "QUARKUS_FUNQY_EXPORT", function.export());
    }

    /// The answer comes in one piece, when the work is done: both of Serving's timeouts are the
    /// same. Unless told so, Serving lets a request wait 300 s for the beginning of its answer
    /// (`DefaultRevisionResponseStartTimeoutSeconds` in knative/serving,
    /// `pkg/apis/config/defaults.go`), and a model may take longer.
    ///
    /// @param seconds most for one request
    /// @param variable tells the one program what it is in this pod
    private static Service service(String name, String kind, long seconds, Size size, String variable, String value) {
        Map<String, String> labels = Map.of("mlestar.io/class", kind, "mlestar.io/function", name);
        return new ServiceBuilder(QuarkusManifests.function())
                .editMetadata().withName(name).addToLabels("app.kubernetes.io/component", name).addToLabels(labels)
                .endMetadata()
                .editSpec().editTemplate()
                .editMetadata()
                .withLabels(labels)
                .addToAnnotations(SCALE + "max-scale", "" + size.pods())
                .addToAnnotations(SCALE + "window", size.window() + "s")
                .endMetadata()
                .editSpec()
                .withServiceAccountName(kind.equals("agent") ? "agent" : "function")
                .withContainerConcurrency((long) size.concurrency())
                .withTimeoutSeconds(seconds).withResponseStartTimeoutSeconds(seconds)
                .editFirstContainer()
                .withImage(Manifests.REGISTRY + "/mlestar-" + name)
                .withArgs("-Xmn" + size.young() + "m")
                .editFirstPort().withName(null).endPort()
                .addToEnv(0, new EnvVar(variable, value, null))
                .addAllToEnvFrom(secrets(kind))
                .editResources().addToRequests("memory", new Quantity(size.memory() + "Mi")).endResources()
                .endContainer()
                .endSpec().endTemplate().endSpec().build();
    }

    /// Beside the store's.
    private static List<EnvFromSource> secrets(String kind) {
        List<String> names = switch (kind) {
            case "agent" -> List.of("model-keys", "mlestar-token");
            case "status" -> List.of("mlestar-token");
            default -> List.of();
        };
        return names.stream().map(ServiceManifests::optional).toList();
    }

    /// Variables of a Secret that the operator may make.
    static EnvFromSource optional(String secret) {
        return new EnvFromSourceBuilder().withNewSecretRef().withName(secret).withOptional(true).endSecretRef().build();
    }
}
