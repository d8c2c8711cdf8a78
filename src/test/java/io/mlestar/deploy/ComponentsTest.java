package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.serving.v1.Service;
import io.fabric8.knative.sinks.v1alpha1.JobSink;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.mlestar.Subprocess;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The components that a user may add to an overlay; and the whole program as one Deployment, for a
/// cluster without Knative.
class ComponentsTest {
    @TempDir
    private Path folder;

    private static Installation with(String component) {
        return with("gpu-kinds", component);
    }

    private static Installation with(String overlay, String component) {
        Installation installed = Installation.read(Kustomize.overlay(overlay, component));
        assertThat(Stream.of(EventChecks.of(installed), PodChecks.of(installed)).flatMap(List::stream)).isEmpty();
        return installed;
    }

    private static PodSpec pod(JobSink sink) {
        return sink.getSpec().getJob().getSpec().getTemplate().getSpec();
    }

    @Test
    void allScriptsShareOneCopyOfADataSet() {
        Installation installed = with("data-volume");
        assertThat(installed.unreadable()).isEmpty();
        assertThat(installed.all(JobSink.class)).hasSize(3).allSatisfy(sink -> {
            assertThat(pod(sink).getVolumes())
                    .anySatisfy(volume -> assertThat(volume.getPersistentVolumeClaim()).isNotNull());
            String cache = pod(sink).getContainers().getFirst().getEnv().stream()
                    .filter(variable -> variable.getName().equals("MLE_STAR_CACHE"))
                    .findFirst().orElseThrow().getValue();
            assertThat(pod(sink).getContainers().getFirst().getVolumeMounts()).anySatisfy(mount -> {
                assertThat(mount.getName()).isEqualTo("data");
                assertThat(mount.getMountPath()).isEqualTo(cache);
            });
        });
    }

    @Test
    void aQuotaOfScriptsCountsScriptsAlone() {
        Installation installed = with("script-quota");
        String ofScripts = "mlestar-scripts";
        assertThat(installed.unreadable())
                .containsExactly("scheduling.k8s.io/v1/PriorityClass " + ofScripts + ": unknown kind");
        assertThat(installed.all(JobSink.class)).hasSize(3)
                .allSatisfy(sink -> assertThat(pod(sink).getPriorityClassName()).isEqualTo(ofScripts));
        assertThat(installed.all(ResourceQuota.class)).singleElement().satisfies(quota -> {
            assertThat(quota.getSpec().getScopeSelector().getMatchExpressions()).singleElement()
                    .satisfies(scope -> assertThat(scope.getValues()).containsExactly(ofScripts));
            assertThat(quota.getSpec().getHard()).as("a Job that is refused is a script that fails")
                    .doesNotContainKey("count/jobs.batch");
        });
    }

    /// A request may be less than what is allowed, and what is allowed stays what agents are told.
    @Test
    void scriptsAskForLessThanTheyMayUseOnlyWhereTheOperatorSaysSo() {
        assertThat(Installation.read(Kustomize.overlay("gpu-kinds")).all(JobSink.class)).hasSize(3).allSatisfy(sink -> {
            ResourceRequirements resources = pod(sink).getContainers().getFirst().getResources();
            assertThat(resources.getLimits()).containsAllEntriesOf(resources.getRequests());
        });
        assertThat(with("script-overcommit").all(JobSink.class))
                .allSatisfy(sink -> assertThat(pod(sink).getContainers().getFirst().getResources().getRequests())
                        .containsEntry("cpu", new Quantity("1")));
    }

    @Test
    void everyPodPullsWithTheKeyOfTheRegistry() {
        Installation installed = with("pull-secret");
        Set<String> accounts = installed
                .all(ServiceAccount.class).stream().filter(account -> account.getImagePullSecrets() != null
                        && account.getImagePullSecrets().stream()
                                .anyMatch(secret -> secret.getName().equals("registry-credentials")))
                .map(account -> account.getMetadata().getName()).collect(Collectors.toSet());
        assertThat(installed.pods()).isNotEmpty().allMatch(pods -> accounts.contains(pods.account()));
    }

    @Test
    void oldRunsAreRemovedEachNightByTheOnePodThatMay() {
        Installation installed = with("retention");
        assertThat(installed.unreadable()).isEmpty();
        Container prune = installed.all(CronJob.class).getFirst().getSpec().getJobTemplate().getSpec().getTemplate()
                .getSpec().getContainers().getFirst();
        assertThat(prune.getArgs()).startsWith("prune").contains("--yes");
        assertThat(prune.getEnvFrom()).filteredOn(from -> from.getSecretRef() != null)
                .extracting(from -> from.getSecretRef().getName())
                .containsExactly("prune-store-credentials");
        assertThat(prune.getImage()).isEqualTo("registry.invalid/mlestar-status:0.1.0");
    }

