package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.eventing.v1alpha1.EventPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The table of a cluster's ways in (docs/security.md), compared with what each overlay would
/// install.
class WaysInTest {
    private static final Pattern NAME = Pattern.compile("`([a-z.-]+)`");

    /// @param column 1 for base
    private static String cell(String way, int column) throws IOException {
        String row = Files.readAllLines(Path.of("docs/security.md")).stream()
                .filter(line -> line.startsWith("| " + way + " |")).findFirst().orElseThrow();
        String cell = row.split("\\|")[column + 1].strip();
        return cell.startsWith("as in base") ? cell(way, 1) : cell.startsWith("as `oidc`") ? cell(way, 2) : cell;
    }

    private static Set<String> names(String cell) {
        return NAME.matcher(cell).results().map(name -> name.group(1)).collect(Collectors.toSet());
    }

    /// Senders and filters of the policies for a kind of receiver; none if any pod may send.
    private static Set<String> senders(Installation installed, String kind) {
        return installed.all(EventPolicy.class).stream()
                .filter(policy -> policy.getSpec().getTo().stream()
                        .anyMatch(to -> kind
                                .equals(to.getRef() == null ? to.getSelector().getKind() : to.getRef().getKind())))
                .flatMap(policy -> Stream.concat(
                        policy.getSpec().getFrom().stream()
                                .map(from -> from.getRef() != null ? from.getRef().getName()
                                        : from.getSub().replaceFirst(".*:", "")),
                        Stream.ofNullable(policy.getSpec().getFilters()).flatMap(Collection::stream)
                                .flatMap(filter -> filter.getPrefix().values().stream())))
                .collect(Collectors.toSet());
    }

    /// Namespaces whose pods reach ours.
    private static Set<String> admitted(Installation installed) {
        return installed.all(NetworkPolicy.class).stream()
                .filter(policy -> policy.getMetadata().getName().equals("in-through-knative"))
                .flatMap(policy -> policy.getSpec().getIngress().stream()).flatMap(rule -> rule.getFrom().stream())
                .flatMap(peer -> peer.getNamespaceSelector().getMatchExpressions().stream())
                .flatMap(expression -> expression.getValues().stream())
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @CsvSource({"dev, 1", "kafka, 1", "gpu, 1", "gpu-kinds, 1", "oidc, 2", "secure, 3"})
    void theTableOfWaysInIsThatOfTheOverlay(String overlay, int column) throws IOException {
        Installation installed = Installation.read(Kustomize.overlay(overlay));
        assertThat(senders(installed, "Broker")).isEqualTo(names(cell("an event into the Broker", column)));
        assertThat(senders(installed, "JobSink")).isEqualTo(names(cell("an event into a JobSink", column)));
        assertThat(senders(installed, "Service")).as("a Service takes no policy").isEmpty();
        assertThat(names(cell("a request to a Service", column))).isEmpty();
        assertThat(admitted(installed)).isEqualTo(names(cell("a request to a pod, past its Service", column)));
    }

    @ParameterizedTest
    @CsvSource({"oidc, true", "secure, false"})
    void onlySecureKeepsEventsWithoutEncryptionIn(String overlay, boolean plain) {
        List<Integer> ports = Installation.read(Kustomize.overlay(overlay)).all(NetworkPolicy.class).stream()
                .filter(policy -> policy.getMetadata().getName().equals("out-to-broker-and-store"))
                .flatMap(policy -> policy.getSpec().getEgress().stream())
                .flatMap(rule -> Stream.ofNullable(rule.getPorts()).flatMap(Collection::stream))
                .map(port -> port.getPort().getIntVal()).toList();
        assertThat(ports.contains(8080)).isEqualTo(plain);
        assertThat(ports).contains(8443);
    }
}
