package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.eventing.v1.Trigger;
import io.fabric8.knative.serving.v1.Service;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The same functions in few Services.
class SmallProfileTest {
    static Stream<Path> overlays() throws IOException {
        return ManifestsTest.overlays();
    }

    private static List<String> wrong(Installation installed) {
        return Stream.of(installed.unreadable(), EventChecks.of(installed), PodChecks.of(installed))
                .flatMap(List::stream).toList();
    }

    @ParameterizedTest
    @MethodSource("overlays")
    void everyOverlayIsSoundInSmallToo(Path overlay) {
        Installation small = Installation.read(Kustomize.overlay(overlay.toString(), "small"));
        assertThat(small.all(Service.class)).extracting(service -> service.getMetadata().getName())
                .containsExactlyInAnyOrder("agents", "phases", "status");
        assertThat(wrong(small)).isEmpty();
    }

    @Test
    void theSameEventsAreDeliveredByTheSameTriggers() {
        assertThat(filters("small")).isEqualTo(filters());
    }

    private static Map<String, Map<String, String>> filters(String... components) {
        return Installation.read(Kustomize.overlay("gpu", components)).all(Trigger.class).stream()
                .collect(Collectors.toMap(trigger -> trigger.getMetadata().getName(),
                        trigger -> trigger.getSpec().getFilter().getAttributes()));
    }

    @Test
    void itsServicesAreMadeAndFoundAsThatOfThePages() {
        List<Service> services =
                Installation.read(Kustomize.overlay("kafka", "small", "observability")).all(Service.class);
        Set<String> own = Set.of("app.kubernetes.io/component", "mlestar.io/class", "mlestar.io/function");
        assertThat(services)
                .extracting(service -> service.getMetadata().getLabels().entrySet().stream()
                        .filter(label -> !own.contains(label.getKey()))
                        .collect(Collectors.toSet()))
                .doesNotContain(Set.of()).allMatch(labels -> labels.equals(labelsOf(services.getFirst(), own)));
        assertThat(services)
                .allSatisfy(service -> assertThat(service.getSpec().getTemplate().getMetadata().getAnnotations())
                        .containsEntry("prometheus.io/scrape", "true"));
    }

    private static Set<Map.Entry<String, String>> labelsOf(Service service, Set<String> but) {
        return service.getMetadata().getLabels().entrySet().stream().filter(label -> !but.contains(label.getKey()))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    value: agents      | value: agent            | no Service of its name and kind exports it
                    value: phases      | value: agents           | no Service of its name and kind exports it
                    kind: Service\\n      name: phases | kind: Service\\n      name: agents | no Service of its name and kind exports it
                    timeout: PT360S    | timeout: PT300S         | delivery.timeout must be more than
                    uri: /dead-letter  | uri: /                  | its dead letters do not go to
                    """)
    void aMistakeIsFoundInSmallToo(String right, String mistake, String found) {
        String sound = Kustomize.overlay("kafka", "small");
        String broken = sound.replace(right.replace("\\n", "\n"), mistake.replace("\\n", "\n"));
        assertThat(broken.equals(sound)).as("the manifests hold no " + right).isFalse();
        assertThat(wrong(Installation.read(broken))).anyMatch(line -> line.contains(found));
    }
}
