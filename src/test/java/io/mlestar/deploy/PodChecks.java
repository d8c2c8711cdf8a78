package io.mlestar.deploy;

import io.fabric8.knative.serving.v1.RevisionSpec;
import io.fabric8.knative.serving.v1.Service;
import io.fabric8.knative.sinks.v1alpha1.JobSink;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/// Checks on what runs and what it may reach. Each gives what is wrong, one line each.
final class PodChecks {
    private static final String GPU = "nvidia.com/gpu";
    private static final String GPU_LABEL = "nvidia.com/gpu.present";
    private static final String MODEL_KEYS = "model-keys";
    private static final String TOKEN = "mlestar-token";
    /// Made by hand, so they may be missing from the manifests.
    private static final Set<String> SECRETS = Set.of(MODEL_KEYS, "store-credentials", TOKEN);

    private PodChecks() {}

    static List<String> of(Installation installed) {
        List<String> wrong = new ArrayList<>(names(installed));
        for (Installation.Pods pods : installed.pods()) {
            pods.containers().forEach(container -> {
                safe(pods, container, wrong);
                references(installed, pods, container, wrong);
            });
            references(installed, pods, wrong);
            keys(installed, pods, wrong);
        }
        installed.all(Service.class).forEach(service -> plain(service, wrong));
        installed.all(JobSink.class).forEach(sink -> jobs(sink, wrong));
        network(installed, wrong);
        return wrong;
    }

    private static List<String> names(Installation installed) {
        return installed.objects().stream().map(HasMetadata::getMetadata).map(metadata -> metadata.getName())
                .filter(name -> !name.matches("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")).map(name -> name + ": no name of at most 63 characters").toList();
    }

    private static void safe(Installation.Pods pods, Container container, List<String> wrong) {
        SecurityContext security = Objects.requireNonNullElseGet(container.getSecurityContext(), SecurityContext::new);
        if (!Boolean.TRUE.equals(security.getRunAsNonRoot()) || !Boolean.TRUE.equals(security.getReadOnlyRootFilesystem())
                || !Boolean.FALSE.equals(security.getAllowPrivilegeEscalation()) || security.getCapabilities() == null
                || !List.of("ALL").equals(security.getCapabilities().getDrop()) || security.getSeccompProfile() == null
                || !"RuntimeDefault".equals(security.getSeccompProfile().getType())) {
            wrong.add(pods.name() + ": the container has more rights than it needs");
        }
        for (String resource : List.of("cpu", "memory")) {
            if (container.getResources() == null || container.getResources().getRequests() == null
                    || container.getResources().getLimits() == null || !container.getResources().getRequests().containsKey(resource)
                    || !container.getResources().getLimits().containsKey(resource)) {
                wrong.add(pods.name() + ": " + resource + " has no request or no limit");
            }
        }
        if (!container.getImage().matches(".*@sha256:[0-9a-f]{64}|[^:]*(:[0-9]+/[^:]*)?:(?!latest$)[\\w.-]+")) {
            wrong.add(pods.name() + ": the image " + container.getImage() + " is not pinned");
        }
        if (mounts(container).stream().noneMatch(mount -> mount.getMountPath().equals("/tmp"))) {
            wrong.add(pods.name() + ": nothing can be written to /tmp");
        }
    }

    private static List<VolumeMount> mounts(Container container) {
        return Objects.requireNonNullElse(container.getVolumeMounts(), List.of());
    }

    private static Stream<String> secrets(Installation.Pods pods) {
        return pods.containers().stream().flatMap(container -> Stream.concat(
                Stream.ofNullable(container.getEnvFrom()).flatMap(List::stream).filter(from -> from.getSecretRef() != null)
                        .map(from -> from.getSecretRef().getName()),
                Stream.ofNullable(container.getEnv()).flatMap(List::stream)
                        .filter(variable -> variable.getValueFrom() != null && variable.getValueFrom().getSecretKeyRef() != null)
                        .map(variable -> variable.getValueFrom().getSecretKeyRef().getName())));
    }

    private static void references(Installation installed, Installation.Pods pods, Container container, List<String> wrong) {
        Stream.ofNullable(container.getEnvFrom()).flatMap(List::stream).filter(from -> from.getConfigMapRef() != null)
                .map(from -> from.getConfigMapRef().getName()).filter(name -> !installed.has("v1", "ConfigMap", name))
                .forEach(name -> wrong.add(pods.name() + ": there is no ConfigMap " + name));
        List<String> volumes = pods.volumes().stream().map(Volume::getName).toList();
        mounts(container).stream().filter(mount -> !volumes.contains(mount.getName()))
                .forEach(mount -> wrong.add(pods.name() + ": there is no volume " + mount.getName()));
    }

    private static void references(Installation installed, Installation.Pods pods, List<String> wrong) {
        for (Volume volume : pods.volumes()) {
            if (volume.getConfigMap() != null && !installed.has("v1", "ConfigMap", volume.getConfigMap().getName())) {
                wrong.add(pods.name() + ": there is no ConfigMap " + volume.getConfigMap().getName());
            }
            // A claim that is only read may be made by hand.
            boolean claimed = volume.getPersistentVolumeClaim() != null && !(pods.owner() instanceof Service)
                    && (Boolean.TRUE.equals(volume.getPersistentVolumeClaim().getReadOnly())
                            || installed.has("v1", "PersistentVolumeClaim", volume.getPersistentVolumeClaim().getClaimName()));
            if (volume.getConfigMap() == null && volume.getEmptyDir() == null && !claimed) {
                wrong.add(pods.name() + ": volume " + volume.getName() + " is neither a ConfigMap nor an empty folder");
            }
        }
        secrets(pods).filter(name -> !SECRETS.contains(name) && !installed.has("v1", "Secret", name))
                .forEach(name -> wrong.add(pods.name() + ": there is no Secret " + name));
        if (pods.account() != null && !installed.has("v1", "ServiceAccount", pods.account())) {
            wrong.add(pods.name() + ": there is no ServiceAccount " + pods.account());
        }
    }

