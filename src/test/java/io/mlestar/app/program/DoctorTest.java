package io.mlestar.app.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mlestar.app.cli.Program;
import io.mlestar.app.program.Doctor.Finding.Verdict;
import io.mlestar.app.program.Doctor.Finding;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.PipelineConfig;
import module java.base;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

@Timeout(300)
class DoctorTest {
    @TempDir
    private static Path folder;

    /// Which check finds what has another name.
    private static final Map<String, String> CHECKS = Map.of("user", "sandbox", "libraries", "machine");

    private static Doctor doctor(Map<String, String> environment, String store) {
        Map<String, String> all = new HashMap<>(Map.of("MLE_STAR_MODEL", Program.ANSWERS));
        all.putAll(environment);
        return new Doctor(store, PipelineConfig.resolve(Json.object(), all), false, new CompositionRoot(all));
    }

    @BeforeAll
    static void make() throws IOException {
        Files.createDirectories(folder.resolve("store"));
    }

    private static Finding found(String what, Map<String, String> environment) {
        return found(what, environment, folder.resolve("store").toString());
    }

    private static Finding found(String what, Map<String, String> environment, String store) {
        return doctor(environment, store).checks().filter(check -> check.what().equals(CHECKS.getOrDefault(what, what)))
                .flatMap(check -> check.findings().stream()).filter(finding -> finding.what().equals(what)).findFirst()
                .orElseThrow();
    }

    /// @param set variables, apart by semicolons
    /// @param said in the line of the finding
    @ParameterizedTest
    @CsvFileSource(resources = "/cases/doctor-findings.csv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '\'')
    void whatIsSetDecidesAndNoKeyIsShown(String what, @Nullable String set, Verdict verdict, String said) {
        Map<String, String> environment = new HashMap<>();
        if (set != null) {
            Stream.of(set.split(";")).map(one -> one.split("=", 2)).forEach(one -> environment.put(one[0], one[1]));
        }
        Finding found = found(what, environment);
        assertThat(found.verdict()).isEqualTo(verdict);
        assertThat(found.line()).startsWith(verdict.name().toLowerCase(Locale.ROOT)).contains(said)
                .doesNotContain("very-secret");
    }

    @Test
    void trialsOfTheStoreStayBelowDoctor() {
        assertThat(found("store", Map.of()).verdict()).isEqualTo(Verdict.OK);
        assertThat(folder.resolve("store/doctor")).isNotEmptyDirectory();
    }

    @Test
    void aFolderThatIsNotThereIsNotMade() {
        Path mistyped = folder.resolve("mistyped");
        assertThat(found("store", Map.of(), mistyped.toString()).found())
                .endsWith("is not there yet; the first run makes it");
        assertThat(mistyped).doesNotExist();
    }

    @Test
    void anAddressThatIsNoStoreIsWrong() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThat(found("store", Map.of(), file.toString())).satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.ERROR);
            assertThat(finding.found()).contains(file.toString());
        });
        assertThat(found("store", Map.of(), "ftp://x").verdict()).isEqualTo(Verdict.ERROR);
    }

    @Test
    void missingLibrariesAreNamedAndAMissingInterpreterOnce() throws IOException {
        Path bare = Files.writeString(folder.resolve("python"), "#!/bin/sh\nexec python3 -I -S \"$@\"\n");
        bare.toFile().setExecutable(true);
        assertThat(found("python", Map.of("MLE_STAR_PYTHON", bare.toString())).verdict()).isEqualTo(Verdict.OK);
        assertThat(found("libraries", Map.of()))
                .satisfies(finding -> assertThat(finding.found() + finding.todo()).contains("pandas", "scikit-learn"));
        assertThat(doctor(Map.of("MLE_STAR_PYTHON", "/nowhere/python"), "memory:").findings().stream()
                .filter(finding -> finding.found().contains("/nowhere/python"))).as("what is said once").singleElement()
                .extracting(Finding::what).isEqualTo("python");
    }

    @Test
    void doctorSaysAsWhichUserScriptsRun() throws IOException {
        int here = (int) Files.getAttribute(folder, "unix:uid");
        assertThat(found("user", Map.of()).found())
                .startsWith(here == 0 ? "scripts run as " : "scripts run as uid " + here);
        assumeTrue(here == 0, "not root");
        Path closed = Files.createDirectory(folder.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(closed.resolve("model.pth"), "x");
        assertThat(found("user", Map.of("MLE_STAR_WEIGHTS", closed.toString()))).satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
            assertThat(finding.found())
                    .isEqualTo("scripts run as uid 0, without its rights, because others may not read " + closed);
        });
    }

    @Test
    void aBrokerIsWrongWithoutAConnection() throws IOException {
        String address;
        try (ServerSocket broker = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            address = "http://127.0.0.1:" + broker.getLocalPort() + "/ns/broker";
            assertThat(found("broker", Map.of("K_SINK", address)).verdict()).isEqualTo(Verdict.OK);
        }
        assertThat(found("broker", Map.of("K_SINK", address))).satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.ERROR);
            assertThat(finding.line()).contains(address, "cannot be reached");
        });
    }
}
