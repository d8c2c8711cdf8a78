package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.serving.v1.Service;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// `k8s/observability` over an overlay, as a user would name it.
class ObservabilityTest {
    @Test
    void aDeploymentWithItIsSoundAndLetsItselfBeWatched() throws IOException {
        Installation installed = Installation.read(Kustomize.overlay("dev", "observability"));
        assertThat(Stream.of(installed.unreadable(), EventChecks.of(installed), PodChecks.of(installed)).flatMap(java.util.List::stream)).isEmpty();
        assertThat(installed.all(Service.class)).isNotEmpty()
                .allSatisfy(service -> assertThat(service.getSpec().getTemplate().getMetadata().getAnnotations()).containsEntry("prometheus.io/scrape", "true")
                        .containsEntry("prometheus.io/path", "/q/metrics").containsEntry("prometheus.io/port", service.getSpec().getTemplate()
                                .getSpec().getContainers().getFirst().getPorts().getFirst().getContainerPort().toString()));
        assertThat(installed.all(ConfigMap.class)).filteredOn(map -> map.getMetadata().getName().equals("grafana-dashboard-mlestar"))
                .singleElement().satisfies(map -> assertThat(map.getData()).containsEntry("mlestar.json",
                        Files.readString(Path.of("k8s/observability/dashboard.json"))));
        assertThat(installed.all(ConfigMap.class)).filteredOn(map -> map.getMetadata().getName().equals("mlestar")).singleElement()
                .satisfies(map -> assertThat(map.getData()).containsEntry("MLE_STAR_LOG_FORMAT", "json").containsKey("OTEL_EXPORTER_OTLP_ENDPOINT"));
    }
}
