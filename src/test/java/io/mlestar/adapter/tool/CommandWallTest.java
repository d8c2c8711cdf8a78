package io.mlestar.adapter.tool;

import static io.mlestar.adapter.tool.ToolSets.arguments;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import module java.base;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A blocked command is refused, however it is plainly written. What no reading of a command finds
/// out, the wall around it holds: whatever is written, nothing outside the working folder changes.
/// The files outside may be written by everybody, so that nothing but the wall is in the way; no
/// pattern is blocked here. Scripts that look at the data stand behind the same wall. Where there
/// is no wall that keeps files there are neither, and these tests say so.
@Timeout(300)
class CommandWallTest {
    private static final String SECRET = "the secret of another user";
    private static final ToolSettings NOTHING_BLOCKED =
            new ToolSettings(List.of(), Permission.of("bypassPermissions", Permission.withoutApprover()),
                    Optional.empty());

    private static final BlockedCommands BLOCKED = new BlockedCommands(ToolSettings.BLOCKED_COMMANDS);

    private static final int MANY = 20;

    @TempDir
    private Path folder;
    private Path outside;

    @BeforeEach
    void layOut() throws IOException {
        outside = Files.createDirectory(folder.resolve("outside"));
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("train.csv"), "id,y\n1,0\n2,1\n");
        for (Path file : List.of(outside.resolve("passwd"), outside.resolve("shadow"), outside.resolve("sda"),
                folder.resolve("x"))) {
            Files.writeString(file, SECRET);
        }
        for (Path file : List.of(outside.resolve("passwd"), outside.resolve("shadow"), outside.resolve("sda"),
                folder.resolve("x"), data.resolve("train.csv"))) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        }
        for (Path open : List.of(folder, outside, data)) {
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        Path scratch = Files.createDirectories(folder.resolve("scratch"));
        Files.writeString(scratch.resolve("x"), "mine");
    }

    private Map<String, String> allButTheWorkingFolder() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            all.filter(file -> !file.startsWith(folder.resolve("scratch")))
                    .forEach(file -> files.put(file.toString(), content(file)));
        }
        return files;
    }

    private static String content(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The text that the model is told.
    private String run(String command) throws Exception {
        Tool bash = ToolSets.commands(folder, NOTHING_BLOCKED);
        try {
            return bash.call(arguments("command", command.replace("{out}", outside.toString()), "timeout_seconds", 20));
        } catch (ToolRefused e) {
            return e.getMessage();
        }
    }

    /// One of each kind: the wall does not read commands.
    @ParameterizedTest
    @ValueSource(strings = {
        "rm -rf {out}", "rm -rf x/../../outside", "cd {out} && rm -rf *", "sudo rm -rf {out}", "find {out} -delete",
        "find input -delete", "echo cm0gLXJmIC4uL291dHNpZGU= | base64 -d | sh", "trap 'rm -r {out}' EXIT",
        "dd if=/dev/zero count=1 of={out}/sda", "echo x >> ../y", "echo x >| {out}/x", "tee input/train.csv",
        "cp x input/", "mv input/train.csv .", "ln -s {out} root && rm -r root/*", "chmod -R 777 {out}",
        "mkdir {out}/x", "sed -i s/a/b/ {out}/passwd", "python3 -c \"import shutil; shutil.rmtree('{out}')\"",
        "perl -e 'unlink \"{out}/passwd\"'", "cat <<EOF\r\nEOF\r\nrm -r {out}", "cd input && rm train.csv"})
    @Requirement("REQ-OR-033")
    void nothingOutsideTheWorkingFolderChanges(String command) throws Exception {
        Map<String, String> before = allButTheWorkingFolder();
        run(command);
        assertThat(allButTheWorkingFolder()).as(command).isEqualTo(before).hasSizeGreaterThan(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "cat {out}/shadow", "cat < {out}/shadow", "ln -s {out} root && cat root/shadow",
        "python3 -c \"print(open('{out}/shadow').read())\"",
        "cp {out}/shadow . && cat shadow", "head -c 100 {out}/../outside/shadow"})
    void nothingOutsideIsShown(String command) throws Exception {
        assertThat(run(command)).as(command).isNotEmpty().doesNotContain(SECRET);
    }

    /// The battery would prove nothing if commands did nothing at all.
    @Test
    void insideItDoesWhatItSays() throws Exception {
        assertThat(run("cat input/train.csv; echo; rm x; echo y > z; cat z; ls")).contains("1,0", "y\n")
                .doesNotContain("cannot");
        assertThat(folder.resolve("scratch/x")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"sudo ", "rm ", "rm -rf ", "a", "`", "'/", "x(){", "a(){a|a", "<<E ", "find . ", "dd of=", ";"})
    @Timeout(300)
    void longAndOddCommandsAreJudgedInTime(String part) {
        for (int length : new int[] {300, 49_000}) {
            assertThat(BLOCKED.refusal(part.repeat(length / part.length()) + "ls")).isEmpty();
        }
    }

    /// A command that gets by in another spelling meets the wall.
    @ParameterizedTest
    @CsvFileSource(resources = "/walls/commands.csv", delimiter = '!', numLinesToSkip = 1, quoteCharacter = '~')
    @Requirement("REQ-OR-033")
    void thePatternsAreRefusedHoweverTheyArePlainlyWrittenAndNothingElseIs(String verdict, String command) {
        assertThat(BLOCKED.refusal(command.replace("LF", "\n")).isPresent()).as(command)
                .isEqualTo(verdict.equals("refused"));
    }

    @Test
    @Requirement("REQ-OR-033")
    void theListIsTheOperators() {
        BlockedCommands blocked = new BlockedCommands(List.of("git push --force", "halt"));
        assertThat(blocked.refusal("git push origin --force").orElseThrow()).contains("git push --force");
        assertThat(blocked.refusal("ha''lt")).isPresent();
        assertThat(blocked.refusal("git push origin")).isEmpty();
        assertThat(blocked.refusal("mkfs x")).isEmpty();
    }

    private Tool looking(int looks, Duration left) throws Exception {
        return looking(looks, left, ToolSets.DEFAULTS);
    }

    private Tool looking(int looks, Duration left, ToolSettings settings) throws Exception {
        assumeTrue(ToolSets.SANDBOX.keepsFiles(), "there is no wall here that keeps files");
        return ToolSets.of(folder, settings, left, looks)
                .offered(List.of("RunPython")).getFirst();
    }

    /// The text that the model is told, whether it went well or not.
    private static String told(Tool tool, String script) {
        try {
            return tool.call(arguments("script", script));
        } catch (ToolRefused e) {
            return "Error: " + e.getMessage();
        }
    }

    @Test
    void aScriptSeesTheDataAndTheModelWhatItPrints() throws Exception {
        Tool tool = looking(MANY, ToolSets.AMPLE);
        assertThat(told(tool, "print(sum(1 for line in open('input/train.csv')))")).isEqualTo("3");
        assertThat(told(tool, "pass")).isEqualTo("[no output]");
        assertThat(told(tool, "print('first')\nprint(missing)")).startsWith("Error: exit code 1\nfirst\n")
                .contains("NameError: name 'missing'", "look.py");
        assertThat(told(tool, "exit()"))
                .isEqualTo("Error: the script must not call exit(), sys.exit(), os._exit() or quit()");
        assertThat(told(tool, " ")).isEqualTo("Error: the script is empty");
        assertThat(told(tool, "#".repeat(20_001))).isEqualTo("Error: a script has at most 20000 characters");
        assertThat(told(tool, "print('\ud800')"))
                .startsWith("Error: line 1 of the script contains half of a surrogate pair");
        assertThat(tool.description()).contains("20 scripts", "60 seconds", "4000 characters");
        assertThat(tool.parameters().path("required")).isEqualTo(Json.tree(List.of("script")));
    }

    @Test
    void afterSoManyScriptsThereIsNoOtherButTheFirstThatFailsAtOnceDoesNotCount() throws Exception {
        Tool tool = looking(2, ToolSets.AMPLE);
        assertThat(told(tool, "raise ValueError('x')")).startsWith("Error: exit code 1");
        assertThat(told(tool, "import best\nprint(best.seen)")).isEqualTo("2");
        assertThat(told(tool, "raise ValueError('x')")).startsWith("Error: exit code 1");
        assertThat(told(tool, "print(3)")).isEqualTo("Error: all scripts for this answer have been run; answer now");
    }

    @Test
    void whatOneScriptLeavesNoOtherFindsAndTheDataStayAsTheyAre() throws Exception {
        Tool tool = looking(MANY, ToolSets.AMPLE);
        assertThat(told(tool, "open('left', 'w').write('x')\nopen('final/left', 'w').write('x')\nprint('done')"))
                .isEqualTo("done");
        assertThat(told(tool,
                "import os\nprint(sorted(os.listdir('.')), os.listdir('final'), os.path.exists('../look-20/left'))"))
                .isEqualTo("['.home', 'best.py', 'final', 'input', 'look.py', 'variants.py'] [] False");
        told(tool, "open('input/train.csv', 'w').write('x')");
        told(tool, "import os\nos.remove('input/train.csv')");
        assertThat(folder.resolve("data")).isDirectoryContaining("glob:**/train.csv");
        assertThat(folder.resolve("data/train.csv")).hasContent("id,y\n1,0\n2,1\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"print(open('{out}').read())", "import os\nos.symlink('{out}', 'x')\nprint(open('x').read())",
                "import os\nos.system('cat {out}')", "import shutil\nprint(open(shutil.copy('{out}', '.')).read())",
                "import glob\nfor file in glob.glob('../../*/*') + glob.glob('../*/*'):\n    print(open(file).read())"})
    void aHostileScriptIsShownNothingOfTheMachine(String script) throws Exception {
        assertThat(told(looking(1, ToolSets.AMPLE),
                script.replace("{out}", folder.resolve("outside/shadow").toString()))).isNotEmpty()
                .doesNotContain(SECRET);
    }

    @Test
    void aLongOutputIsCutInTheMiddle() throws Exception {
        Tool tool = looking(MANY, ToolSets.AMPLE);
        assertThat(told(tool, "for i in range(100_000): print(i)")).startsWith("0\n1\n").endsWith("99999")
                .contains("[cut: ").hasSizeBetween(4_000, 4_100);
        assertThat(told(tool, "print('x' * 100_000)\nraise ValueError('y' * 100_000)"))
                .startsWith("Error: exit code 1\nxxx").hasSizeLessThan(4_200);
    }

    @Test
    void aScriptHasHalfOfTheTimeThatIsLeft() throws Exception {
        assertThat(told(looking(1, Duration.ofSeconds(2)), "while True: pass"))
                .startsWith("Error: stopped after 1.0 seconds");
        assertThat(told(looking(1, Duration.ZERO), "print(1)")).contains("no time is left for tools");
    }

    /// It changes nothing, so only the modes that ask for everything ask for it.
    @Test
    @Requirement("REQ-OR-009")
    void itIsApprovedLikeAToolThatChangesNothing() throws Exception {
        Permission nobody = (tool, arguments) -> Optional.of("not approved: " + arguments.path("script").asText());
        assertThat(told(looking(1, ToolSets.AMPLE,
                new ToolSettings(List.of(), Permission.of("custom", nobody), Optional.empty())), "print(1)"))
                .isEqualTo("Error: not approved: print(1)");
        assertThat(told(looking(1, ToolSets.AMPLE,
                new ToolSettings(List.of(), Permission.of("acceptEdits", nobody), Optional.empty())),
                "print(1)"))
                .isEqualTo("1");
    }

    @Test
    @Requirement("REQ-OR-008")
    void withoutLooksItIsNotOffered() throws Exception {
        assertThat(ToolSets.of(folder, ToolSets.DEFAULTS)
                .offered(List.of("RunPython", "Read"))).extracting(Tool::name)
                .containsExactly("Read");
        assertThat(
                catchThrowableOfType(ToolRefused.class, () -> looking(1, ToolSets.AMPLE).call(arguments("path", "x"))))
                .hasMessage("script is required");
    }
}
