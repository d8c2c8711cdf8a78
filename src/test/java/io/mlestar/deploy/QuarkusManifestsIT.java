package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mlestar.ProjectFiles;
import module java.base;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The manifests that Quarkus Kubernetes writes, if it was built: `make test-deployed` and
/// `make manifests` do.
@Tag("deployed")
@EnabledIf("built")
class QuarkusManifestsIT {
    private static final Path TARGET = Path.of("target");

    static boolean built() {
        return Files.exists(TARGET.resolve("knative"));
    }

    @ParameterizedTest
    @CsvSource({"knative/kubernetes, knative.yml", "kubernetes/kubernetes, kubernetes.yml"})
    void whatIsCommittedIsWhatTheExtensionWrites(Path folder, String file) {
        assertThat(ProjectFiles.documents(ProjectFiles.text(QuarkusManifests.HOME.resolve(file))))
                .as("run 'make manifests'")
                .isEqualTo(ProjectFiles.documents(ProjectFiles.text(TARGET.resolve(folder).resolve(file))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lib", "functions/lib"})
    void theProgramsThemselvesAreBuiltWithoutIt(Path libraries) throws Exception {
        assumeThat(TARGET.resolve(libraries)).as("a native program has none").exists();
        try (Stream<Path> jars = Files.list(TARGET.resolve(libraries))) {
            assertThat(jars).hasSizeGreaterThan(100)
                    .noneMatch(jar -> jar.getFileName().toString().matches(".*(kubernetes|container-image|fabric8).*"));
        }
    }
}
