package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Subprocess;
import module java.base;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `make deploy` against a kubectl that writes down what it is told, and knows of a cluster what it
/// is asked for.
class DeployTest {
    private static final Path KUBECTL = Path.of("src/test/resources/kubectl.sh");

    private static final Path PROJECT = Path.of("").toAbsolutePath();

    @TempDir
    private Path folder;

    private record Ended(int code, String said, List<String> asked) {}

    @BeforeEach
    void standIn() throws IOException {
        Path kubectl = Files.copy(KUBECTL, folder.resolve("kubectl"));
        assertThat(kubectl.toFile().setExecutable(true)).isTrue();
    }

    /// @param changes to a deployment that ends well, as `NAME=value`: the class of the broker that
    ///   is WANTED and that is INSTALLED, the version of KNATIVE, the Service that stays UNREADY,
    ///   and what `make` sets
    private Ended deploy(String... changes) throws IOException, InterruptedException {
        Path seen = folder.resolve("seen");
        Files.deleteIfExists(seen);
        Map<String, String> environment = new HashMap<>(
                Map.of("PATH", folder + ":" + System.getenv("PATH"), "SEEN", seen.toString(), "WANTED", "Kafka",
                        "KNATIVE", "1.20.0", "INSTALLED", "Kafka", "FUNCTION", "", "NAMESPACE", "mlestar", "UNREADY",
                        "",
                        "AT_ONCE", "2"));
        Stream.of(changes).map(change -> change.split("=", 2)).forEach(change -> environment.put(change[0], change[1]));
        Subprocess deploy = Subprocess.run(PROJECT, environment, "src/build/deploy");
        return new Ended(deploy.exitCode(), deploy.said(), Files.exists(seen) ? Files.readAllLines(seen) : List.of());
    }

    @Test
    void itWaitsForAllThatAnEventNeedsOnItsWay() throws Exception {
        Ended ended = deploy();
        assertThat(ended.code()).as(ended.said()).isZero();
        List<String> done = new ArrayList<>(ended.asked());
        done.removeIf(line -> !line.contains(" wait ") && !line.startsWith("apply"));
        assertThat(done).extracting(line -> line.replaceFirst(".*timeout=5m (\\w+).*", "$1"))
                .as("no function is made before it can be told the broker")
                .containsExactly("apply -f target/deploy/all.yaml -l !mlestar.io/function", "brokers", "sinkbindings",
                        "apply -f target/deploy/all.yaml -l mlestar.io/function=all",
                        "apply -f target/deploy/all.yaml -l mlestar.io/function in (dead-letter,coder)",
                        "services", "apply -f target/deploy/all.yaml -l mlestar.io/function in (planner)", "services",
                        "apply -f target/deploy/all.yaml",
                        "jobsinks", "services", "triggers", "pingsources");
    }

