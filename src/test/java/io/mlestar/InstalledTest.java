package io.mlestar;

import static org.assertj.core.api.Assertions.assertThat;

import module java.base;
import org.junit.jupiter.api.Test;

/// A machine with a JDK, `python3` and what every Debian has runs all tests.
class InstalledTest {
    private static final List<Path> SOURCES = Stream.of("src/test/java", "src/tools/java")
            .flatMap(root -> ProjectFiles.below(Path.of(root), ".java").stream())
            .filter(file -> !file.getFileName().toString().startsWith("Installed")).toList();
    private static final Set<String> ON_EVERY_MACHINE =
            Set.of("bash", "env", "make", "mkfifo", "mount", "python3", "sh", "tar", "true", "umount");
    /// The word that begins the command of a process.
    private static final Pattern STARTED =
            Pattern.compile(
                    "(?:ProcessBuilder\\((?:List\\.of\\()?|\\b(?:said|run)\\((?:\\S+, )?Map\\.of\\(\\), (?:\\w+, )?)\"([^\"]+)\"");
    /// A stand-in that a test writes is none of the machine's.
    private static final Pattern OPTIONAL =
            Pattern.compile("(?<!resolve\\()\"(?:" + String.join("|", Installed.OPTIONAL) + ")\"");

    private static Stream<Path> naming(Pattern pattern) {
        return SOURCES.stream().filter(file -> pattern.matcher(ProjectFiles.text(file)).find());
    }

    private static String type(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    @Test
    void aTestLooksForAProgramThatAMachineMayLack() {
        Pattern looks = Pattern.compile("\\bInstalled\\.");
        String byAnother =
                naming(looks).map(InstalledTest::type).collect(Collectors.joining("|", looks + "|\\b(?:", ")\\."));
        assertThat(naming(OPTIONAL)).hasSizeGreaterThan(4).allSatisfy(file -> assertThat(ProjectFiles.text(file))
                .as("%s names a program of src/build/optional-programs", file).containsPattern(byAnother));
    }

    @Test
    void anyOtherProgramThatATestStartsIsOnEveryMachine() {
        Set<String> started = SOURCES.stream()
                .flatMap(file -> STARTED.matcher(ProjectFiles.text(file)).results().map(found -> found.group(1)))
                .filter(word -> word.matches("\\w.*") && !word.contains("/") && !Installed.OPTIONAL.contains(word))
                .collect(Collectors.toSet());
        assertThat(started).contains("sh", "python3").isSubsetOf(ON_EVERY_MACHINE);
    }

    /// `.ci/run` runs them once more without those programs.
    @Test
    void theClassesThatUseSuchProgramsAreRunWithoutThem() throws Exception {
        List<String> run = List.of(Subprocess.said(Map.of(), "src/build/test-bare", "--list").strip().split(","));
        assertThat(run).contains("AttacksTest", "IsolationTest", "ManifestsTest", "SandboxTest",
                "TypedCommandsTest");
        assertThat(run)
                .containsAll(naming(OPTIONAL).map(InstalledTest::type).filter(name -> name.endsWith("Test")).toList());
    }
}