    @Test
    void kueueFindsItsJobsByTheirQueue() {
        Installation installed = with("kueue");
        assertThat(installed.unreadable()).containsExactly("kueue.x-k8s.io/v1beta2/LocalQueue scripts: unknown kind");
        assertThat(installed.all(JobSink.class)).hasSize(3)
                .allSatisfy(sink -> assertThat(sink.getSpec().getJob().getMetadata().getLabels())
                        .containsEntry("kueue.x-k8s.io/queue-name", "scripts"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "gpu"})
    void everyScriptFindsTheVolumeOfWeightsAndCannotWriteToIt(String overlay) {
        Installation installed = with(overlay, "weights");
        assertThat(installed.unreadable()).isEmpty();
        assertThat(installed.all(JobSink.class)).hasSize(2).allSatisfy(sink -> {
            PodSpec pod = pod(sink);
            Container script = pod.getContainers().getFirst();
            assertThat(script.getEnv()).filteredOn(one -> one.getName().equals("MLE_STAR_WEIGHTS")).singleElement()
                    .satisfies(one -> assertThat(one.getValue()).isEqualTo("/weights"));
            assertThat(script.getVolumeMounts()).filteredOn(mount -> mount.getMountPath().equals("/weights"))
                    .singleElement()
                    .satisfies(mount -> assertThat(mount.getReadOnly()).isTrue());
            assertThat(pod.getVolumes()).filteredOn(volume -> volume.getName().equals("weights")).singleElement()
                    .satisfies(volume -> assertThat(volume.getPersistentVolumeClaim().getReadOnly()).isTrue());
        });
    }

    @Test
    void aDeploymentWithObservabilityLetsItselfBeWatched() throws IOException {
        Installation installed = with("dev", "observability");
        assertThat(installed.unreadable()).isEmpty();
        assertThat(installed.all(Service.class)).isNotEmpty()
                .allSatisfy(service -> assertThat(service.getSpec().getTemplate().getMetadata().getAnnotations())
                        .containsEntry("prometheus.io/scrape", "true")
                        .containsEntry("prometheus.io/path", "/q/metrics")
                        .containsEntry("prometheus.io/port", service.getSpec().getTemplate()
                                .getSpec().getContainers().getFirst().getPorts().getFirst().getContainerPort()
                                .toString()));
        assertThat(installed.all(ConfigMap.class))
                .filteredOn(map -> map.getMetadata().getName().equals("grafana-dashboard-mlestar"))
                .singleElement().satisfies(map -> assertThat(map.getData()).containsEntry("mlestar.json",
                        Files.readString(Path.of("k8s/observability/dashboard.json"))));
        assertThat(installed.all(ConfigMap.class)).filteredOn(map -> map.getMetadata().getName().equals("mlestar"))
                .singleElement()
                .satisfies(map -> assertThat(map.getData()).containsEntry("MLE_STAR_LOG_FORMAT", "json")
                        .containsKey("OTEL_EXPORTER_OTLP_ENDPOINT"));
    }

    private static Installation one(String... components) {
        return Installation.read(Kustomize.of("one", List.of(components)));
    }

    private static PodSpec pod(Installation installed) {
        return installed.all(Deployment.class).getFirst().getSpec().getTemplate().getSpec();
    }

    private static Container container(Installation installed) {
        return pod(installed).getContainers().getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "one-bucket"})
    void itKeepsTheRulesOfAllPods(String component) {
        Installation installed = component.isEmpty() ? one() : one(component);
        assertThat(installed.unreadable()).isEmpty();
        assertThat(PodChecks.of(installed)).isEmpty();
        assertThat(installed.objects()).extracting(HasMetadata::getApiVersion)
                .as("neither Knative nor rights at the API server")
                .containsOnly("v1", "apps/v1", "networking.k8s.io/v1");
        assertThat(pod(installed).getAutomountServiceAccountToken()).isFalse();
        assertThat(container(installed).getResources().getRequests())
                .containsEntry("memory", container(installed).getResources().getLimits().get("memory"))
                .containsKey("ephemeral-storage");
    }

