package io.mlestar.adapter.tool;

import static io.mlestar.adapter.tool.ToolSets.arguments;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Scripts that look at the data, in the real sandbox.
@Timeout(300)
class RunPythonToolTest {
    private static final String SECRET = "the labels that nothing may show";
    private static final int MANY = 20;

    @TempDir
    private Path folder;

    @BeforeEach
    void layOut() throws IOException {
        assumeTrue(ToolSets.SANDBOX.keepsFiles(), "there is no wall here that keeps files");
        Files.writeString(Files.createDirectory(folder.resolve("data")).resolve("train.csv"), "id,y\n1,0\n2,1\n");
        Path secret = Files.writeString(Files.createDirectory(folder.resolve("outside")).resolve("labels.csv"), SECRET);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-rw-rw-"));
        Files.setPosixFilePermissions(folder.resolve("outside"), PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private Tool looking(int looks, Duration left) throws Exception {
        return looking(looks, left, ToolSets.DEFAULTS);
    }

    private Tool looking(int looks, Duration left, ToolSettings settings) throws Exception {
        return ToolSets.of(folder, settings, ToolSets.ANYWHERE, left, new ToolFailures(), looks)
                .offered(List.of("RunPython")).getFirst();
    }

    /// What the model is told, whether it went well or not.
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
        assertThat(told(tool, "print(1)")).isEqualTo("1");
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
                .isEqualTo("['.home', 'final', 'input', 'look.py', 'variants.py'] [] False");
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
                script.replace("{out}", folder.resolve("outside/labels.csv").toString()))).isNotEmpty()
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
        assertThat(told(
                looking(1, ToolSets.AMPLE,
                        new ToolSettings(List.of(), Permission.of("acceptEdits", nobody), Optional.empty())),
                "print(1)"))
                .isEqualTo("1");
    }

    @Test
    @Requirement("REQ-OR-008")
    void withoutLooksItIsNotOffered() throws Exception {
        assertThat(ToolSets.of(folder, ToolSets.DEFAULTS, ToolSets.ANYWHERE, ToolSets.AMPLE)
                .offered(List.of("RunPython", "Read"))).extracting(Tool::name)
                .containsExactly("Read");
        assertThat(
                catchThrowableOfType(ToolRefused.class, () -> looking(1, ToolSets.AMPLE).call(arguments("path", "x"))))
                .hasMessage("script is required");
    }
}
