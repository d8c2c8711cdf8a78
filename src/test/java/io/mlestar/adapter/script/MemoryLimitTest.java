package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.adapter.script.Sandbox.Raw;
import io.mlestar.adapter.script.isolation.Isolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a script may take of the machine's memory, and what is said of one that took too much.
@Timeout(300)
class MemoryLimitTest {
    private static final String ISOLATIONS = "io.mlestar.adapter.script.Sandboxes#isolations";
    private static final long MIB = 1L << 20;

    @TempDir
    private Path folder;

    private Raw run(Isolation isolation, long memory, String program) throws Exception {
        Sandbox sandbox = new Sandbox(Sandboxes.PYTHON, isolation, new Machine(2, memory, List.of()), 1,
                Optional.empty(), Weights.NONE);
        return Sandboxes.run(sandbox, folder, Sandboxes.AMPLE, program);
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    void aScriptThatTakesMoreThanNineTenthsOfWhatIsFreeGetsAMemoryError(Isolation isolation) throws Exception {
        Raw raw = run(isolation, 512 * MIB, """
                taken = []
                try:
                    while True:
                        taken.append(bytearray(1 << 20))
                except MemoryError:
                    print(len(taken))
                """);
        assertThat(Integer.parseInt(raw.stdout().strip())).as(raw.stderr()).isBetween(300, 461);
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    void theLimitIsWhatIsFreeWhenTheScriptStarts(Isolation isolation) throws Exception {
        Raw raw = run(isolation, 1L << 50, "import resource\nprint(resource.getrlimit(resource.RLIMIT_DATA)[1])\n");
        long all = MemoryPressure.available(1L << 50);
        assertThat(Long.parseLong(raw.stdout().strip())).as(raw.stderr()).isPositive().isLessThan(2 * all);
    }

    @Test
    void freeIsWhatTheMachineAndTheContainerHaveLeft() throws Exception {
        Path machine = Files.writeString(folder.resolve("meminfo"),
                "MemTotal:  8000000 kB\nMemFree: 100 kB\nMemAvailable:    2097152 kB\n");
        MemoryPressure free = new MemoryPressure(folder);
        assertThat(free.available(machine, 1L << 40)).isEqualTo(2048 * MIB);
        assertThat(free.available(machine, MIB)).as("there is no more than that").isEqualTo(MIB);
        now("" + 1024 * MIB, 512 * MIB, 256 * MIB, 900 * MIB);
        assertThat(free.available(machine, 1L << 40)).as("a cache of files would be dropped").isEqualTo(256 * MIB);
        now("max", 512 * MIB, 256 * MIB, 900 * MIB);
        assertThat(free.available(machine, 1L << 40)).isEqualTo(2048 * MIB);
        assertThat(free.available(folder.resolve("none"), MIB)).as("on another system").isEqualTo(MIB);
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    void theKernelEndsScriptsBeforeAllOthersIfMemoryRunsOut(Isolation isolation) throws Exception {
        assertThat(run(isolation, 1L << 40, "print(open('/proc/self/oom_score_adj').read().strip())").stdout())
                .isEqualTo("1000\n");
    }

    private void now(String limit, long anonymous, long shared, long cache) throws IOException {
        Files.writeString(folder.resolve("memory.max"), limit + "\n");
        Files.writeString(folder.resolve("memory.stat"),
                "anon " + anonymous + "\nfile " + cache + "\nshmem " + shared + "\nsock 0\n");
    }

    @Test
    void nineTenthsOfTheLimitAreSaid() throws IOException {
        MemoryPressure pressure = new MemoryPressure(folder);
        now("10737418240", 9_000_000_000L, 1_000_000_000L, 0);
        assertThat(pressure.tight()).contains("9.3 of 10.0 GiB of memory were in use");
        now("10737418240", 9_000_000_000L, 0, 9_000_000_000L);
        assertThat(pressure.tight()).as("what is only a cache of files would be dropped").isEmpty();
    }

    @Test
    void withoutALimitOrAControlGroupThereIsNothingToSay() throws IOException {
        now("max", 9_000_000_000L, 0, 0);
        assertThat(new MemoryPressure(folder).tight()).isEmpty();
        now("much", 9_000_000_000L, 0, 0);
        assertThat(new MemoryPressure(folder).tight()).isEmpty();
        assertThat(new MemoryPressure(folder.resolve("none")).tight()).isEmpty();
    }
}
