package io.mlestar.adapter.script.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// What the kernel makes of it for others of the same user, `AttacksTest` shows with a process that
/// stands for this one.
class UndumpableTest {
    private static final int PR_GET_DUMPABLE = 3;

    @Test
    void theKernelTakesThisProcessForClosed() throws Throwable {
        MemorySegment prctl = Linker.nativeLinker().defaultLookup().find("prctl").orElse(null);
        assumeTrue(prctl != null && Files.exists(Path.of("/proc/self/environ")), "no Linux");
        Undumpable.become();
        assertThat((int) Linker.nativeLinker()
                .downcallHandle(prctl, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT))
                .invokeExact(PR_GET_DUMPABLE)).isZero();
        assertThat(Files.getAttribute(Path.of("/proc/self/environ"), "unix:uid")).isEqualTo(0);
    }
}
