package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Subprocess;
import io.mlestar.core.base.Sha256;
import module java.base;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands that people type first, on machines that lack something: the scripts of `src/build`
/// and `mvnw` find what they need, or one line says what to do.
class BuildScriptsTest {
    private static final List<String> TOOLS_OF_THE_WRAPPER =
            List.of("basename", "cp", "dirname", "gzip", "ls", "mkdir", "mktemp", "mv", "rm", "sh", "sha256sum", "tar",
                    "tr", "uname");

    @TempDir
    private Path folder;

    private Path program(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.setPosixFilePermissions(Files.writeString(file, "#!/bin/sh\n" + text + "\n"),
                PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// A command on a machine whose usual Java is an older one; a `make` that started the tests is
    /// none of its parents.
    private String typed(String... command) throws IOException, InterruptedException {
        String old = "echo '    java.specification.version = 17'\n[ \"$1\" = -XshowSettings:properties ]";
        program("bin/java", old);
        program("bin/javac", old);
        return Subprocess.said(Map.of("MAKEFLAGS", "", "TEST", "", "IT", "", "JAVA_HOME", folder.toString(),
                "PATH", System.getProperty("java.home") + "/bin:" + System.getenv("PATH")), command);
    }

    @Test
    void theWrapperFindsTheJdkWhereverItIs() throws Exception {
        assertThat(typed("./mvnw", "-o", "-v")).contains("Java version: " + Runtime.version().feature());
    }

    @Test
    void makeRunsTheTestsThatAreNamed() throws Exception {
        assertThat(typed("make", "-n", "test", "TEST=ReplayTest,GateTest"))
                .contains("test -Dtest='ReplayTest,GateTest'")
                .doesNotContain("verify");
        assertThat(typed("make", "-n", "test", "IT=KillIT")).contains("verify", "-Dit.test='KillIT'");
        assertThat(typed("make", "-n", "test")).contains("verify -Plint").doesNotContain("-Dtest", "-Dit.test");
    }

    private Path java(String home, int version) throws IOException {
        return program(home + "/bin/java", "echo '    java.specification.version = " + version + "' >&2");
    }

    /// The script's answer if the machine's own folders of Java are not looked at.
    private Subprocess found(String name) throws Exception {
        Path script = program(name,
                Files.readString(Path.of("src/build", name)).replace("/usr/lib/jvm/* /opt/java/* /opt/jdk*", ""));
        Map<String, String> environment =
                Map.of("PATH", folder.resolve("old/bin") + ":" + System.getenv("PATH"), "HOME", folder.toString(),
                        "JAVA_HOME", "", "GRAALVM_HOME", "", "XDG_CACHE_HOME", "");
        return Subprocess.run(folder, environment, "sh", script.toString(), "--java");
    }

    private Subprocess found() throws Exception {
        return found("find-jdk");
    }

    @Test
    void aNewJavaIsFoundBehindAnOldDefault() throws Exception {
        java("old", 17);
        java(".sdkman/candidates/java/24", 24);
        Path found = java(".sdkman/candidates/java/25", 25);
        assertThat(found().wellEnded()).isEqualTo(found + "\n");
    }

    @Test
    void withoutOneALineSaysWhatToInstallIfThePackagesHaveIt() throws Exception {
        java("old", 17);
        program("old/bin/apt-cache", "[ \"$*\" = 'show openjdk-25-jre-headless' ]");
        program("old/bin/id", "echo 1000");
        assertThat(found()).isEqualTo(new Subprocess(1,
                "mlestar: there is no Java 25 or newer: sudo apt-get install openjdk-25-jre-headless, or set JAVA_HOME to one\n"));
        program("old/bin/id", "echo 0");
        assertThat(found().said()).contains("newer: apt-get install");
        // Debian 12 answers so, and a machine that has fetched no list of packages yet.
        program("old/bin/apt-cache", "echo 'E: No packages found' >&2; exit 100");
        program("old/bin/dnf", "exit 1");
        assertThat(found().said()).contains("newer: dnf install java-25-openjdk-headless,");
    }

    @Test
    void whereNoPackagesHaveOneTheLineNamesAFolderThatIsLookedAt() throws Exception {
        java("old", 17);
        program("old/bin/apt-cache", "exit 100");
        assertThat(found().said())
                .matches("mlestar: there is no Java 25 or newer: (unpack one of https://adoptium.net in " + folder
                        + "/.jdks|(sudo )?dnf install .*|brew install .*), or set JAVA_HOME to one\n");
        Path found = java(".jdks/jdk-25.0.1+8", 25);
        assertThat(found().wellEnded()).isEqualTo(found + "\n");
    }

    @Test
    void aGraalvmIsFoundInTheCacheFolderBehindAnOldOne() throws Exception {
        program("old/bin/native-image", "echo native-image 24");
        Path found = program(".cache/mlestar/graalvm/bin/native-image", "echo native-image 25.0.2 2026-01-20");
        assertThat(found("find-graalvm").wellEnded()).isEqualTo(found.getParent().getParent() + "\n");
    }

    private Subprocess started(String sumOfTar) throws Exception {
        Path properties = folder.resolve(".mvn/wrapper/maven-wrapper.properties");
        Files.createDirectories(properties.getParent());
        Files.writeString(properties,
                "distributionUrl=https://repo.invalid/org/apache/maven/apache-maven/9.9.9/apache-maven-9.9.9-bin.zip\n"
                        + "distributionSha256Sum=" + "0".repeat(64) + "\n" + sumOfTar);
        Path wrapper = Files.copy(Path.of("mvnw"), folder.resolve("mvnw"), StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.COPY_ATTRIBUTES);
        return Subprocess.run(folder, Map.of("PATH", folder.resolve("bin").toString(), "HOME", folder.toString()),
                wrapper.toString(), "--version");
    }

    /// Images of systems are without unzip: Maven then comes as a .tar.gz, whose sum is another
    /// than the zip's.
    @Test
    void withoutUnzipTheOtherArchiveIsHeldToASumOfItsOwn() throws Exception {
        program("apache-maven-9.9.9/bin/mvn", "echo this is Maven");
        Path archive = folder.resolve("maven.tar.gz");
        Subprocess.run(folder, Map.of(), "tar", "-czf", archive.toString(), "apache-maven-9.9.9").wellEnded();
        program("bin/wget", "case $2 in *-bin.tar.gz) exec cp \"" + archive + "\" \"$4\" ;; esac");
        for (String tool : TOOLS_OF_THE_WRAPPER) {
            Path real = Path.of(Subprocess.run(folder, Map.of(), "sh", "-c", "command -v " + tool).wellEnded().strip());
            Files.createSymbolicLink(folder.resolve("bin").resolve(tool), real);
        }
        byte[] content = Files.readAllBytes(archive);
        assertThat(started("distributionTarSha256Sum=" + "1".repeat(64) + "\n").said())
                .contains("Failed to validate Maven distribution");
        assertThat(started("").said()).contains("the sum of apache-maven-9.9.9-bin.tar.gz");
        assertThat(started("distributionTarSha256Sum=" + Sha256.hex(content) + "\n").wellEnded())
                .contains("this is Maven");
    }

    /// The line by which `make python` says that it cannot be done; the Python that was there is
    /// still there.
    private String refused(int exitCode, String set, Map<String, String> environment) throws Exception {
        pythonSources(folder.resolve("src/build"));
        Files.copy(Path.of("Dockerfile.native"), folder.resolve("Dockerfile.native"));
        Files.createDirectories(folder.resolve(".venv/mine"));
        ProcessBuilder builder = new ProcessBuilder("sh", folder.resolve("src/build/make-python").toString(), set)
                .redirectError(folder.resolve("err").toFile()).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        assertThat(builder.start().waitFor()).isEqualTo(exitCode);
        assertThat(folder).isDirectoryContaining("glob:**/.venv").isDirectoryNotContaining("glob:**/.venv.before");
        assertThat(folder.resolve(".venv/mine")).exists();
        assertThat(folder.resolve("err")).content().hasLineCount(1);
        return Files.readString(folder.resolve("err")).strip();
    }

    private static void pythonSources(Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(Path.of("src/build"))) {
            for (Path file : files.filter(file -> file.getFileName().toString().contains("python")).toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    @Test
    @Tag("long")
    void withoutTheIndexOfPyTorchNothingIsMadeAndTheOtherWaysAreNamed() throws Exception {
        assertThat(refused(1, "cpu", Map.of("TORCH_CPU_INDEX", "http://127.0.0.1:1/")))
                .startsWith("make python: PyTorch without CUDA cannot be had from http://127.0.0.1:1/;")
                .contains("TORCH_CPU_INDEX=ADDRESS make python SET=cpu", "make python SET=gpu");
    }

    @Test
    void withoutPythonOneLineSaysWhatToInstall() throws Exception {
        assertThat(refused(2, "small", Map.of("PYTHON", "python3.99"))).matches(
                "make python: there is no python3.99: ((sudo )?apt-get install python3-venv|install Python 3.11 or newer)"
                        + ", or name another, as in: PYTHON=python3.12 make python");
    }

    /// A Python like Debian's python3 without python3-venv.
    @Test
    void aPythonThatMakesNoEnvironmentsIsNamedBeforeAnythingIsMade() throws Exception {
        Path python = program("python", "case $2 in *ensurepip*) echo 'a traceback' >&2; exit 1 ;; esac");
        assertThat(refused(2, "small", Map.of("PYTHON", python.toString())))
                .startsWith("make python: " + python + " cannot make a virtual environment: ");
    }

    /// `mlestar python` of an unpacked archive; a stand-in for Python writes down what it would
    /// install.
    @Test
    void anArchiveMakesItsLockedLibrariesBesideItsLauncher() throws Exception {
        Path archive = folder.resolve("mlestar 1");
        pythonSources(archive.resolve("lib"));
        Files.copy(Path.of("mlestar"), archive.resolve("mlestar"), StandardCopyOption.COPY_ATTRIBUTES);
        // The launcher's program, which starts the script that the launcher names.
        program("mlestar 1/lib/mlestar-runner", "shift; exec \"$MLE_STAR_MAKE_PYTHON\" \"$@\"");
        Path pip = program("bin/pip", "echo \"$@\" >> asked");
        Path openMp = Files.createFile(folder.resolve("libgomp"));
        Path python = program("python", """
                case $2 in *lightgbm*) exec test -e "%s" ;; esac
                [ "$1" = -c ] && exit 0
                mkdir -p .venv/bin && cp "%s" .venv/bin/pip && cp "$0" .venv/bin/python
                """.formatted(openMp, pip));
        Map<String, String> environment = Map.of("PYTHON", python.toString());
        String launcher = archive.resolve("mlestar").toString();
        assertThat(Subprocess.run(folder, environment, launcher, "python", "small").wellEnded())
                .contains("mlestar python: .venv is made of lib/python-small.lock");
        assertThat(archive.resolve("asked")).content()
                .contains("--only-binary :all: --require-hashes -r lib/python-small.lock");
        assertThat(Subprocess.run(folder, environment, launcher, "python", "small").wellEnded())
                .isEqualTo(".venv is ready\n");
        Files.delete(openMp);
        Subprocess bare = Subprocess.run(folder, environment, launcher, "python", "small");
        assertThat(bare.exitCode()).isOne();
        assertThat(bare.said()).matches(
                "mlestar python: lightgbm of .venv cannot be loaded: ((sudo )?apt-get install libgomp1|install libgomp)\n");
        assertThat(Subprocess.run(folder, environment, launcher, "python", "most").exitCode()).isEqualTo(2);
        assertThat(archive.resolve(".venv/made-of.lock"))
                .hasSameBinaryContentAs(Path.of("src/build/python-small.lock"));
    }
}
