package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.mlestar.Subprocess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The whole program as one Deployment, for a cluster without Knative.
class OneDeploymentTest {
    @TempDir
    private Path folder;

    private static Installation one(String... components) {
        return Installation.read(Kustomize.build("""
                apiVersion: kustomize.config.k8s.io/v1beta1
                kind: Kustomization
                namespace: mlestar
                resources: [../../k8s/one]
                components: [%s]
                """.formatted(
                String.join(", ", List.of(components).stream().map(component -> "../../k8s/" + component).toList()))));
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
        Service service = installed.all(Service.class).getFirst();
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
