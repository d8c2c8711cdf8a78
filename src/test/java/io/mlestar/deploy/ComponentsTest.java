package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.sinks.v1alpha1.JobSink;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What a user may add to an overlay.
class ComponentsTest {
    private static Installation with(String component) {
        Installation installed = Installation.read(Kustomize.overlay("gpu-kinds", component));
        assertThat(Stream.of(EventChecks.of(installed), PodChecks.of(installed)).flatMap(List::stream)).isEmpty();
        assertThat(installed.all(JobSink.class)).hasSize(3);
        return installed;
    }

    private static PodSpec pod(JobSink sink) {
        return sink.getSpec().getJob().getSpec().getTemplate().getSpec();
    }

    @Test
    void allScriptsShareOneCopyOfADataSet() {
        Installation installed = with("data-volume");
        assertThat(installed.unreadable()).isEmpty();
        assertThat(installed.all(JobSink.class)).allSatisfy(sink -> {
            assertThat(pod(sink).getVolumes()).anySatisfy(volume -> assertThat(volume.getPersistentVolumeClaim()).isNotNull());
            String cache = pod(sink).getContainers().getFirst().getEnv().stream().filter(variable -> variable.getName().equals("MLE_STAR_CACHE"))
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
        assertThat(installed.unreadable()).containsExactly("scheduling.k8s.io/v1/PriorityClass " + ofScripts + ": unknown kind");
        assertThat(installed.all(JobSink.class)).allSatisfy(sink -> assertThat(pod(sink).getPriorityClassName()).isEqualTo(ofScripts));
        assertThat(installed.all(ResourceQuota.class)).singleElement().satisfies(quota -> {
            assertThat(quota.getSpec().getScopeSelector().getMatchExpressions()).singleElement()
                    .satisfies(scope -> assertThat(scope.getValues()).containsExactly(ofScripts));
            assertThat(quota.getSpec().getHard()).as("a Job that is refused is a script that fails").doesNotContainKey("count/jobs.batch");
        });
    }

    @Test
    void kueueFindsItsJobsByTheirQueue() {
        Installation installed = with("kueue");
        assertThat(installed.unreadable()).containsExactly("kueue.x-k8s.io/v1beta1/LocalQueue scripts: unknown kind");
        assertThat(installed.all(JobSink.class)).allSatisfy(sink -> assertThat(sink.getSpec().getJob().getMetadata().getLabels())
                .containsEntry("kueue.x-k8s.io/queue-name", "scripts"));
    }

    @Test
    void theMonitorFindsEveryPodThatHasMetrics() {
        assertThat(with("alerts").unreadable()).containsExactlyInAnyOrder("monitoring.coreos.com/v1/PodMonitor mlestar: unknown kind",
                "monitoring.coreos.com/v1/PrometheusRule mlestar: unknown kind");
    }

    @Test
    void inTheSecureOverlayEventsGoByHttpsOnly() {
        List<NetworkPolicy> policies = Installation.read(Kustomize.overlay("secure")).all(NetworkPolicy.class);
        assertThat(policies.stream().filter(policy -> policy.getMetadata().getName().equals("out-to-broker-and-store"))
                .flatMap(policy -> policy.getSpec().getEgress().stream()).filter(rule -> rule.getTo().stream().anyMatch(to -> to.getNamespaceSelector() != null
                        && "knative-eventing".equals(Installation.labels(to.getNamespaceSelector().getMatchLabels()).get("kubernetes.io/metadata.name"))))
                .flatMap(rule -> rule.getPorts().stream())).singleElement().satisfies(port -> assertThat(port.getPort().getIntVal()).isEqualTo(8443));
    }
}
