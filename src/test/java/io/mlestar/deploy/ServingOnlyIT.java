package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.serving.v1.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// What the build itself writes for Knative: the whole program as one Service.
class ServingOnlyIT {
    @Test
    void oneServiceIsTheWholeProgramAndStaysUp() throws IOException {
        Installation built = Installation.read(Files.readString(Path.of("target/kubernetes/knative.yml")));
        assertThat(built.unreadable()).isEmpty();
        Service service = (Service) built.objects().getFirst();
        assertThat(built.objects()).hasSize(1);
        assertThat(service.getMetadata().getLabels()).containsEntry("networking.knative.dev/visibility", "cluster-local");
        // Its broker is inside: a pod that went away between two requests would take events with it.
        assertThat(service.getSpec().getTemplate().getMetadata().getAnnotations())
                .containsEntry("autoscaling.knative.dev/min-scale", "1").containsEntry("autoscaling.knative.dev/max-scale", "1");
        assertThat(service.getSpec().getTemplate().getSpec().getContainers()).singleElement().satisfies(container -> {
            assertThat(container.getArgs()).containsExactly("serve", "--host", "0.0.0.0");
            assertThat(container.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/q/health/ready");
            assertThat(container.getImage()).isEqualTo("mlestar-scripts:0.1.0");
        });
    }
}
