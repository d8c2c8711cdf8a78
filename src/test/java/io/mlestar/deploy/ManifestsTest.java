package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.eventing.v1.Trigger;
import io.fabric8.knative.eventing.v1alpha1.EventPolicy;
import io.fabric8.knative.serving.v1.Service;
import io.fabric8.knative.sinks.v1alpha1.JobSink;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.mlestar.ProjectFiles;
import io.mlestar.adapter.broker.Routes;
import io.mlestar.core.event.Event;
import io.mlestar.core.event.Functions;
import io.mlestar.core.step.StepPath;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The manifests, as a cluster would get them, without one.
class ManifestsTest {
    private static final String REGISTRY = "registry.invalid/";

    private static List<String> wrong(Installation installed) {
        return Stream.of(installed.unreadable(), EventChecks.of(installed), PodChecks.of(installed))
                .flatMap(List::stream).toList();
    }

    static Stream<Path> overlays() throws IOException {
        try (Stream<Path> overlays = Files.list(Path.of("k8s/overlays"))) {
            return overlays.map(Path::getFileName).sorted().toList().stream();
        }
    }

    @Test
    void whatIsCommittedIsWhatTheListOfFunctionsMakes() throws IOException {
        Map<Path, String> made = Manifests.all();
        for (Map.Entry<Path, String> file : made.entrySet()) {
            assertThat(file.getKey()).as("run 'make manifests'").hasContent(file.getValue());
        }
        try (Stream<Path> functions = Files.list(Manifests.HOME.resolve("functions"))) {
            assertThat(functions.filter(file -> !made.containsKey(file)).toList())
                    .as("files of functions that there are not").isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("overlays")
    void everyOverlayIsSound(Path overlay) {
        Installation installed = Installation.read(Kustomize.overlay(overlay.toString()));
        // A script is no Service, but the pages are one.
        assertThat(installed.all(Service.class)).hasSize(Functions.ALL.size());
        assertThat(wrong(installed)).isEmpty();
        Installation small = Installation.read(Kustomize.overlay(overlay.toString(), "small"));
        assertThat(small.all(Service.class)).extracting(service -> service.getMetadata().getName())
                .containsExactlyInAnyOrder("agents", "phases", "status");
        assertThat(wrong(small)).isEmpty();
        assertThat(filters(small)).as("the same events by the same Triggers").isEqualTo(filters(installed));
    }

    private static Map<String, Map<String, String>> filters(Installation installed) {
        return installed.all(Trigger.class).stream().collect(Collectors.toMap(
                trigger -> trigger.getMetadata().getName(), trigger -> trigger.getSpec().getFilter().getAttributes()));
    }

    @ParameterizedTest
    @CsvSource({"dev, MTChannelBasedBroker, ''", "kafka, Kafka, ''", "gpu, Kafka, gpu", "gpu-kinds, Kafka, a100 gpu",
        "oidc, Kafka, ''", "secure, Kafka, ''"})
    void anOverlayChoosesBrokerAndMachines(String overlay, String broker, String gpus) {
        Installation installed = Installation.read(Kustomize.overlay(overlay));
        assertThat(installed.all(io.fabric8.knative.eventing.v1.Broker.class)).singleElement()
                .satisfies(only -> assertThat(only.getMetadata().getAnnotations())
                        .containsEntry("eventing.knative.dev/broker.class", broker));
        ConfigMap settings = installed.all(ConfigMap.class).stream()
                .filter(map -> map.getMetadata().getName().equals("mlestar")).findFirst().orElseThrow();
        List<String> offered =
                settings.getData().keySet().stream().filter(name -> name.startsWith("MLE_STAR_HARDWARE_"))
                        .map(name -> name.replace("MLE_STAR_HARDWARE_", "").toLowerCase(java.util.Locale.ROOT)).sorted()
                        .toList();
        assertThat(String.join(" ", offered)).as("what runs may ask for").isEqualTo(gpus);
        assertThat(installed.all(JobSink.class)).extracting(sink -> sink.getMetadata().getName())
                .containsAll(offered.stream().map(kind -> "script-" + kind).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"oidc", "secure"})
    void anOverlayWithIdentityKnowsTheKindsOfMachinesThatAComponentAdds(String overlay) {
        Installation installed = Installation.read(Kustomize.overlay(overlay, "gpu", "gpu-a100"));
        assertThat(wrong(installed)).isEmpty();
        EventPolicy jobs =
                installed.all(EventPolicy.class).stream()
                        .filter(policy -> policy.getMetadata().getName().equals("into-jobs")).findFirst().orElseThrow();
        assertThat(jobs.getSpec().getFrom()).extracting(from -> from.getRef().getName())
                .containsExactlyInAnyOrder("script", "script-gpu", "script-a100");
        assertThat(installed.all(JobSink.class)).hasSize(3).allMatch(sink -> jobs.getSpec().getTo().stream()
                .anyMatch(
                        to -> Installation.selects(to.getSelector().getMatchLabels(), sink.getMetadata().getLabels())));
    }

    @ParameterizedTest
    @MethodSource("overlays")
    void noOverlayHoldsWhatMayBeATeams(Path overlay) {
        assertThat(Installation.read(Kustomize.overlay(overlay.toString())).objects()).isNotEmpty()
                .noneMatch(object -> object.getKind().equals("Namespace"))
                .allSatisfy(object -> assertThat(object.getMetadata().getNamespace()).isEqualTo("mlestar"));
        assertThat(Installation.read(Kustomize.overlay(overlay.toString(), "namespace")).objects())
                .filteredOn(object -> object.getKind().equals("Namespace"))
                .singleElement()
                .satisfies(namespace -> assertThat(namespace.getMetadata().getLabels())
                        .containsEntry("mlestar.io/scope", "cluster")
                        .containsKeys("pod-security.kubernetes.io/enforce-version", "pod-security.kubernetes.io/warn",
                                "pod-security.kubernetes.io/audit"));
    }

    @Test
    void eachFunctionHasAnImageNameOfItsOwnAndOneImageServesAll() {
        assertThat(Installation.read(Kustomize.overlay("kafka")).all(Service.class)).extracting(ManifestsTest::image)
                .hasSizeGreaterThan(20)
                .allMatch(image -> image.equals(REGISTRY + "mlestar:0.1.0")
                        || image.equals(REGISTRY + "mlestar-status:0.1.0"))
                .containsOnlyOnce(REGISTRY + "mlestar-status:0.1.0");
        assertThat(Installation.read(Kustomize.build("""
                apiVersion: kustomize.config.k8s.io/v1beta1
                kind: Kustomization
                resources: [../../k8s/overlays/kafka]
                images:
                - {name: registry.invalid/mlestar-planner, newName: registry.example/mlestar, newTag: "2"}
                """)).all(Service.class)).allSatisfy(service -> assertThat(image(service))
                .isEqualTo(service.getMetadata().getName().equals("planner") ? "registry.example/mlestar:2"
                        : REGISTRY + "mlestar-" + service.getMetadata().getName()));
    }

    private static String image(Service service) {
        return service.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage();
    }

    @Test
    void thePromptsOfTheProjectAreMountedUnderANameOfTheirContent() throws IOException {
        Installation installed = Installation.read(Kustomize.overlay("dev"));
        ConfigMap prompts = installed.all(ConfigMap.class).stream()
                .filter(map -> map.getMetadata().getName().startsWith("prompts-")).findFirst().orElseThrow();
        try (Stream<Path> files = Files.list(Path.of("prompts"))) {
            for (Path file : files.filter(file -> file.toString().endsWith(".md")).toList()) {
                assertThat(prompts.getData()).containsEntry(file.getFileName().toString(), Files.readString(file));
            }
        }
        assertThat(installed.all(Service.class)).allSatisfy(service -> assertThat(
                service.getSpec().getTemplate().getSpec().getVolumes())
                .anySatisfy(volume -> assertThat(volume.getConfigMap()).isNotNull()
                        .satisfies(map -> assertThat(map.getName()).isEqualTo(prompts.getMetadata().getName()))));
    }

    /// Each check is shown one mistake that it has to find.
    @ParameterizedTest
    @CsvFileSource(resources = "/cases/manifest-mistakes.csv", numLinesToSkip = 1, delimiter = '|',
            quoteCharacter = '`')
    void eachMistakeIsFoundByItsCheck(String right, String mistake, String found) {
        String sound = Kustomize.overlay("gpu");
        String broken = sound.replace(right.replace("\\n", "\n"), mistake.replace("\\n", "\n"));
        assertThat(broken.equals(sound)).as("the manifests hold no " + right).isFalse();
        assertThat(wrong(Installation.read(broken))).anyMatch(line -> line.contains(found));
    }

    @Test
    void aJobThatRunsGeneratedCodeMayWakePhasesAndDoNothingElse() {
        assertThat(Installation.read(Kustomize.overlay("oidc")).all(EventPolicy.class))
                .filteredOn(policy -> policy.getSpec().getFrom().stream()
                        .anyMatch(from -> from.getRef() != null && from.getRef().getName().equals("scripts")))
                .singleElement().satisfies(policy -> {
                    assertThat(policy.getSpec().getFrom()).hasSize(1);
                    assertThat(policy.getSpec().getFilters()).singleElement()
                            .satisfies(filter -> assertThat(filter.getPrefix())
                                    .isEqualTo(Map.of("type", Event.phaseType(""))));
                });
    }

    @Test
    void theGuideShowsTheFootprintThatIsCounted() {
        assertThat(
                String.join("\n", ProjectFiles.below(Path.of("docs"), ".md").stream().map(ProjectFiles::text).toList()))
                .as("run 'make footprint'").contains(String.join("\n", Footprint.lines()));
    }

    @Test
    void theBrokerOfOneMachineDeliversAsTheManifestsSay() {
        // On one machine there is one kind of machine, and a function in place of the Jobs.
        List<Routes.Trigger> committed = CommittedRoutes.read().triggers().stream()
                .filter(trigger -> !trigger.subscriber().name().equals("script-gpu"))
                .map(trigger -> trigger.subscriber().name().equals("script-cpu")
                        ? new Routes.Trigger(Event.SCRIPT, new Routes.Subscriber("script", "/"), trigger.delivery())
                        : trigger)
                .toList();
        assertThat(committed).containsExactlyInAnyOrderElementsOf(Routes.toFunctions().triggers());
    }

    @Test
    void aScriptGoesToTheMachineThatItsEventNames() {
        Event script = Event.work(Event.SCRIPT, StepPath.parse("run/evaluation/script"), "asked");
        for (String machine : List.of("cpu", "gpu")) {
            assertThat(CommittedRoutes.read().of(script.with(Map.of(Event.HARDWARE, machine)))).singleElement()
                    .satisfies(trigger -> assertThat(trigger.subscriber().name()).isEqualTo("script-" + machine));
        }
        assertThat(CommittedRoutes.read().of(script)).as("so each says which").isEmpty();
    }

    /// A cell of the table of a cluster's ways in (docs/security.md).
    ///
    /// @param column 1 for base
    private static String cell(String way, int column) throws IOException {
        String row = Files.readAllLines(Path.of("docs/security.md")).stream()
                .filter(line -> line.startsWith("| " + way + " |")).findFirst().orElseThrow();
        String cell = row.split("\\|")[column + 1].strip();
        return cell.startsWith("as in base") ? cell(way, 1) : cell.startsWith("as `oidc`") ? cell(way, 2) : cell;
    }

    private static Set<String> names(String cell) {
        return Pattern.compile("`([a-z.-]+)`").matcher(cell).results().map(name -> name.group(1))
                .collect(Collectors.toSet());
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