    @Test
    void oneServerIsReachedByItsServiceAndWatchedAtItsPort() {
        Installation installed = one();
        Deployment deployment = installed.all(Deployment.class).getFirst();
        assertThat(deployment.getSpec().getReplicas()).isEqualTo(1);
        assertThat(deployment.getSpec().getStrategy().getType())
                .as("two brokers on one store would pay for a step twice").isEqualTo("Recreate");
        io.fabric8.kubernetes.api.model.Service service =
                installed.all(io.fabric8.kubernetes.api.model.Service.class).getFirst();
        assertThat(deployment.getSpec().getTemplate().getMetadata().getLabels())
                .containsAllEntriesOf(service.getSpec().getSelector());
        assertThat(container(installed).getArgs()).containsExactly("serve", "--host", "0.0.0.0");
        assertThat(List.of(container(installed).getReadinessProbe(), container(installed).getLivenessProbe()))
                .extracting(Probe::getHttpGet)
                .allSatisfy(probe -> assertThat(probe.getPort().getIntVal()).isEqualTo(8080))
                .extracting(probe -> probe.getPath()).containsExactly("/q/health/ready", "/q/health/live");
        String names = settings(installed).get("MLE_STAR_HOST_NAMES");
        assertThat(names.split(",")).contains(service.getMetadata().getName());
    }

    @Test
    void withoutATokenThereIsNoServer() {
        assertThat(container(one()).getEnvFrom())
                .filteredOn(
                        from -> from.getSecretRef() != null && from.getSecretRef().getName().equals("mlestar-token"))
                .singleElement().satisfies(from -> assertThat(from.getSecretRef().getOptional()).isNotEqualTo(true));
    }

    private static Map<String, String> settings(Installation installed) {
        return installed.all(ConfigMap.class).getFirst().getData();
    }

    @Test
    void runsAndCachedDataLieOnTheVolumeOrInABucket() {
        Installation volume = one();
        assertThat(volume.all(PersistentVolumeClaim.class)).singleElement()
                .satisfies(claim -> assertThat(pod(volume).getVolumes()).extracting(Volume::getPersistentVolumeClaim)
                        .filteredOn(used -> used != null)
                        .singleElement()
                        .satisfies(used -> assertThat(used.getClaimName()).isEqualTo(claim.getMetadata().getName())));
        String mounted = container(volume).getVolumeMounts().getFirst().getMountPath() + "/";
        assertThat(settings(volume))
                .hasEntrySatisfying("MLE_STAR_STORE", store -> assertThat(store).startsWith(mounted))
                .hasEntrySatisfying("MLE_STAR_CACHE", cache -> assertThat(cache).startsWith(mounted))
                .hasEntrySatisfying("MLE_STAR_DATA", data -> assertThat(data).startsWith(mounted));
        Installation bucket = one("one-bucket");
        assertThat(bucket.all(PersistentVolumeClaim.class)).isEmpty();
        assertThat(settings(bucket).get("MLE_STAR_STORE")).startsWith("s3://");
    }

    /// @param lacks what the cluster lacks
    private Subprocess deploy(String lacks) throws IOException, InterruptedException {
        Path kubectl = Files.writeString(folder.resolve("kubectl"),
                """
                        #!/bin/sh
                        echo "$*" >> "$SEEN"
                        case "$*" in *"get $LACKS"*) exit 1 ;; *"rollout status"*) [ "$LACKS" != ready ] ;; *"get pods"*) echo "mlestar-1: Pending, no node" ;; esac
                        """);
        assertThat(kubectl.toFile().setExecutable(true)).isTrue();
        return Subprocess.run(Path.of("").toAbsolutePath(),
                Map.of("PATH", folder + ":" + System.getenv("PATH"), "SEEN", folder.resolve("seen").toString(),
                        "LACKS", lacks, "NAMESPACE", "team"),
                "src/build/deploy-one");
    }

    @Test
    void makeDeployOneSaysWhatIsMissing() throws Exception {
        assertThat(deploy("secret mlestar-token")).satisfies(ended -> assertThat(ended.exitCode()).isEqualTo(1))
                .satisfies(ended -> assertThat(ended.said())
                        .contains("kubectl -n team create secret generic mlestar-token"));
        assertThat(deploy("namespace team").said()).contains("kubectl create namespace team");
        assertThat(Files.readString(folder.resolve("seen"))).as("nothing was applied").doesNotContain("apply");
        assertThat(deploy("secret model-keys"))
                .satisfies(ended -> assertThat(ended.exitCode()).as(ended.said()).isZero())
                .satisfies(ended -> assertThat(ended.said()).contains("no Secret model-keys"));
        assertThat(Files.readString(folder.resolve("seen"))).contains("apply -k target/deploy-one");
        assertThat(deploy("ready")).satisfies(ended -> assertThat(ended.exitCode()).isEqualTo(1))
                .satisfies(ended -> assertThat(ended.said()).contains("mlestar-1: Pending, no node"));
    }
}