    @Test
    void aServiceThatIsNotReadyIsNamedWithItsReasonAndKeepsNoOtherBack() throws Exception {
        Ended ended = deploy("UNREADY=dead-letter");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.asked()).contains("apply -f target/deploy/all.yaml -l mlestar.io/function in (planner)");
        assertThat(ended.said()).contains(
                "not ready: Service dead-letter: ContainerMissing: Unable to fetch image \"r.example/mlestar:1\"\n",
                "not ready: Service new: Kubernetes has not looked at it yet\n", "make deploy again goes on")
                .doesNotContain("Service coder:");
    }

    @Test
    void aNamespaceIsMadeWhereThereIsNoneAndNoneIsChanged() throws Exception {
        assertThat(deploy().asked()).noneMatch(line -> line.equals("apply -f -"));
        assertThat(deploy("NAMESPACE=team").asked()).contains("apply -f -");
        assertThat(Files.readString(folder.resolve("seen.applied"))).contains("kind: Namespace", "  name: team\n",
                "enforce: restricted");
    }

    @ParameterizedTest
    @CsvSource({"'', ''", "planner, ' -l mlestar.io/function in (planner, all)'"})
    void aDryRunAsksTheServerWhatWouldChangeAndChangesNothing(String function, String selector) throws Exception {
        Ended ended = deploy("FUNCTION=" + function, "NAMESPACE=team", "DRY_RUN=1");
        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(ended.said()).contains("+ something");
        assertThat(ended.asked()).containsExactly("kustomize target/deploy",
                "diff -f target/deploy/all.yaml" + selector);
    }

    /// A tree that lies in no commit is found again by nobody.
    @Test
    void imagesOfAnUncommittedTreeAreNotPushed() throws Exception {
        Path docker = Files.writeString(folder.resolve("docker"), "#!/bin/sh\necho \"$*\" >> \"$SEEN\"\n");
        assertThat(docker.toFile().setExecutable(true)).isTrue();
        Path seen = folder.resolve("seen");
        Map<String, String> environment =
                Map.of("PATH", folder + ":" + System.getenv("PATH"), "SEEN", seen.toString(), "MAKEFLAGS", "");
        Subprocess refused = Subprocess.run(PROJECT, environment, "make", "image", "IMAGES=status",
                "PUSH=1", "TAG=1-2-gabc-dirty");
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.said()).contains("1-2-gabc-dirty is no commit");
        assertThat(seen).doesNotExist();
        Subprocess.said(environment, "make", "image", "IMAGES=status", "PUSH=1", "TAG=1");
        assertThat(Files.readString(seen)).contains("push dev.local/mlestar-status:1");
    }

    private String kustomization(String... settings) throws IOException, InterruptedException {
        Path home = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "deployed-");
        List<String> command =
                new ArrayList<>(List.of("make", "-s", "DEPLOYED=" + home, "TAG=1", home + "/kustomization.yaml"));
        command.addAll(List.of(settings));
        Subprocess.said(Map.of("MAKEFLAGS", ""), command.toArray(String[]::new));
        String made = Files.readString(home.resolve("kustomization.yaml"));
        Files.delete(home.resolve("kustomization.yaml"));
        Files.delete(home);
        return Kustomize.build(made);
    }

    @Test
    void anotherNamespaceIsThatOfTheAccountWhichMayStartRuns() throws Exception {
        assertThat(kustomization("OVERLAY=oidc", "NAMESPACE=team"))
                .contains("sub: system:serviceaccount:team:run-starter")
                .doesNotContain("namespace: mlestar\n", "serviceaccount:mlestar");
    }

    @Test
    void imagesAreNamedByTagOrByDigest() throws Exception {
        assertThat(kustomization("OVERLAY=kafka", "REGISTRY=r.example"))
                .contains("image: r.example/mlestar:1\n", "image: r.example/mlestar-scripts:1\n")
                .doesNotContain("registry.invalid");
        Path digests = Files.writeString(folder.resolve("digests.txt"),
                List.of("mlestar", "mlestar-status", "mlestar-scripts", "mlestar-scripts-gpu").stream()
                        .map(image -> image + " sha256:" + "0".repeat(63) + image.length() % 10 + "\n")
                        .collect(Collectors.joining()));
        assertThat(kustomization("OVERLAY=kafka", "REGISTRY=r.example", "DIGESTS=" + digests))
                .contains("image: r.example/mlestar@sha256:", "image: r.example/mlestar-scripts-gpu@sha256:")
                .doesNotContain("mlestar:1");
        Files.writeString(digests, "mlestar sha256:" + "0".repeat(64) + "\n");
        assertThat(Subprocess.run(PROJECT, Map.of("MAKEFLAGS", ""), "make", "-n", "deploy",
                "DIGESTS=" + digests).said())
                .contains("names no digest of mlestar-status");
    }

    /// Another installation may use what is the cluster's, and a namespace may have been there
    /// before.
    @Test
    void whatIsRemovedIsWhatTheNamespaceHeldOfIt() throws Exception {
        assertThat(Subprocess.said(Map.of("MAKEFLAGS", ""), "make", "-n", "undeploy"))
                .contains("delete -k target/deploy -l 'mlestar.io/scope!=cluster'");
        assertThat(Kustomize.overlay("kafka", "namespace", "script-quota").split("(?m)^---$"))
                .filteredOn(object -> !object.contains("\n  namespace:"))
                .isNotEmpty().allMatch(object -> object.contains("mlestar.io/scope: cluster"));
    }

    @ParameterizedTest
    @CsvSource({"Kafka, 1.14.0, 1.15", "MTChannelBasedBroker, v0.26.0, 1.17"})
    void aKnativeThatIsTooOldIsNamedAndNothingIsApplied(String broker, String knative, String needed) throws Exception {
        Ended ended = deploy("WANTED=" + broker, "KNATIVE=" + knative, "INSTALLED=");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.said()).contains(knative.replaceFirst("v?(\\d+\\.\\d+).*", "$1")).contains(broker)
                .contains(needed);
        assertThat(ended.asked()).noneMatch(line -> line.startsWith("apply"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.17.0", "v1.23.1", "20260101-abc", ""})
    void aNewerOneOrOneThatSaysNothingIsTaken(String knative) throws Exception {
        Ended ended = deploy("WANTED=MTChannelBasedBroker", "KNATIVE=" + knative, "INSTALLED=");
        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(ended.asked()).anyMatch(line -> line.startsWith("apply"));
    }

    @Test
    void aBrokerOfAnotherClassIsNotChangedInPlace() throws Exception {
        Ended ended = deploy("INSTALLED=MTChannelBasedBroker");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.said()).contains("MTChannelBasedBroker").contains("Kafka").contains("delete broker mlestar");
        assertThat(ended.asked()).noneMatch(line -> line.startsWith("apply"));
    }

    @Test
    void oneFunctionIsRolledOutAlone() throws Exception {
        Ended ended = deploy("FUNCTION=planner");
        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(ended.asked()).filteredOn(line -> line.startsWith("apply"))
                .containsExactly("apply -f target/deploy/all.yaml -l mlestar.io/function in (planner, all)");
        assertThat(ended.asked()).filteredOn(line -> line.contains(" wait ")).singleElement().asString()
                .contains("services.serving.knative.dev/planner");
        Ended wrong = deploy("FUNCTION=plannner");
        assertThat(wrong.code()).isEqualTo(1);
        assertThat(wrong.said()).contains("FUNCTION=plannner names no function");
    }
}
