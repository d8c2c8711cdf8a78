package io.mlestar.adapter.script.isolation;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.mlestar.Requirement;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The interpreter of scripts, the folder that each is written to, and what of one is refused
/// before it begins.
@Timeout(300)
class WorkspaceTest {
    @TempDir
    private Path folder;

    private Workspace workspace() throws IOException {
        return Workspace.over(folder.resolve("script"), Files.createDirectories(folder.resolve("data")));
    }

    @Test
    @Requirement("REQ-EX-001")
    void hasAnInputThatShowsTheDataAndAFinalFolderAndDeletingFollowsNoLinks() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("train.csv"), "id\n");
        Path relative = Path.of("").toAbsolutePath().relativize(folder.resolve("script"));
        Workspace workspace = Workspace.over(relative, data);
        assertThat(workspace.folder()).isAbsolute();
        assertThat(folder.resolve("script/input/train.csv")).hasContent("id\n");
        assertThat(folder.resolve("script/final")).isEmptyDirectory();

        Files.createSymbolicLink(workspace.finalFolder().resolve("link"), data);
        workspace.delete();
        assertThat(workspace.folder()).doesNotExist();
        assertThat(data.resolve("train.csv")).hasContent("id\n");
    }

    @Test
    void foldersThatAreClosedOrDeeperThanAPathIsLongAreDeletedToo() throws Exception {
        Workspace workspace = workspace();
        new ProcessBuilder("sh", "-c", """
                mkdir -p a/b && touch a/b/c && chmod 000 a/b a
                name=$(printf '%0200d' 0)
                for i in $(seq 30); do mkdir $name && cd $name; done
                """).directory(workspace.finalFolder().toFile()).start().waitFor();
        workspace.delete();
        assertThat(workspace.folder()).doesNotExist();
    }

    @Test
    @Requirement({"REQ-EX-005", "REQ-EX-043"})
    void writesTheScriptByteForByteAsUtf8() throws IOException {
        String content = "# Größe: 5 µm, 日本, 🐦\r\nprint('x')  \n\n\tno newline at the end";
        Workspace workspace = workspace();
        workspace.write("print('an earlier, longer one')" + content, "solution.py");
        Path file = workspace.write(content, "solution.py");
        assertThat(file).isAbsolute().isEqualTo(folder.resolve("script/solution.py"));
        assertThat(file).hasBinaryContent(content.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @Requirement({"REQ-EX-005", "REQ-EX-043"})
    void aScriptThatUtf8CannotSayIsRefusedByItsLine() throws IOException {
        Workspace workspace = workspace();
        refusal(() -> workspace.write("a = '🐦'\nprint('\ud83d')\n", "solution.py"))
                .isEqualTo("line 2 of the script contains half of a surrogate pair, which UTF-8 cannot say");
        assertThat(folder.resolve("script/solution.py")).doesNotExist();
    }

    @ParameterizedTest
    @Requirement("REQ-EX-025")
    @CsvSource({"'', 0", "'id', 0", "'id\n', 0", "'id\n1', 1", "'id\n1\n', 1", "'id\n1\n2', 2", "'id\r\n1\r\n2\r\n', 2",
        "'\n\n\n', 2"})
    void countsTheRowsBelowTheHeader(String content, long rows) throws IOException {
        Workspace workspace = workspace();
        Files.writeString(workspace.submission(), content);
        assertThat(workspace.submissionRows()).isEqualTo(rows);
        Files.writeString(workspace.submission(), "id,target\n" + "123456,0.5\n".repeat(300_000));
        assertThat(workspace.submissionRows()).as("of a big file").isEqualTo(300_000);
    }

    @ParameterizedTest
    @Requirement("REQ-EX-006")
    @ValueSource(strings = {"", " ", "\n\t \r\n"})
    void aBlankScriptIsRefused(String content) {
        refusal(() -> ScriptRules.check(content)).contains("empty");
    }

    /// By the text alone, in comments and strings, too.
    @ParameterizedTest
    @Requirement({"REQ-EX-006", "REQ-EX-044", "REQ-FN-046"})
    @ValueSource(strings = {"exit()", "exit(1)", "exit ()", "if bad: exit()", "sys.exit()", "sys.exit (0)",
        "import sys\nsys.exit('no data')",
        "os._exit(1)", "os._exit (1)", "quit()", "quit ( )", "x = 1;quit()", "# never call exit()", "print('exit()')",
        "driver.quit()"})
    void aCallThatEndsTheProcessIsRefused(String content) {
        refusal(() -> ScriptRules.check("import os\n" + content + "\n")).contains("exit()", "sys.exit()", "os._exit()",
                "quit()");
    }

    @ParameterizedTest
    @Requirement("REQ-EX-044")
    @ValueSource(strings = {"print(1)", "on_exit()", "exit_code = run()", "exits(1)", "atexit.register(f)",
        "early_quit()", "quitter()",
        "raise SystemExit", "from sys import exit"})
    void whatOnlyLooksLikeItPasses(String content) {
        assertThatCode(() -> ScriptRules.check(content)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @Requirement("REQ-EX-045")
    @ValueSource(strings = {"try:\n    f()\nexcept:\n    g()\n", "try: f()\nexcept : pass",
        "if a:\n    try:\n        f()\n    except:\n        raise\n"})
    void aBareExceptIsWarnedOf(String content) {
        assertThat(ScriptRules.errorMasking(content)).containsExactly("a bare `except:` hides every error");
    }

    @ParameterizedTest
    @Requirement("REQ-EX-045")
    @ValueSource(strings = {"except Exception:\n    pass\n", "except Exception as e:\n    pass\n",
        "except BaseException:\n    pass\n",
        "except Exception: pass", "    except Exception:  # never mind\n        pass\n",
        "except Exception:\r\n    pass\r\n",
        "except Exception:\n\n    # never mind\n    pass\n"})
    void aHandlerThatOnlyPassesIsWarnedOf(String handler) {
        assertThat(ScriptRules.errorMasking("try:\n    f()\n" + handler))
                .containsExactly("an `except Exception: pass` hides errors");
        assertThat(ScriptRules.errorMasking("try:\n    f()\n" + handler + "\nexcept:\n    pass\n")).hasSize(2);
        assertThatCode(() -> ScriptRules.check("try:\n    f()\n" + handler)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @Requirement("REQ-EX-045")
    @ValueSource(strings = {"print(1)\n", "try:\n    f()\nexcept ValueError:\n    pass\n",
        "try:\n    f()\nexcept Exception:\n    print(1)\n",
        "try:\n    f()\nexcept Exception:\n    pass_on()\n", "try:\n    f()\nexcept Exceptional:\n    pass\n"})
    void aHandlerThatDoesSomethingIsNot(String content) {
        assertThat(ScriptRules.errorMasking(content)).isEmpty();
    }

    @Test
    void longScriptsAreNoTrouble() {
        String comments = "# a comment\n".repeat(50_000);
        assertThat(ScriptRules.errorMasking("try:\n    f()\nexcept Exception:\n" + comments + "    g()\n")).isEmpty();
        assertThatCode(() -> ScriptRules.check(comments + "print(1)\n")).doesNotThrowAnyException();
    }

    /// A program that answers as an interpreter of this version would.
    private Path fake(String answer) throws IOException {
        Path program = Files.writeString(folder.resolve("python"), "#!/bin/sh\n" + answer + "\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void findsTheProgramBehindAName() {
        Python python = Python.find("python3");
        assertThat(python.executable()).isAbsolute().isExecutable();
        assertThat(python.version()).matches("3\\.\\d+\\..*");
        assertThat(python.prefixes()).doesNotHaveDuplicates().allSatisfy(prefix -> assertThat(prefix).isDirectory());
    }

    @ParameterizedTest
    @ValueSource(strings = {"no-such-python", "/no/such/python", "false", "true", "echo", "/etc"})
    void whatIsNoInterpreterIsNamed(String command) {
        refusal(() -> Python.find(command)).contains("\"" + command + "\"", "MLE_STAR_PYTHON");
    }

    @ParameterizedTest
    @Requirement("REQ-DM-047")
    @ValueSource(strings = {"2.7.18", "3.8.19", "3.9.25"})
    void anOldInterpreterIsRefusedByItsVersion(String version) throws IOException {
        Path old = fake("echo '[\"/usr/bin/python\", \"%s\", \"/usr\", \"/usr\"]'".formatted(version));
        refusal(() -> Python.find(old.toString())).contains(version, "3.10 or newer", old.toString());
    }

    @ParameterizedTest
    @Requirement("REQ-DM-047")
    @ValueSource(strings = {"3.10.0", "3.14.0rc1", "4.0.0"})
    void aNewInterpreterWillDoWhosePrefixesAreNotTheSystems(String version) throws IOException {
        Path python = fake("echo '[\"/opt/py/bin/python\", \"%s\", \"/opt/venv\", \"/opt/py\"]'".formatted(version));
        assertThat(Python.find(python.toString()).version()).isEqualTo(version);
        assertThat(Python.find(python.toString()).prefixes()).containsExactly(Path.of("/opt/venv"), Path.of("/opt/py"));
        Path system = fake("echo '[\"/usr/bin/python3\", \"3.12.1\", \"/usr\", \"/usr\"]'");
        assertThat(Python.find(system.toString()).prefixes()).isEmpty();
    }

    @Test
    void anInterpreterThatHangsIsNamedInTime() throws IOException {
        Path python = fake("exec sleep 4713");
        refusal(() -> Python.find(python.toString(), Duration.ofSeconds(1))).contains(python.toString());
    }
}
