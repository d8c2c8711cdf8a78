package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.mlestar.Requirement;
import io.mlestar.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the console says when something is broken off or cannot begin: one line, and never a stack
/// trace.
class InterruptIT {
    @TempDir
    private Path folder;

    private Program program;

    @BeforeEach
    void prepare() {
        program = new Program(folder);
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    @Requirement({"REQ-OR-051", "REQ-OR-056"})
    void aRunThatIsInterruptedSaysHowToGoOnAndGoesOnSo(String signal, int code) throws Exception {
        assumeFalse(isIgnored(code - 128), "the tests were started with SIG" + signal + " ignored");
        Process run = program
                .start(Program.mini("one", "--set", "outer_loop_steps=1", "--set", "num_parallel_solutions=100"));
        Path phase1 = program.store().resolve("runs/one/steps/phase1.result.json");
        Waiting.until("phase 1 is done", () -> Files.exists(phase1) || !run.isAlive());
        assertThat(new ProcessBuilder("sh", "-c", "kill -" + signal + " " + run.pid()).start().waitFor()).isZero();
        assertThat(run.waitFor(Waiting.MOST)).isTrue();
        assertThat(run.exitValue()).isEqualTo(code);
        String said = Files.readString(folder.resolve("err"));
        assertThat(said)
                .endsWith("interrupted; what is done is kept. Go on with: mlestar resume one --store " + program.store()
                        + "\n")
                .containsOnlyOnce("100 refinement paths share").doesNotContain("\tat ", "Exception");
        assertThat(program.run("runs").out()).contains("stopped");
    }

    /// As a shell does for what it starts in the background; a child inherits it, and a JVM then
    /// leaves the signal alone.
    private static boolean isIgnored(int signal) throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status) && Files.readAllLines(status).stream().filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 1L << signal - 1) != 0);
    }

    @Test
    void aServerWhosePortIsTakenSaysSoInOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Program.Ended ended = program.run("serve", "--port", String.valueOf(taken.getLocalPort()));
            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.err())
                    .isEqualTo("mlestar: port " + taken.getLocalPort() + " is in use; choose another with --port\n");
        }
    }
}
