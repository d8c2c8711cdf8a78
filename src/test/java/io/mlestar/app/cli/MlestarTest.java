package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class MlestarTest {
    @Test
    void theProgramMakesOnlyTheCommandThatIsCalledAndAllForHelp() {
        assertThat(Mlestar.program().getSubcommands()).hasSize(26)
                .hasSameSizeAs(Mlestar.program("rnu", "--json").getSubcommands());
        assertThat(Mlestar.program().getSubcommands().keySet())
                .allSatisfy(
                        name -> assertThat(Mlestar.program(name, "--help").getSubcommands()).containsOnlyKeys(name));
    }

    private static String said(String... arguments) {
        return written(2, arguments).strip();
    }

    /// What a command with this exit code writes to stdout and stderr.
    private static String written(int exitCode, String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(written, true, StandardCharsets.UTF_8);
        System.setOut(stream);
        System.setErr(stream);
        try {
            assertThat(Mlestar.run(arguments)).isEqualTo(exitCode);
            return written.toString(StandardCharsets.UTF_8);
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    @Test
    void helpWithACommandPrintsTheHelpOfItsOption() {
        assertThat(written(0, "help", "fork")).isEqualTo(written(0, "fork", "--help")).contains("--at=STEP",
                "--preset=NAME");
        assertThat(written(0, "help")).contains("new", "run", "doctor");
    }

    @Test
    void thePythonOfTheScriptsIsMadeOnlyWhereItsLocksAre() {
        assertThat(said("python")).isEqualTo(
                "mlestar: the program was not started by the launcher of an archive or a checkout, which has the locks of the"
                        + " libraries; MLE_STAR_PYTHON names another Python");
    }

    @Test
    void shellsCompleteEveryCommandAndItsOptions() {
        for (String shell : List.of("bash", "zsh", "fish")) {
            assertThat(written(0, "completion", shell)).contains("doctor", "preset", "older-than")
                    .doesNotContain("JobCommand");
        }
        assertThat(said("completion", "csh"))
                .isEqualTo("mlestar: there is no completion for \"csh\", but for bash, zsh and fish");
    }

    @Test
    void aMisspeltNameIsAnsweredWithTheNearestOne() {
        assertThat(said("stauts", "one"))
                .isEqualTo("mlestar: there is no command \"stauts\"; did you mean status?; see mlestar --help");
        assertThat(said("status", "one", "--jsno"))
                .isEqualTo("mlestar: there is no option --jsno; did you mean --json?; see mlestar status --help");
        assertThat(said("agent", "planer", "--input", "x"))
                .isEqualTo("mlestar: there is no agent \"planer\"; did you mean planner?; see mlestar agents");
        assertThat(said("nothing-like-it")).doesNotContain("did you mean");
    }
}
