package io.mlestar.deploy;

import io.fabric8.knative.serving.v1.RevisionSpec;
import io.fabric8.knative.serving.v1.Service;
import io.fabric8.knative.sinks.v1alpha1.JobSink;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.api.model.networking.v1.IPBlock;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import module java.base;

/// Checks on what runs and what it may reach. Each gives what is wrong, one line each.
final class PodChecks {
    private static final String GPU = "nvidia.com/gpu";
    private static final String GPU_LABEL = "nvidia.com/gpu.present";
    private static final String MODEL_KEYS = "model-keys";
    private static final String TOKEN = "mlestar-token";
    private static final String STORE_KEYS = "store-credentials";
    private static final String SCRIPT_STORE_KEYS = "script-store-credentials";
    private static final List<String> PRIVATE =
            List.of("10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16");
    private static final Pattern TOLD = Pattern.compile("(\\d+) processors?, (\\d+) GB of memory,.*");
    /// Made by hand, so they may be missing from the manifests.
    private static final Set<String> SECRETS =
            Set.of(MODEL_KEYS, STORE_KEYS, SCRIPT_STORE_KEYS, "prune-store-credentials", TOKEN);

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
        installed.all(JobSink.class).forEach(sink -> jobs(installed, sink, wrong));
        network(installed, wrong);
        return wrong;
    }

    private static List<String> names(Installation installed) {
        return installed.objects().stream().map(HasMetadata::getMetadata).map(metadata -> metadata.getName())
                .filter(name -> !name.matches("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"))
                .map(name -> name + ": no name of at most 63 characters").toList();
    }

    private static void safe(Installation.Pods pods, Container container, List<String> wrong) {
        SecurityContext security = Objects.requireNonNullElseGet(container.getSecurityContext(), SecurityContext::new);
        if (!Boolean.TRUE.equals(security.getRunAsNonRoot())
                || !Boolean.TRUE.equals(security.getReadOnlyRootFilesystem())
                || !Boolean.FALSE.equals(security.getAllowPrivilegeEscalation()) || security.getCapabilities() == null
                || !List.of("ALL").equals(security.getCapabilities().getDrop()) || security.getSeccompProfile() == null
                || !"RuntimeDefault".equals(security.getSeccompProfile().getType())) {
            wrong.add(pods.name() + ": the container has more rights than it needs");
        }
        for (String resource : List.of("cpu", "memory", "ephemeral-storage")) {
            if (container.getResources() == null || container.getResources().getRequests() == null
                    || container.getResources().getLimits() == null
                    || !container.getResources().getRequests().containsKey(resource)
                    || !container.getResources().getLimits().containsKey(resource)) {
                wrong.add(pods.name() + ": " + resource + " has no request or no limit");
            }
        }
        if (!container.getImage().matches(".*@sha256:[0-9a-f]{64}|[^:]*(:[0-9]+/[^:]*)?:(?!latest$)[\\w.-]+")) {
            wrong.add(pods.name() + ": the image " + container.getImage() + " is not pinned");
        }
        if (!container.getImage().matches("[^/]*[.:][^/]*/.+")) {
            wrong.add(pods.name() + ": the image " + container.getImage() + " names no registry");
        }
        if (!(pods.owner() instanceof Deployment) && !"IfNotPresent".equals(container.getImagePullPolicy())) {
            wrong.add(pods.name() + ": an image that is there is pulled again");
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
                Stream.ofNullable(container.getEnvFrom()).flatMap(List::stream)
                        .filter(from -> from.getSecretRef() != null)
                        .map(from -> from.getSecretRef().getName()),
                Stream.ofNullable(container.getEnv()).flatMap(List::stream)
                        .filter(variable -> variable.getValueFrom() != null
                                && variable.getValueFrom().getSecretKeyRef() != null)
                        .map(variable -> variable.getValueFrom().getSecretKeyRef().getName())));
    }

    private static void references(Installation installed, Installation.Pods pods, Container container,
            List<String> wrong) {
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
                            || installed.has("v1", "PersistentVolumeClaim",
                                    volume.getPersistentVolumeClaim().getClaimName()));
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

    /// Agents, and the whole program, which holds them.
    private static boolean asksModels(Installation.Pods pods) {
        return pods.isOf("agent") || pods.isOf("one");
    }

    /// Model keys for agents only; a token of the cluster for nobody.
    private static void keys(Installation installed, Installation.Pods pods, List<String> wrong) {
        if (secrets(pods).anyMatch(MODEL_KEYS::equals) != asksModels(pods)) {
            wrong.add(pods.name() + ": agents, and only they, see model keys");
        }
        if (secrets(pods).anyMatch(TOKEN::equals) != (asksModels(pods) || pods.isOf("status"))) {
            wrong.add(pods.name() + ": agents and pages, and only they, know the token");
        }
        if (secrets(pods).anyMatch(SCRIPT_STORE_KEYS::equals) != pods.isOf("script")
                || secrets(pods).anyMatch(STORE_KEYS::equals) && pods.isOf("script")) {
            wrong.add(pods.name() + ": scripts, and only they, have keys of their own to the store");
        }
        boolean none = Boolean.FALSE.equals(pods.token())
                || installed.all(io.fabric8.kubernetes.api.model.ServiceAccount.class).stream()
                        .anyMatch(account -> account.getMetadata().getName().equals(pods.account())
                                && Boolean.FALSE.equals(account.getAutomountServiceAccountToken()));
        if (!none) {
            wrong.add(pods.name() + ": it would get a token of the cluster");
        }
    }

    /// Checks that stock Knative takes a Service, inside the cluster only, down to no pod at all.
    private static void plain(Service service, List<String> wrong) {
        String name = "Service " + service.getMetadata().getName();
        RevisionSpec spec = service.getSpec().getTemplate().getSpec();
        if (Stream.of(spec.getNodeSelector(), spec.getTolerations(), spec.getInitContainers())
                .anyMatch(field -> field != null
                        && !field.equals(List.of()) && !field.equals(Map.of()))
                || Stream.of(spec.getAffinity(), spec.getRuntimeClassName(),
                        spec.getSecurityContext(), spec.getPriorityClassName()).anyMatch(Objects::nonNull)) {
            wrong.add(name + ": a field needs a feature flag of Knative Serving");
        }
        if (!"cluster-local".equals(
                Installation.labels(service.getMetadata().getLabels()).get("networking.knative.dev/visibility"))) {
            wrong.add(name + ": it can be reached from outside the cluster");
        }
        if (spec.getContainers().stream().anyMatch(container -> container.getLivenessProbe() == null
                || !"/q/health/live".equals(container.getLivenessProbe().getHttpGet().getPath()))) {
            wrong.add(name + ": nothing asks whether it lives");
        }
        if (!"0".equals(
                service.getSpec().getTemplate().getMetadata().getAnnotations().get("autoscaling.knative.dev/min-scale"))
                || spec.getContainerConcurrency() == null || spec.getContainerConcurrency() < 1) {
            wrong.add(name + ": it does not scale to zero, or takes any number of requests at once");
        }
    }

    private static void jobs(Installation installed, JobSink sink, List<String> wrong) {
        String name = "JobSink " + sink.getMetadata().getName();
        JobSpec job = sink.getSpec().getJob().getSpec();
        if (job.getActiveDeadlineSeconds() == null || job.getBackoffLimit() == null
                || job.getTtlSecondsAfterFinished() == null
                || !"Never".equals(job.getTemplate().getSpec().getRestartPolicy())) {
            wrong.add(name + ": a Job must end, be tried a few times only, and go away");
        }
        if (!Boolean.FALSE.equals(job.getTemplate().getSpec().getAutomountServiceAccountToken())) {
            wrong.add(name + ": automountServiceAccountToken must be false");
        }
        Map<String, String> annotations = Installation.labels(job.getTemplate().getMetadata().getAnnotations());
        if (!"false".equals(annotations.get("cluster-autoscaler.kubernetes.io/safe-to-evict"))
                || !"true".equals(annotations.get("karpenter.sh/do-not-disrupt"))) {
            wrong.add(name + ": its node may be emptied for thrift");
        }
        told(installed, sink, wrong);
        boolean gpu = job.getTemplate().getSpec().getContainers().stream()
                .anyMatch(container -> container.getResources() != null
                        && container.getResources().getLimits() != null
                        && container.getResources().getLimits().containsKey(GPU));
        boolean placed =
                "true".equals(Installation.labels(job.getTemplate().getSpec().getNodeSelector()).get(GPU_LABEL))
                        && Stream.ofNullable(job.getTemplate().getSpec().getTolerations()).flatMap(List::stream)
                                .anyMatch(toleration -> GPU.equals(toleration.getKey())
                                        && "Exists".equals(toleration.getOperator())
                                        && "NoSchedule".equals(toleration.getEffect()));
        if (gpu != placed) {
            wrong.add(name + ": a GPU needs the label " + GPU_LABEL + " and the toleration " + GPU
                    + ", and they need a GPU");
        }
    }

    /// The addresses outside the cluster that a rule leads to; all if it names no receiver.
    private static Stream<IPBlock> blocks(NetworkPolicyEgressRule rule) {
        return rule.getTo() == null || rule.getTo().isEmpty() ? Stream.of(new IPBlock("0.0.0.0/0", List.of()))
                : rule.getTo().stream().map(NetworkPolicyPeer::getIpBlock).filter(Objects::nonNull);
    }

    /// Agents are told of what a script may use; an installation that offers no machine of that
    /// kind tells them nothing.
    private static void told(Installation installed, JobSink sink, List<String> wrong) {
        String kind = sink.getMetadata().getName().substring("script-".length());
        String variable =
                kind.equals("cpu") ? "MLE_STAR_HARDWARE" : "MLE_STAR_HARDWARE_" + kind.toUpperCase(Locale.ROOT);
        installed.all(ConfigMap.class).stream().map(map -> Installation.labels(map.getData()).get(variable))
                .filter(Objects::nonNull).findFirst()
                .map(TOLD::matcher).ifPresent(words -> {
                    Map<String, Quantity> limits =
                            sink.getSpec().getJob().getSpec().getTemplate().getSpec().getContainers().getFirst()
                                    .getResources().getLimits();
                    if (!words.matches() || !new Quantity(words.group(1)).equals(limits.get("cpu"))
                            || !new Quantity(words.group(2) + "Gi").equals(limits.get("memory"))) {
                        wrong.add("JobSink " + sink.getMetadata().getName() + ": its limits are " + limits.get("cpu")
                                + " and " + limits.get("memory")
                                + ", and agents are told of " + words.replaceFirst("$1 processors, $2 GB"));
                    }
                });
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
            boolean past = of.stream().filter(policy -> policy.getMetadata().getName().equals("in-through-knative"))
                    .flatMap(policy -> policy.getSpec().getIngress().stream())
                    .anyMatch(rule -> rule.getPorts() == null
                            || rule.getPorts().stream().anyMatch(port -> port.getPort().getIntVal() == 8080));
            if (past) {
                wrong.add(pods.name() + ": it is reached past Knative's proxy");
            }
            List<NetworkPolicyEgressRule> outside =
                    of.stream().flatMap(policy -> Stream.ofNullable(policy.getSpec().getEgress()).flatMap(List::stream))
                            .filter(rule -> blocks(rule).anyMatch(block -> !block.getCidr().endsWith("/32"))).toList();
            boolean internet = outside.stream().anyMatch(rule -> rule.getPorts() != null
                    && rule.getPorts().stream().allMatch(port -> port.getPort().getIntVal() == 443))
                    && outside.size() == 1;
            if (outside.stream().flatMap(PodChecks::blocks).anyMatch(block -> block.getCidr().equals("0.0.0.0/0")
                    && !block.getExcept().containsAll(PRIVATE))) {
                wrong.add(pods.name() + ": a private network is no way out");
            }
            if (internet != asksModels(pods) || !internet && !outside.isEmpty()) {
                wrong.add(pods.name() + ": agents, and only they, reach the internet");
            }
        }
    }
}
