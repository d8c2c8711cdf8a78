package io.mlestar.deploy;

import io.fabric8.knative.sinks.v1alpha1.JobSink;
import io.fabric8.knative.sinks.v1alpha1.JobSinkBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import module java.base;

/// The JobSinks, one per kind of machine. One Job per script: the event lies in the folder
/// `K_EVENT_PATH` names, `K_EXECUTION_MODE` is "batch", and the program does that one step, tells
/// the broker and ends.
final class JobManifests {
    /// For what scripts and data sets leave in `/tmp`. Nodes with a disk of 100 GB offer some 45.
    private static final Quantity DISK = new Quantity("20Gi");
    /// The longest run, and an hour. Also ends a pod that waits for ever for an event that was
    /// never stored.
    private static final long LONGEST_SECONDS = 90_000;
    private static final int BAD_INPUT = 2;
    private static final Map<String, String> LABELS =
            Map.of("mlestar.io/class", "script", "mlestar.io/function", "script");
    /// Scripts run in it, as in a Job.
    private static final PodTemplateSpec PROGRAM = QuarkusManifests.program().getSpec().getTemplate();

    private JobManifests() {}

    static JobSink cpu() {
        return sink("cpu", pod("mlestar-scripts"));
    }

    /// Its nodes have the label that NVIDIA's GPU feature discovery gives them; label yours so if
    /// nothing does it.
    static JobSink gpu() {
        return sink("gpu", new PodSpecBuilder(pod("mlestar-scripts-gpu"))
                .addToNodeSelector("nvidia.com/gpu.present", "true")
                .addNewToleration().withKey("nvidia.com/gpu").withOperator("Exists").withEffect("NoSchedule")
                .endToleration()
                .editFirstContainer().editResources().addToLimits("nvidia.com/gpu", new Quantity("1")).endResources()
                .endContainer().build());
    }

    private static JobSink sink(String machine, PodSpec pod) {
        return new JobSinkBuilder()
                .withNewMetadata().withName("script-" + machine).addToLabels(LABELS)
                .addToLabels("app.kubernetes.io/component", "script").endMetadata()
                .withNewSpec().withJob(new JobBuilder().withApiVersion(null).withKind(null)
                        // A JobSink hands these labels to its Jobs; by them the SinkBinding finds
                        // them.
                        .withNewMetadata().addToLabels(LABELS).addToLabels("bindings.knative.dev/include", "true")
                        .endMetadata()
                        .withNewSpec()
                        .withCompletions(1).withParallelism(1).withBackoffLimit(3)
                        .withActiveDeadlineSeconds(LONGEST_SECONDS)
                        // While a Job is kept, the same event starts no second one.
                        .withTtlSecondsAfterFinished(3600)
                        .withNewPodFailurePolicy()
                        .addNewRule().withAction("Ignore").addNewOnPodCondition("True", "DisruptionTarget").endRule()
                        .addNewRule().withAction("FailJob").withNewOnExitCodes().withOperator("In")
                        .withValues(BAD_INPUT).endOnExitCodes().endRule()
                        .endPodFailurePolicy()
                        .withNewTemplate()
                        .withNewMetadata().withLabels(LABELS).withAnnotations(PROGRAM.getMetadata().getAnnotations())
                        .endMetadata()
                        .withSpec(pod)
                        .endTemplate().endSpec().build())
                .endSpec().build();
    }

    /// The whole program's pod without a server and without its store.
    private static PodSpec pod(String image) {
        // All that agents are told of is asked for: the component script-overcommit asks for less.
        Map<String, Quantity> all =
                Map.of("cpu", new Quantity("4"), "memory", new Quantity("16Gi"), "ephemeral-storage", DISK);
        return new PodSpecBuilder(PROGRAM.getSpec())
                .withRestartPolicy("Never")
                .withServiceAccountName("script")
                .withSecurityContext(null)
                .removeMatchingFromVolumes(volume -> volume.getName().equals("store"))
                .editMatchingVolume(volume -> volume.getName().equals("tmp")).editEmptyDir().withSizeLimit(DISK)
                .endEmptyDir().endVolume()
                .editFirstContainer()
                .withName("script")
                .withImage(Manifests.REGISTRY + "/" + image)
                .withArgs().withPorts().withLivenessProbe(null).withReadinessProbe(null)
                // The pod is the sandbox where none can be made in it, and it holds no key of a
                // model.
                .withEnv(new EnvVar("MLE_STAR_SANDBOX", "preferred", null))
                // A key of its own: generated code runs beside it.
                .removeMatchingFromEnvFrom(from -> from.buildSecretRef() != null)
                .addToEnvFrom(ServiceManifests.optional("script-store-credentials"))
                .withNewResources().withRequests(all).withLimits(all).endResources()
                .removeMatchingFromVolumeMounts(mount -> mount.getName().equals("store"))
                .endContainer().build();
    }
}
