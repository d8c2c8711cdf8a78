package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.adapter.script.isolation.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class MachineTest {
    private static final Duration AMPLE = Waiting.MOST;
    private static final String TWO_GPUS = "echo 'Tesla V100 '; echo; echo 'Tesla A100'";

    @TempDir
    private Path folder;

    /// The command of a driver's tool that does this.
    private List<String> driver(String does) throws IOException {
        Path program = Files.writeString(folder.resolve("nvidia-smi"), "#!/bin/sh\n" + does + "\n");
        return List.of(Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x")).toString());
    }

    @Test
    @Requirement({"REQ-EX-003", "REQ-OR-004"})
    void whatIsThereIsSeen() throws IOException {
        Machine machine = Machine.detect(driver(TWO_GPUS), AMPLE);
        assertThat(machine.processors()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(machine.memoryBytes()).isGreaterThan(100L << 20);
        assertThat(machine.cudaAvailable()).isTrue();
        assertThat(machine.gpuNames()).containsExactly("Tesla V100", "Tesla A100");
    }

    @ParameterizedTest
    @ValueSource(strings = {TWO_GPUS + "; exit 9", "exit 0", "kill -9 $$"})
    @Requirement({"REQ-EX-003", "REQ-OR-004"})
    void aDriverThatFailsOrNamesNothingHasNoGpu(String does) throws IOException {
        assertThat(Machine.detect(driver(does), AMPLE).gpuNames()).isEmpty();
        assertThat(Machine.detect(List.of(folder.resolve("nowhere").toString()), AMPLE).gpuNames()).isEmpty();
    }

    /// One that hangs before it names a GPU, one that does after, and one that waits for a child.
    @ParameterizedTest
    @ValueSource(strings = {"exec sleep 4712", TWO_GPUS + "; exec sleep 4712",
        TWO_GPUS + "; sleep 4712 & echo $! > \"$0.pid\"; wait"})
    @Requirement({"REQ-EX-003", "REQ-OR-004"})
    void aDriverThatHangsIsNotWaitedFor(String does) throws IOException {
        List<String> driver = driver("echo $$ > \"$0.pid\"; " + does);
        long begin = System.nanoTime();
        assertThat(Machine.detect(driver, Duration.ofMillis(300)).gpuNames()).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(AMPLE);
        Path pid = Path.of(driver.getFirst() + ".pid");
        Waiting.until("nobody of it is left", () -> gone(pid));
        assertThat(Machine.MOST).as("what a driver is usually given").isEqualTo(Duration.ofSeconds(10));
    }

    private static boolean gone(Path pid) {
        try {
            return !Files.exists(pid) || ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
                    .filter(ProcessHandle::isAlive).isEmpty();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void theSandboxOfThisMachineHasASlotForEachGpuOrProcessor() {
        Sandbox sandbox = Sandbox.of(Python.find("python3"), Map.of());
        assertThat(sandbox.isolation()).isEqualTo(Isolation.strongest(Sandboxes.PYTHON));
        assertThat(sandbox.slots()).isEqualTo(sandbox.machine().cudaAvailable() ? sandbox.machine().gpuNames().size()
                : sandbox.machine().processors());
    }

    @Test
    void theNumberOfScriptsAtOnceIsASetting() {
        Map<String, String> three = Map.of("MLE_STAR_SCRIPTS_AT_ONCE", " 3 ");
        assertThat(Sandbox.of(Sandboxes.PYTHON, three).slots()).isEqualTo(3);
        assertThat(Sandbox.alone(Sandboxes.PYTHON, three).slots()).as("nobody else comes to a pod of its own").isOne();
    }
}
