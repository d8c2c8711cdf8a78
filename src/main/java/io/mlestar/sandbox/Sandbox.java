package io.mlestar.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Runs one Python program as a process tree of its own, with limits, and ends all of it (REQ-EX-007, 009, 010, 037).
///
/// @param slots scripts that may run at once on this machine
public record Sandbox(Python python, Isolation isolation, Machine machine, int slots) {
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final long MOST_OUTPUT = 100L << 20;
    private static final int OUTPUT_RETURNED = 1 << 20;
    private static final long LARGEST_FILE = 20L << 30;
    private static final int MOST_PROCESSES = 4096;

    /// What the operating system says of one run (REQ-EX-008).
    ///
    /// @param exitCode -1 if it was killed for time
    public record Raw(String stdout, String stderr, int exitCode, double durationSeconds, boolean timedOut) {}

    /// The sandbox of this machine.
    ///
    /// @throws io.mlestar.task.Invalid if the interpreter does not run
    public static Sandbox detect(String interpreter) {
        Machine machine = Machine.detect();
        int slots = machine.cudaAvailable() ? machine.gpuNames().size() : machine.processors();
        return new Sandbox(Python.find(interpreter), Isolation.strongest(), machine, slots);
    }

    /// Runs a program that lies in the workspace.
    ///
    /// @param data folder that the workspace's `input` shows
    /// @throws IOException if it cannot be started
    public Raw run(Workspace workspace, Path data, String filename, Duration timeout) throws IOException, InterruptedException {
        Path home = Files.createDirectories(workspace.folder().resolve(".home"));
        TailFile out = new TailFile(home.resolve("stdout"), MOST_OUTPUT);
        TailFile err = new TailFile(home.resolve("stderr"), MOST_OUTPUT);
        ProcessBuilder builder = new ProcessBuilder(
                isolation.command(workspace, data.toRealPath(), python, limited(python.executable().toString(), filename)))
                .directory(workspace.folder().toFile());
        builder.environment().clear();
        builder.environment().putAll(environment(home));

        long start = System.nanoTime();
        Process process = builder.start();
        process.getOutputStream().close();
        Thread stdout = Thread.startVirtualThread(() -> out.copy(process.getInputStream()));
        Thread stderr = Thread.startVirtualThread(() -> err.copy(process.getErrorStream()));
        boolean inTime;
        try {
            inTime = process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            end(process);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        // Whoever still held the pipes is dead by now; the pause is for a stray that got away.
        stdout.join(Duration.ofSeconds(2));
        stderr.join(Duration.ofSeconds(2));
        return new Raw(without(workspace, out.tail(OUTPUT_RETURNED)), without(workspace, err.tail(OUTPUT_RETURNED)),
                inTime ? process.exitValue() : -1, seconds, !inTime);
    }

    /// The folder's name means nothing to anybody, and differs from run to run; a traceback reads better without it.
    private static String without(Workspace workspace, String output) {
        return output.replace(workspace.folder() + "/", "./");
    }

    /// Ends the whole tree: asks first, then kills. The tree is listed while its root lives; a session of its own catches those whose
    /// parents are gone.
    private void end(Process process) throws InterruptedException {
        List<ProcessHandle> tree = new ArrayList<>(process.descendants().toList());
        if (process.isAlive()) {
            tree.forEach(ProcessHandle::destroy);
            if (isolation == Isolation.SESSION) {
                process.toHandle().destroy();
            }
            process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
            tree.addAll(process.descendants().toList());
        }
        tree.forEach(ProcessHandle::destroyForcibly);
        if (isolation == Isolation.SESSION) {
            Isolation.works("kill", "-KILL", "--", "-" + process.pid());
        }
        if (process.isAlive()) {
            process.toHandle().destroyForcibly();
            process.waitFor();
        }
    }

    private List<String> limited(String... program) {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/prlimit"))) {
            command.addAll(List.of("/usr/bin/prlimit", "--core=0", "--fsize=" + LARGEST_FILE, "--nproc=" + MOST_PROCESSES));
            if (!machine.cudaAvailable()) {
                // CUDA reserves far more addresses than it uses.
                command.add("--as=" + machine.memoryBytes());
            }
        }
        command.addAll(List.of(program));
        return command;
    }

    /// All that a script sees of the environment: no keys, no tokens (REQ-EX-004, DESIGN 8).
    Map<String, String> environment(Path home) {
        Map<String, String> environment = new LinkedHashMap<>();
        String threads = Integer.toString(Math.max(1, machine.processors() / slots));
        environment.put("PATH", python.executable().getParent() + ":/usr/local/bin:/usr/bin:/bin");
        environment.put("HOME", home.toString());
        environment.put("TMPDIR", home.toString());
        environment.put("LANG", "C.UTF-8");
        environment.put("PYTHONUNBUFFERED", "1");
        environment.put("PYTHONHASHSEED", "0");
        environment.put("PYTHONDONTWRITEBYTECODE", "1");
        environment.put("OMP_NUM_THREADS", threads);
        environment.put("OPENBLAS_NUM_THREADS", threads);
        environment.put("MKL_NUM_THREADS", threads);
        String gpus = System.getenv("CUDA_VISIBLE_DEVICES");
        if (gpus != null) {
            environment.put("CUDA_VISIBLE_DEVICES", gpus);
        }
        return environment;
    }
}
