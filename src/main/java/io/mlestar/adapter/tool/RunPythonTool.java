package io.mlestar.adapter.tool;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.isolation.Workspace;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Answer;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs short Python scripts that look at the data, isolated like scripts of a run, each in a fresh
/// folder.
///
/// @param best what they may import as the module `best`; null if there is none
/// @param looks how many more may be run for this answer
/// @param isForgiving whether one that fails at once does not count: the first does not
record RunPythonTool(
        PathGuard places,
        Sandbox sandbox,
        Supplier<Duration> left,
        @Nullable String best,
        AtomicInteger looks,
        AtomicBoolean isForgiving) {
    /// The script that runs.
    @RegisterForReflection
    record Script(
            @JsonPropertyDescription("the whole script; it prints what you want to know") String script) {}

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final double AT_ONCE = 10;
    private static final int LONGEST_SCRIPT = 20_000;
    private static final int MOST_OUTPUT = 4_000;
    private static final String FILE = "look.py";

    Tool tool() {
        return new RecordTool<>(Answer.DataLook.TOOL,
                "Runs a Python script of at most " + LONGEST_SCRIPT
                        + " characters and shows what it prints: "
                        + MOST_OUTPUT + " characters at most. The data are in "
                        + "./input, read-only; there is no network, and no file is kept. " + looks
                        + " scripts may be run for this answer, each for "
                        + LONGEST.toSeconds()
                        + " seconds at most, beside other scripts that need the processors, too; the first that fails within "
                        + (int) AT_ONCE + " seconds does not count.",
                Script.class, this::run);
    }

    private String run(Script look) throws InterruptedException {
        if (looks.get() == 0) {
            throw new ToolRefused("all scripts for this answer have been run; answer now");
        }
        if (look.script().length() > LONGEST_SCRIPT) {
            throw new ToolRefused("a script has at most " + LONGEST_SCRIPT + " characters");
        }
        Path folder = places.scratch().resolveSibling("look-" + looks.getAndDecrement());
        // The rest of the time is for the other looks, and for turns between them.
        Duration half = left.get().dividedBy(2);
        Duration timeout = half.compareTo(LONGEST) < 0 ? half : LONGEST;
        try {
            Workspace workspace = Workspace.over(folder, places.data());
            try {
                workspace.write(look.script(), FILE);
                workspace.addModules(best);
                Sandbox.Raw raw = sandbox.python(workspace, places.data(), FILE, timeout);
                if (raw.exitCode() != 0 && raw.durationSeconds() < AT_ONCE
                        && isForgiving.getAndSet(false)) {
                    looks.incrementAndGet();
                }
                boolean isLate = raw.timedOut() && timeout.compareTo(LONGEST) < 0;
                return BashTool.output(raw, timeout, MOST_OUTPUT)
                        + (isLate ? "\n(little time is left for this answer: give it now)" : "");
            } finally {
                workspace.delete();
            }
        } catch (Invalid refusal) {
            throw new ToolRefused(refusal.getMessage());
        } catch (IOException e) {
            throw new ToolRefused("the script could not be run: " + places.reason(e));
        }
    }
}
