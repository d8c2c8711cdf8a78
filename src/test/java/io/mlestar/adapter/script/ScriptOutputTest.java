package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.script.Sandbox.Raw;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.adapter.script.isolation.Workspace;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What comes back of what a script prints.
@Timeout(300)
class ScriptOutputTest {
    @TempDir
    private Path folder;

    private Raw run(Isolation isolation, String program) throws Exception {
        return Sandboxes.run(Sandboxes.of(isolation), folder, Sandboxes.AMPLE, program);
    }

    @Test
    @Requirement("REQ-EX-038")
    void hundredsOfMegabytesOfOutputTakeNoMemoryAndKeepTheirEnd() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getTotalThreadAllocatedBytes();
        Raw raw = run(Isolation.SESSION, """
                import os, sys
                block = b'x' * ((1 << 20) - 1) + b'\\n'
                for i in range(300):
                    os.write(1, block)
                    if i % 10 == 0:
                        os.write(2, block)
                print('Final Validation Performance: 0.75')
                print('the end', file=sys.stderr)
                """);
        long allocated = threads.getTotalThreadAllocatedBytes() - before;
        assertThat(raw.exitCode()).isZero();
        assertThat(raw.stdout()).startsWith("[the output was cut: ").contains("bytes are missing here]\n")
                .hasSizeLessThan(2 << 20);
        assertThat(raw.stderr()).startsWith("[the output was cut: ").endsWith("\nthe end\n");
        assertThat(Scores.parse(raw.stdout())).hasValue(0.75);
        assertThat(allocated).isLessThan(100L << 20);
    }

    @Test
    void whatAScriptPrintsCanBeSeenWhileItRuns() throws Exception {
        Workspace workspace = Sandboxes.workspace(folder);
        workspace.write("""
                import os, sys, time
                print('begun in ' + os.getcwd() + '/x')
                print('as an error', file=sys.stderr)
                while not os.path.exists('seen'):
                    time.sleep(0.02)
                """, "solution.py");
        AtomicReference<IntFunction<String>> printing = new AtomicReference<>();
        Sandbox sandbox = Sandboxes.of(Isolation.SESSION);
        Raw raw = sandbox.run(Sandboxes.job(sandbox, workspace, "solution.py", () -> Waiting.MOST,
                Sandboxes.following(printing::set, () -> {
                    if (printing.get().apply(1_000).equals("begun in ./x\nas an error\n")) {
                        workspace.write("seen = True", "seen");
                    }
                })));
        assertThat(raw.exitCode()).isZero();
        assertThat(printing.get().apply(1_000)).as("nothing is left of it").isEmpty();
    }
}