    /// Model keys for agents only; a token of the cluster for nobody.
    private static void keys(Installation installed, Installation.Pods pods, List<String> wrong) {
        if (secrets(pods).anyMatch(MODEL_KEYS::equals) != pods.isOf("agent")) {
            wrong.add(pods.name() + ": agents, and only they, see model keys");
        }
        if (secrets(pods).anyMatch(TOKEN::equals) != (pods.isOf("agent") || pods.isOf("status"))) {
            wrong.add(pods.name() + ": agents and pages, and only they, know the token");
        }
        boolean none = Boolean.FALSE.equals(pods.token()) || installed.all(io.fabric8.kubernetes.api.model.ServiceAccount.class).stream()
                .anyMatch(account -> account.getMetadata().getName().equals(pods.account())
                        && Boolean.FALSE.equals(account.getAutomountServiceAccountToken()));
        if (!none) {
            wrong.add(pods.name() + ": it would get a token of the cluster");
        }
    }

    /// What stock Knative takes, inside the cluster only, down to no pod at all.
    private static void plain(Service service, List<String> wrong) {
        String name = "Service " + service.getMetadata().getName();
        RevisionSpec spec = service.getSpec().getTemplate().getSpec();
        if (Stream.of(spec.getNodeSelector(), spec.getTolerations(), spec.getInitContainers()).anyMatch(field -> field != null
                && !field.equals(List.of()) && !field.equals(Map.of())) || Stream.of(spec.getAffinity(), spec.getRuntimeClassName(),
                        spec.getSecurityContext(), spec.getPriorityClassName()).anyMatch(Objects::nonNull)) {
            wrong.add(name + ": a field needs a feature flag of Knative Serving");
        }
        if (!"cluster-local".equals(Installation.labels(service.getMetadata().getLabels()).get("networking.knative.dev/visibility"))) {
            wrong.add(name + ": it can be reached from outside the cluster");
        }
        if (!"0".equals(service.getSpec().getTemplate().getMetadata().getAnnotations().get("autoscaling.knative.dev/min-scale"))
                || spec.getContainerConcurrency() == null || spec.getContainerConcurrency() < 1) {
            wrong.add(name + ": it does not scale to zero, or takes any number of requests at once");
        }
    }

    private static void jobs(JobSink sink, List<String> wrong) {
        String name = "JobSink " + sink.getMetadata().getName();
        JobSpec job = sink.getSpec().getJob().getSpec();
        if (job.getActiveDeadlineSeconds() == null || job.getBackoffLimit() == null || job.getTtlSecondsAfterFinished() == null
                || !"Never".equals(job.getTemplate().getSpec().getRestartPolicy())) {
            wrong.add(name + ": a Job must end, be tried a few times only, and go away");
        }
        if (!Boolean.FALSE.equals(job.getTemplate().getSpec().getAutomountServiceAccountToken())) {
            wrong.add(name + ": automountServiceAccountToken must be false");
        }
        boolean gpu = job.getTemplate().getSpec().getContainers().stream()
                .anyMatch(container -> container.getResources() != null
                        && container.getResources().getLimits() != null && container.getResources().getLimits().containsKey(GPU));
        boolean placed = "true".equals(Installation.labels(job.getTemplate().getSpec().getNodeSelector()).get(GPU_LABEL))
                && Stream.ofNullable(job.getTemplate().getSpec().getTolerations()).flatMap(List::stream).anyMatch(toleration -> GPU.equals(toleration.getKey())
                        && "Exists".equals(toleration.getOperator()) && "NoSchedule".equals(toleration.getEffect()));
        if (gpu != placed) {
            wrong.add(name + ": a GPU needs the label " + GPU_LABEL + " and the toleration " + GPU + ", and they need a GPU");
        }
    }

    /// A pod that some egress policy selects may go only where one of them says.
    private static void network(Installation installed, List<String> wrong) {
        for (Installation.Pods pods : installed.pods()) {
            List<NetworkPolicy> of = installed.all(NetworkPolicy.class).stream()
                    .filter(policy -> Installation.selects(policy.getSpec().getPodSelector(), pods.labels())).toList();
            if (of.stream().noneMatch(policy -> policy.getSpec().getPolicyTypes().contains("Ingress"))
                    || of.stream().noneMatch(policy -> policy.getSpec().getPolicyTypes().contains("Egress"))) {
                wrong.add(pods.name() + ": its network is not limited");
            }
            boolean internet = of.stream().flatMap(policy -> Stream.ofNullable(policy.getSpec().getEgress()).flatMap(List::stream))
                    .flatMap(rule -> rule.getTo() == null || rule.getTo().isEmpty() ? Stream.of(new NetworkPolicyPeer()) : rule.getTo().stream())
                    .anyMatch(to -> to.getNamespaceSelector() == null && to.getPodSelector() == null
                            && (to.getIpBlock() == null || !to.getIpBlock().getCidr().endsWith("/32")));
            if (internet != pods.isOf("agent")) {
                wrong.add(pods.name() + ": agents, and only they, reach the internet");
            }
        }
    }
}
