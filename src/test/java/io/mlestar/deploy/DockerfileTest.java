package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The images, as far as they can be read without building them.
class DockerfileTest {
    private static final Path FILE = Path.of("Dockerfile.native");

    /// One instruction with its flags apart, e.g. `COPY`, `[--from=builder]`, `[a, b]`.
    private record Instruction(String name, List<String> flags, List<String> words) {
        static Instruction of(String line) {
            List<String> words = new ArrayList<>(List.of(line.strip().split("\\s+")));
            String name = words.removeFirst();
            List<String> flags = new ArrayList<>();
            while (!words.isEmpty() && words.getFirst().startsWith("--")) {
                flags.add(words.removeFirst());
            }
            return new Instruction(name, flags, words);
        }
    }

    private record Stage(String base, List<Instruction> instructions) {
        List<Instruction> all(String name) {
            return instructions.stream().filter(instruction -> instruction.name().equals(name)).toList();
        }
    }

    private final List<Instruction> head = new ArrayList<>();
    private final Map<String, Stage> stages = new LinkedHashMap<>();

    DockerfileTest() throws IOException {
        List<Instruction> current = head;
        for (String line : Files.readString(FILE).replaceAll("(?m)^#.*\\R", "").replaceAll("\\\\\\R", " ")
                .split("\\R")) {
            if (line.isBlank()) {
                continue;
            }
            Instruction instruction = Instruction.of(line);
            if (instruction.name().equals("FROM")) {
                assertThat(instruction.words()).as("every stage has a name").hasSize(3);
                current = new ArrayList<>();
                stages.put(instruction.words().get(2), new Stage(instruction.words().get(0), current));
            } else {
                current.add(instruction);
            }
        }
    }

    @Test
    void baseImagesCanBeReplacedAndArePinned() {
        Map<String, String> images = new LinkedHashMap<>();
        head.forEach(argument -> images.put(argument.words().getFirst().split("=")[0],
                argument.words().getFirst().split("=", 2)[1]));
        assertThat(images.keySet()).containsExactly("BUILDER_IMAGE", "RUNTIME_IMAGE", "PYTHON_IMAGE");
        assertThat(images.values())
                .allSatisfy(image -> assertThat(image).matches("[a-z0-9./-]+:[\\w.-]*\\d[\\w.-]*@sha256:[0-9a-f]{64}"));
        assertThat(stages.values()).extracting(Stage::base).allSatisfy(base -> assertThat(
                base.startsWith("${") ? images.keySet() : stages.keySet()).contains(base.replaceAll("[${}]", "")));
    }

    /// The targets that `make image` builds. A pod that must not run as root is refused if its
    /// image names its user by a word.
    @ParameterizedTest
    @CsvSource({
        "functions,   /build/target/functions/mlestar-runner",
        "status,      /build/target/mlestar-runner",
        "scripts-cpu, /build/target/mlestar-runner",
        "scripts-gpu, /build/target/mlestar-runner"
    })
    void everyImageStartsItsProgramAsAnOrdinaryUser(String target, String program) {
        Stage stage = stages.get(target);
        assertThat(stage.all("USER")).extracting(Instruction::words).last().isEqualTo(List.of("1001"));
        assertThat(stage.all("ENTRYPOINT")).extracting(entry -> String.join(" ", entry.words()))
                .containsExactly("[\"/usr/local/bin/mlestar\"]");
        assertThat(stage.all("COPY")).extracting(Instruction::words)
                .contains(List.of(program, "/usr/local/bin/mlestar"));
        assertThat(stage.instructions().indexOf(stage.all("USER").getLast()))
                .as("nothing is installed by the user of the image").isGreaterThan(lastOf(stage, "RUN"))
                .isGreaterThan(lastOf(stage, "COPY"));
    }

    /// Else arguments and names of files beyond ASCII are lost in it.
    @Test
    void everyStageHasALocaleThatKnowsAllLetters() {
        assertThat(stages.values().stream().filter(stage -> stage.base().startsWith("$")))
                .allMatch(stage -> stage.all("ENV").stream().anyMatch(set -> set.words().contains("LANG=C.UTF-8")));
    }

    private static int lastOf(Stage stage, String name) {
        return stage.all(name).isEmpty() ? -1 : stage.instructions().indexOf(stage.all(name).getLast());
    }

