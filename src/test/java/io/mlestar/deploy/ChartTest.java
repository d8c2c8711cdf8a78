package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Installed;
import io.mlestar.ProjectFiles;
import io.mlestar.Subprocess;
import io.mlestar.core.base.Json;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The Helm chart gives what kustomize gives.
class ChartTest {
    private static final String REGISTRY = "registry.invalid";

    private static Subprocess helm(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Installed.need("the chart is not rendered", "helm").toString()));
        command.addAll(List.of(arguments));
        Subprocess ended = Subprocess.run(Path.of("").toAbsolutePath(), Map.of(), command.toArray(String[]::new));
        // It tells, on stderr, that the prompts are a link.
        return new Subprocess(ended.exitCode(),
                ended.said().lines().filter(line -> !line.contains("found symbolic link in path"))
                        .collect(Collectors.joining("\n", "", "\n")));
    }

    private static Subprocess rendered(String... values) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(
                List.of("template", "mlestar", "k8s/chart", "--namespace", "mlestar", "--kube-version", "1.30"));
        Stream.of(values).forEach(value -> arguments
                .addAll(List.of(value.startsWith("json ") ? "--set-json" : "--set", value.replaceFirst("^json ", ""))));
        return helm(arguments.toArray(String[]::new));
    }

    /// Each object by what Kubernetes knows it by.
    private static Map<String, JsonNode> objects(String yaml) {
        Map<String, JsonNode> objects = new TreeMap<>();
        // Each gives the prompts a name by their content in its own way.
        ProjectFiles.documents(yaml.replaceAll("\\bprompts-[a-z0-9]{10}\\b", "prompts")).stream()
                .filter(object -> object.has("kind"))
                .forEach(object -> assertThat(objects.put(object.path("apiVersion").asText()
                        + " " + object.path("kind").asText() + " " + object.at("/metadata/name").asText(), object))
                        .as("one of a name").isNull());
        return objects;
    }

    /// Pairs that are one and the same installation: values of the chart, and what kustomize
    /// builds.
    static Stream<Arguments> installations() throws IOException {
        List<Arguments> all = new ArrayList<>();
        for (String profile : List.of("full", "small")) {
            List<String> small = profile.equals("small") ? List.of("small") : List.of();
            for (String component : ChartManifests.components().keySet()) {
                String folder = ChartManifests.components().get(component);
                boolean overlay = folder.startsWith("overlays/");
                all.add(Arguments.of(List.of("profile=" + profile, "components." + component + "=true"),
                        overlay ? folder.substring(9) : "kafka",
                        Stream.concat(small.stream(), overlay ? Stream.empty() : Stream.of(folder)).toList()));
            }
            all.add(Arguments.of(List.of("profile=" + profile), "kafka", small));
            all.add(Arguments.of(
                    List.of("profile=" + profile, "components.weights=true", "components.kueue=true",
                            "components.dataVolume=true"),
                    "kafka",
                    Stream.concat(small.stream(), Stream.of("data-volume", "kueue", "weights")).toList()));
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("installations")
    void chartAndKustomizeGiveTheSameObjects(List<String> values, String overlay, List<String> components)
            throws Exception {
        Installed.need("the chart is not rendered", "helm");
        assertSame(values, Kustomize.overlay(overlay, components.toArray(String[]::new)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void soItIsWithTheProfileOne(boolean hasBucket) throws Exception {
        Installed.need("the chart is not rendered", "helm");
        assertSame(List.of("profile=one", "components.oneBucket=" + hasBucket),
                Kustomize.of("one", hasBucket ? List.of("one-bucket") : List.of()));
    }

    private static void assertSame(List<String> values, String kustomized) throws IOException, InterruptedException {
        boolean hasRegistry = kustomized.contains("image: " + REGISTRY + "/");
        String chart =
                rendered(Stream.concat(values.stream(), Stream.of("image.registry=" + (hasRegistry ? REGISTRY : "")))
                        .toArray(String[]::new)).wellEnded();
        // A chart makes no namespace: `helm install --create-namespace` does.
        Map<String, JsonNode> wanted = objects(
                kustomized.replace("app.kubernetes.io/managed-by: kustomize", "app.kubernetes.io/managed-by: Helm"));
        wanted.keySet().removeIf(name -> name.startsWith("v1 Namespace "));
        Map<String, JsonNode> found = objects(chart);
        assertThat(found.keySet()).isEqualTo(wanted.keySet());
        wanted.forEach((name, object) -> assertThat(found.get(name)).as(name).isEqualTo(object));
    }

    @Test
    void helmFindsNothingWrongWithTheChart() throws Exception {
        assertThat(helm("lint", "--strict", "k8s/chart").wellEnded()).contains("0 chart(s) failed");
    }

    @Test
    void whatAUserSetsIsWhereItBelongs() throws Exception {
        String digest = "sha256:" + "0".repeat(64);
        Map<String, JsonNode> chart = objects(
                rendered("image.registry=r.example", "image.digests.mlestar=" + digest, "image.pullPolicy=Always",
                        "imagePullSecrets[0].name=mine", "settings.MLE_STAR_STORE=s3://mine/runs",
                        "settings.MLE_STAR_MODEL=sonnet", "secrets.models=keys",
                        "json resources.agent={\"requests\":{\"cpu\":\"2\"}}",
                        "json identity.agent={\"example/role\":\"agents\"}",
                        "json egress=[{\"to\":[{\"ipBlock\":{\"cidr\":\"10.20.0.0/28\"}}]}]").wellEnded());
        JsonNode agents = chart.get("serving.knative.dev/v1 Service agents").at("/spec/template/spec");
        assertThat(agents.at("/containers/0/image").asText()).isEqualTo("r.example/mlestar@" + digest);
        assertThat(agents.at("/containers/0/resources").toString()).isEqualTo("{\"requests\":{\"cpu\":\"2\"}}");
        assertThat(chart.get("v1 ServiceAccount agent").at("/imagePullSecrets/0/name").asText()).isEqualTo("mine");
        assertThat(agents.at("/containers/0/envFrom").toString()).contains("\"keys\"").doesNotContain("model-keys");
        JsonNode phases = chart.get("serving.knative.dev/v1 Service phases")
                .at("/spec/template/spec/containers/0/resources/requests");
        assertThat(phases.path("memory").asText()).as("others keep theirs").isEqualTo("96Mi");
        JsonNode settings = chart.get("v1 ConfigMap mlestar").path("data");
        assertThat(settings.path("MLE_STAR_STORE").asText()).isEqualTo("s3://mine/runs");
        assertThat(settings.path("MLE_STAR_MODEL").asText()).isEqualTo("sonnet");
        assertThat(settings.has("MLE_STAR_HARDWARE")).isTrue();
        assertThat(chart.get("v1 ServiceAccount agent").at("/metadata/annotations/example~1role").asText())
                .isEqualTo("agents");
        assertThat(chart.get("networking.k8s.io/v1 NetworkPolicy out-to-broker-and-store").path("spec").toString())
                .contains("10.20.0.0/28");
        assertThat(objects(rendered("components.alerts=true", "alerts.dollarsPerDay=7").wellEnded())
                .get("monitoring.coreos.com/v1 PrometheusRule mlestar").toString())
                .contains("[1d])) > 7\"", "more than 7 dollars");
    }

    /// `helm uninstall` in one namespace takes nothing from a release in another, and a second
    /// release does not ask for what is there.
    @Test
    void whatIsTheWholeClustersIsKeptAndMadeOnce() throws Exception {
        assertThat(objects(rendered("components.scriptQuota=true", "components.alerts=true").wellEnded()).values())
                .filteredOn(object -> object.at("/metadata/namespace").isMissingNode()).isNotEmpty()
                .allSatisfy(object -> {
                    assertThat(object.at("/metadata/annotations/helm.sh~1resource-policy").asText()).isEqualTo("keep");
                    String kind = object.path("kind").asText();
                    assertThat(Files.readString(
                            ChartManifests.HOME.resolve("templates/" + kind.toLowerCase(Locale.ROOT) + ".yaml")))
                            .contains("lookup \"%s\" \"%s\"".formatted(object.path("apiVersion").asText(), kind));
                });
    }

    @ParameterizedTest
    @CsvSource({"profile=tiny, profile", "components.gpus=true, gpus", "settings.A=true, settings", "image.tag=, tag",
        "broker.class=Rabbit, class"})
    void aWrongValueIsNamedAndNothingIsRendered(String value, String named) throws Exception {
        Subprocess refused = rendered(value);
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.said()).contains(named, "values don't meet the specifications of the schema");
    }

    @Test
    void aReleaseNamesItsImagesByDigestInTheChartAndInItsBillOfMaterials(@TempDir Path folder) throws Exception {
        Installed.need("the chart is not packaged", "helm");
        List<String> images = List.of("mlestar", "mlestar-status", "mlestar-scripts", "mlestar-scripts-gpu");
        Path digests = Files.writeString(folder.resolve("images.txt"), images.stream()
                .map(image -> image + " sha256:" + String.valueOf(image.length() % 10).repeat(64) + "\n")
                .collect(Collectors.joining()));
        Subprocess.run(Path.of("").toAbsolutePath(), Map.of(), "src/build/package-chart", "r.example",
                digests.toString(), folder.toString()).wellEnded();
        String version = ProjectFiles.documents(Files.readString(ChartManifests.HOME.resolve("Chart.yaml"))).getFirst()
                .path("version").asText();
        JsonNode bill = Json.parse(Files.readAllBytes(folder.resolve("mlestar-chart-" + version + ".cdx.json")));
        assertThat(bill.path("bomFormat").asText()).isEqualTo("CycloneDX");
        Set<String> listed = bill.path("components").valueStream()
                .map(image -> image.path("name").asText() + "@sha256:" + image.at("/hashes/0/content").asText())
                .collect(Collectors.toSet());
        assertThat(listed).hasSameSizeAs(images);
        String rendered =
                helm("template", "mlestar", folder.resolve("mlestar-" + version + ".tgz").toString(), "--kube-version",
                        "1.30", "--set", "components.gpu=true")
                        .wellEnded();
        Set<String> used = Pattern.compile("image: (\\S+)").matcher(rendered).results().map(image -> image.group(1))
                .collect(Collectors.toSet());
        assertThat(used).isEqualTo(listed);
        assertThat(rendered).as("the prompts, which a link leads to")
                .contains(Files.readAllLines(Path.of("prompts/planner.md")).getLast().strip());
        Files.writeString(digests, "mlestar sha256:" + "0".repeat(64) + "\n");
        assertThat(Subprocess.run(Path.of("").toAbsolutePath(), Map.of(), "src/build/package-chart", "r.example",
                digests.toString(), folder.toString()).said())
                .contains("mlestar-status: \"\"", "have no digest");
    }

    @Test
    void everyValueIsExplained() throws IOException {
        String readme = Files.readString(ChartManifests.HOME.resolve("README.md"));
        JsonNode values =
                ProjectFiles.documents(Files.readString(ChartManifests.HOME.resolve("values.yaml"))).getFirst();
        assertThat(values.properties()).extracting(Map.Entry::getKey)
                .allSatisfy(name -> assertThat(readme).contains("`" + name));
        assertThat(values.path("components").properties()).extracting(Map.Entry::getKey)
                .allSatisfy(name -> assertThat(readme).contains("`" + name + "`"));
    }

    @Test
    void whatIsCommittedIsMadeFromTheKustomizations() throws IOException {
        Map<Path, String> made = ChartManifests.all();
        made.forEach((file, text) -> assertThat(file).as("run 'make manifests'").hasContent(text));
        assertThat(ProjectFiles.below(ChartManifests.HOME, "")).filteredOn(Files::isRegularFile)
                .allMatch(file -> made.containsKey(file) || file.endsWith("README.md"));
        assertThat(ChartManifests.HOME.resolve("prompts").toRealPath()).isEqualTo(Path.of("prompts").toRealPath());
    }
}
