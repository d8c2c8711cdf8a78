package io.mlestar.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineTest {
    @Test
    @Requirement({"REQ-EX-003", "REQ-OR-004"})
    void whatIsThereIsSeenAndNothingFails() {
        Machine machine = Machine.detect();
        assertThat(machine.processors()).isPositive();
        assertThat(machine.memoryBytes()).isGreaterThan(100L << 20);
        assertThat(machine.cudaAvailable()).isEqualTo(!machine.gpuNames().isEmpty());
        assertThat(machine.gpuNames()).isEqualTo(Machine.detect().gpuNames());
    }

    @Test
    @Requirement("REQ-EX-003")
    void withoutAGpuThereIsNoCuda() {
        Machine machine = new Machine(4, 8L << 30, List.of());
        assertThat(machine.cudaAvailable()).isFalse();
        assertThat(machine.describe()).isEqualTo("4 processors, 8 GB of memory, no GPU.");
    }

    @Test
    void gpusAreCountedAndNamed() {
        Machine machine = new Machine(96, 360L << 30, List.of("Tesla V100", "Tesla V100"));
        assertThat(machine.cudaAvailable()).isTrue();
        assertThat(machine.describe()).isEqualTo("96 processors, 360 GB of memory, 2 GPU(s): Tesla V100, Tesla V100.");
    }

    @Test
    void theSandboxOfThisMachineHasASlotForEachGpuOrProcessor() {
        Sandbox sandbox = Sandbox.of(Python.find("python3"));
        assertThat(sandbox.isolation()).isEqualTo(Isolation.strongest());
        assertThat(sandbox.slots()).isEqualTo(sandbox.machine().cudaAvailable() ? sandbox.machine().gpuNames().size()
                : sandbox.machine().processors());
    }
}
