package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.app.web.Served;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import module java.base;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The words of the console when something is broken off or cannot begin: one line, and never a
/// stack trace; what a run's log says, there and in its file, until the first agent has answered;
/// and a server that is killed, started again and told to stop.
class InterruptIT {
    private static final String LINE =
            "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{3} .*(DEBUG|INFO|WARN|ERROR) .*mle_star.* .*";

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
        assertThat(Typed.in(program.store(), "runs").out()).contains("stopped");
    }

    /// True if this process ignores the signal. A shell makes what it starts in the background do
    /// that; a child inherits it, and a JVM then leaves the signal alone.
    private static boolean isIgnored(int signal) throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status) && Files.readAllLines(status).stream().filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 1L << signal - 1) != 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"run --task TASK", "serve --port 0"})
    void withoutASandboxNothingBeginsThatNeedsOne(String arguments) throws Exception {
        String kernel = Path.of("src/test/resources/walls/no_walls.py").toAbsolutePath().toString();
        program.with("MLE_STAR_SANDBOX", "required").with("MLE_STAR_MODEL", Program.ANSWERS);
        Program.Ended ended = program.inside("python3", kernel)
                .run(arguments.replace("TASK", Program.MINI + "/task.yaml").split(" "));
        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(2);
        assertThat(ended.err().strip())
                .startsWith("mlestar: no sandbox is available on this machine: install bubblewrap").hasLineCount(1);
        assertThat(program.store().resolve("runs")).doesNotExist();
    }

    @Test
    void aMissingInterpreterIsSaidBeforeAnything() throws Exception {
        Program.Ended ended = program.with("MLE_STAR_PYTHON", "/no/python").run(Program.mini("one"));
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).contains("\"/no/python\" does not run");
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

    private Served server;

    private void serve() throws Exception {
        server = Served.start(folder);
    }

    @AfterEach
    void kill() throws InterruptedException {
        if (server != null) {
            server.kill();
        }
    }

    private Records records() {
        return new Records(server.store());
    }

    @Test
    void aRunThatWasOpenWhenTheServerWasKilledIsTakenUpByTheNextOne() throws Exception {
        serve();
        HttpResponse<String> answer = server.request(Program.request("open"));
        assertThat(answer.body()).isEmpty();
        assertThat(answer.headers().firstValue("x-mlestar-run")).contains("open");
        Waiting.until("the run has begun", () -> records().result(StepPath.parse("open/phase1/retriever")).isPresent());
        server.kill();
        assertThat(records().hasEnded("open")).isFalse();
        serve();
        Waiting.until("the run ends by itself", () -> records().hasEnded("open"));
        assertThat(Files.readString(folder.resolve("err"))).contains("run open is taken up where it stood")
                .doesNotContain("\tat ");
    }

    @Test
    void aServerStopsWithoutAComplaint() throws Exception {
        serve();
        server.request(Program.request("cut-off"));
        Waiting.until("the run has begun",
                () -> records().request(StepPath.parse("cut-off/phase1/candidate0")).isPresent());
        assertThat(server.stop()).isTrue();
        assertThat(Files.readString(folder.resolve("err"))).doesNotContain("\tat ", "After Shutdown", "Exception");
    }

    @ParameterizedTest
    @CsvSource({"text, INFO", "json, DEBUG"})
    @Requirement({"REQ-OR-047", "REQ-OR-056"})
    void consoleAndFileHaveLinesWithTimeLevelAndLoggerAsTheSettingsSay(String format, String level) throws Exception {
        Path log = folder.resolve("log");
        Process run = program.with("MLE_STAR_SCRIPTS_AT_ONCE", "1")
                .start(Program.mini("one", "--set", "log_file=" + log,
                        "--set", "log_format=" + format, "--set", "log_level=" + level));
        Waiting.until("the retriever has answered",
                () -> Files.exists(log) && Files.readString(log).contains("what=retrieval-complete")
                        && (level.equals("INFO") || Files.readString(log).contains("prompt of")) || !run.isAlive());
        run.destroyForcibly().waitFor();

        String console = Files.readString(folder.resolve("err"));
        assertThat(console).containsOnlyOnce("2 refinement paths share 1 slot for scripts");
        boolean quiet = format.equals("text") && level.equals("INFO");
        for (String said : quiet ? List.of(Files.readString(log)) : List.of(console, Files.readString(log))) {
            assertThat(said).containsOnlyOnce("run one: 2 refinement paths share 1 slot for scripts")
                    .containsOnlyOnce("=== Phase 1: Initial Solution Generation ===");
            assertThat(said.contains("prompt of one/phase1/retriever")).as(said).isEqualTo(level.equals("DEBUG"));
            assertThat(said.lines().filter(line -> line.contains("what=retrieval-start"))).singleElement()
                    .satisfies(line -> {
                        if (format.equals("text")) {
                            assertThat(line).matches(LINE);
                        } else {
                            JsonNode json = Json.parse(line);
                            assertThat(Stream.of("timestamp", "level", "logger", "message", "run").map(json::path))
                                    .allMatch(JsonNode::isTextual);
                        }
                    });
        }
        assertThat(console.contains("what=")).as("progress stands in place of the log").isNotEqualTo(quiet);
    }
}
