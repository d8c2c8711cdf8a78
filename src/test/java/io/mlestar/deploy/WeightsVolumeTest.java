package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.sinks.v1alpha1.JobSink;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `k8s/weights` over an overlay, as a user would name it.
class WeightsVolumeTest {
    @ParameterizedTest
    @ValueSource(strings = {"dev", "gpu"})
    void everyScriptFindsTheClaimAndCannotWriteToIt(String overlay) {
        Installation installed = Installation.read(Kustomize.overlay(overlay, "weights"));
        assertThat(Stream.of(installed.unreadable(), EventChecks.of(installed), PodChecks.of(installed)).flatMap(java.util.List::stream)).isEmpty();
        assertThat(installed.all(JobSink.class)).hasSize(2).allSatisfy(sink -> {
            PodSpec pod = sink.getSpec().getJob().getSpec().getTemplate().getSpec();
            Container script = pod.getContainers().getFirst();
            assertThat(script.getEnv()).filteredOn(one -> one.getName().equals("MLE_STAR_WEIGHTS")).singleElement()
                    .satisfies(one -> assertThat(one.getValue()).isEqualTo("/weights"));
            assertThat(script.getVolumeMounts()).filteredOn(mount -> mount.getMountPath().equals("/weights")).singleElement()
                    .satisfies(mount -> assertThat(mount.getReadOnly()).isTrue());
            assertThat(pod.getVolumes()).filteredOn(volume -> volume.getName().equals("weights")).singleElement()
                    .satisfies(volume -> assertThat(volume.getPersistentVolumeClaim().getReadOnly()).isTrue());
        });
    }
}