    @Test
    void whatIsCopiedIsThereAndNotIgnored() throws IOException {
        List<String> wanted = Files.readAllLines(Path.of(".dockerignore")).stream().filter(line -> line.startsWith("!"))
                .map(line -> line.substring(1)).toList();
        List<String> copied = stages.values().stream().flatMap(stage -> stage.all("COPY").stream())
                .filter(copy -> copy.flags().stream().noneMatch(flag -> flag.startsWith("--from=")))
                .map(copy -> copy.words().getFirst()).toList();
        assertThat(copied).containsExactlyInAnyOrderElementsOf(wanted)
                .allSatisfy(source -> assertThat(Path.of(source)).exists());
        assertThat(stages.values().stream().flatMap(stage -> stage.all("COPY").stream())
                .flatMap(copy -> copy.flags().stream())
                .filter(flag -> flag.startsWith("--from="))).isNotEmpty()
                .allMatch(flag -> stages.containsKey(flag.substring(7)));
    }

    @Test
    void everyLibraryIsPinnedAndKnownByItsHash() throws IOException {
        List<String> installs = stages.values().stream().flatMap(stage -> stage.all("RUN").stream())
                .map(run -> String.join(" ", run.words()))
                .flatMap(run -> Stream.of(run.split("&&"))).filter(run -> run.contains("pip install")).toList();
        assertThat(installs).hasSize(3)
                .allMatch(install -> install.contains("--no-deps") && install.contains("--only-binary :all:")
                        && install.contains("--require-hashes"));
        for (String kind : List.of("small", "cpu", "gpu", "torch-cpu", "uv", "docs")) {
            assertThat(locked(kind)).allSatisfy(library -> assertThat(library)
                    .matches("(?s)[a-z0-9-]+==[\\w.+]+( ; [^\\\\]+)?( \\\\\\R +--hash=sha256:[0-9a-f]{64})+\\R?"));
        }
    }

    @Test
    void theImagesAndTheVirtualEnvironmentHaveTheSameLibraries() throws IOException {
        Path lists = Path.of("src/build");
        List<String> small = versions("small");
        List<String> cpu = versions("cpu");
        List<String> gpu = versions("gpu");
        assertThat(small).extracting(DockerfileTest::name).containsAll(wanted("python-small.txt"));
        assertThat(cpu).containsAll(small).extracting(DockerfileTest::name).containsAll(wanted("python-libraries.txt"))
                .contains("xgboost-cpu");
        assertThat(gpu).containsAll(small).containsAll(Files.readAllLines(lists.resolve("python-torch.txt")))
                .extracting(DockerfileTest::name).contains("xgboost");
        assertThat(gpu.stream().filter(library -> wanted("python-libraries.txt").contains(name(library))))
                .isSubsetOf(cpu);
        assertThat(versions("torch-cpu").stream().map(library -> library.replace("+cpu", "")))
                .containsExactlyElementsOf(Files.readAllLines(lists.resolve("python-torch.txt")));
        assertThat(cpu).as("CUDA has no place in the image without a GPU")
                .noneMatch(library -> library.matches("(nvidia|cuda|torch).*"));
    }

    /// Names that a list asks for, and those that it includes.
    private static List<String> wanted(String list) {
        try (Stream<String> lines = Files.lines(Path.of("src/build", list))) {
            return lines.filter(line -> !line.startsWith("#")).flatMap(line -> line.startsWith("-r ")
                    ? wanted(line.substring(3)).stream() : Stream.of(name(line))).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(String library) {
        return library.split("[=<>]", 2)[0];
    }

    private static List<String> versions(String kind) throws IOException {
        return locked(kind).stream().map(library -> library.split(" ", 2)[0]).toList();
    }

    private static List<String> locked(String kind) throws IOException {
        String lock = Files.readString(Path.of("src/build/python-" + kind + ".lock"));
        return List.of(lock.replaceAll("(?m)^#.*\\R", "").split("\\R(?=[a-z])"));
    }

    @Test
    void whatABuildFetchesIsKnownByItsDigest() throws IOException {
        assertThat(Files.readString(Path.of(".mvn/wrapper/maven-wrapper.properties")))
                .containsPattern("distributionSha256Sum=[0-9a-f]{64}\\R")
                .containsPattern("distributionTarSha256Sum=[0-9a-f]{64}\\R");
        try (Stream<Path> workflows = Files.list(Path.of(".github/workflows"))) {
            for (Path workflow : workflows.toList()) {
                assertThat(Files.readAllLines(workflow).stream().filter(line -> line.contains("uses:")))
                        .as(workflow.toString()).isNotEmpty()
                        .allMatch(line -> line.matches(" *- uses: [\\w./-]+@[0-9a-f]{40} # v[\\d.]+"));
            }
        }
    }
}
