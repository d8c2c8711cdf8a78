package io.mlestar.adapter.script;

import io.mlestar.adapter.script.ScriptJobSpec.ResourceShare;
import io.mlestar.adapter.script.isolation.ControlGroup;
import io.mlestar.adapter.script.isolation.Enclosure;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.adapter.script.isolation.IsolationSelfTest;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.adapter.script.isolation.ScriptUser;
import io.mlestar.adapter.script.isolation.ShortCommand;
import io.mlestar.adapter.script.isolation.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Runs one Python program, or one shell command, as a process tree of its own, with limits, and
/// ends all of it (REQ-EX-007, 009, 010, 037).
///
/// @param slots scripts that may run at once on this machine
/// @param visibleGpus chosen by the operator, as `CUDA_VISIBLE_DEVICES` names them
/// @param weights pretrained models that scripts may load
/// @param interval at which a running program is looked after
public record Sandbox(
        Python python,
        Isolation isolation,
        Machine machine,
        int slots,
        Optional<String> visibleGpus,
        Weights weights,
        PollInterval interval) {
    private static final long MOST_OUTPUT = 100L << 20;
    private static final int OUTPUT_RETURNED = 1 << 20;
    private static final long LARGEST_FILE = 20L << 30;
    private static final int MOST_PROCESSES = 4096;
    /// The share of the free memory, at the start of a script, that it may take.
    private static final double MEMORY_SHARE = 0.9;
    /// Starts all scripts: bubblewrap ends a script with the thread that started it, and carriers
    /// of virtual threads come and go.
    private static final ExecutorService STARTER =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("script-starter").factory());

    /// The report of the operating system on one run (REQ-EX-008).
    ///
    /// @param exitCode -1 if it was killed for time
    public record Raw(
            String stdout,
            String stderr,
            int exitCode,
            double durationSeconds,
            boolean timedOut) {
        private Raw outOfMemory(long most) {
            return new Raw(stdout,
                    Tracebacks.madeUp(stderr,
                            "MemoryError: the script and all that it started took more than "
                                    + (most >> 20) + " MiB of memory together"),
                    exitCode, durationSeconds, timedOut);
        }
    }

    /// The times by which a running program is looked after (REQ-EX-009).
    ///
    /// @param pulse how often the listener may stop it
    /// @param grace time to end on its own after SIGTERM
    public record PollInterval(Duration pulse, Duration grace) {
        static final PollInterval USUAL =
                new PollInterval(Duration.ofSeconds(2), Duration.ofSeconds(5));
    }

    /// Looks after programs at the usual interval.
    public Sandbox(
            Python python,
            Isolation isolation,
            Machine machine,
            int slots,
            Optional<String> visibleGpus,
            Weights weights) {
        this(python, isolation, machine, slots, visibleGpus, weights, PollInterval.USUAL);
    }

    /// The sandbox of this machine, with as many slots as the environment says, or as suit the
    /// machine.
    ///
    /// @throws io.mlestar.core.base.Invalid if the environment says something that cannot be
    public static Sandbox of(Python python, Map<String, String> environment) {
        Machine machine = Machine.detect(environment);
        return on(machine, python, environment, machine.slots(environment));
    }

    /// The sandbox of a machine on which one script runs and no other.
    ///
    /// @throws io.mlestar.core.base.Invalid if the environment says something that cannot be
    public static Sandbox alone(Python python, Map<String, String> environment) {
        return on(Machine.detect(environment), python, environment, 1);
    }

    private static Sandbox on(
            Machine machine,
            Python python,
            Map<String, String> environment,
            int slots) {
        return new Sandbox(python, Isolation.of(python, environment), machine, slots,
                Optional.ofNullable(environment.get(Machine.DEVICES)), Weights.of(environment));
    }

    /// The command line that runs a program of the workspace.
    List<String> program(String filename) {
        return List.of(python.executable().toString(), filename);
    }

    /// Runs a shell command in the workspace, isolated like a program.
    ///
    /// @param data folder that the workspace's `input` shows
    /// @throws IOException if it cannot be started
    public Raw shell(Workspace workspace, Path data, String command, Duration timeout)
            throws IOException, InterruptedException {
        String shell = Files.isExecutable(Path.of("/bin/bash")) ? "/bin/bash" : "/bin/sh";
        return run(workspace, data, List.of(shell, "-c", command), timeout);
    }

    /// Runs a Python program that lies in the workspace; for the rest as [#shell].
    public Raw python(Workspace workspace, Path data, String filename, Duration timeout)
            throws IOException, InterruptedException {
        return run(workspace, data, program(filename), timeout);
    }

    /// Runs a program beside the scripts in all slots.
    private Raw run(Workspace workspace, Path data, List<String> program, Duration timeout)
            throws IOException, InterruptedException {
        ResourceShare share =
                new ResourceShare(Math.max(1, machine.processors() / (slots + 1)), List.of(), "");
        return run(new ScriptJobSpec(workspace, data, program, () -> timeout, share,
                ScriptListener.NONE, Optional.empty()));
    }

    /// @throws IOException if it cannot be started
    Raw run(ScriptJobSpec job) throws IOException, InterruptedException {
        // The output lies beside the workspace: inside, a script could replace it by a link to any
        // file.
        Path folder = job.workspace().folder();
        Workspace output =
                new Workspace(Files.createTempDirectory(folder.getParent(),
                        folder.getFileName() + "-output-"));
        long most = (long) (MemoryPressure.available(machine.memoryBytes()) * MEMORY_SHARE);
        Optional<ControlGroup> group = ControlGroup.made(most, MOST_PROCESSES);
        try {
            Raw raw = run(job, output.folder(), most, group);
            return group.filter(ControlGroup::ranOutOfMemory).isPresent() && raw.exitCode() != 0
                    ? raw.outOfMemory(most)
                    : raw;
        } finally {
            group.ifPresent(ControlGroup::end);
            output.delete();
        }
    }

    private Raw run(ScriptJobSpec job, Path output, long most, Optional<ControlGroup> group)
            throws IOException, InterruptedException {
        Workspace workspace = job.workspace();
        Path home = workspace.folder().resolve(".home");
        // An earlier command in this workspace may have put a link in its place.
        if (!Files.exists(home, LinkOption.NOFOLLOW_LINKS)) {
            weights.leadFrom(Files.createDirectory(home));
        }
        TailFile out = new TailFile(output.resolve("stdout"), MOST_OUTPUT);
        TailFile err = new TailFile(output.resolve("stderr"), MOST_OUTPUT);
        Enclosure enclosure = enclosure(workspace, job.data().toRealPath(), most);
        List<String> command = isolation.command(enclosure, job.program());
        ProcessBuilder builder =
                new ProcessBuilder(group.map(all -> all.entered(command)).orElse(command))
                        .directory(workspace.folder().toFile());
        builder.environment().clear();
        builder.environment().putAll(environment(home, job.share()));
        builder.environment().putAll(job.limits());
        long start = System.nanoTime();
        Process process = start(builder);
        ShortCommand.say(process, Enclosure.STARTER);
        // Reading a pipe holds its thread for as long as the script is silent: a virtual one would
        // hold a carrier of all others.
        Thread stdout =
                Thread.ofPlatform().daemon().start(() -> out.copy(process.getInputStream()));
        Thread stderr =
                Thread.ofPlatform().daemon().start(() -> err.copy(process.getErrorStream()));
        job.listener()
                .printing(bytes -> without(workspace, out.soFar(bytes) + err.soFar(bytes / 4)));
        ProcessTree tree = new ProcessTree(process, isolation, enclosure.mark(), interval.grace());
        boolean inTime;
        try {
            inTime = endsInTime(process, job);
            if (!inTime && job.program().contains(python.executable().toString())) {
                tree.abort();
            }
        } finally {
            tree.end();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        // All that held the pipes are dead by now; the pause is for a stray process that got away.
        stdout.join(Duration.ofSeconds(2));
        stderr.join(Duration.ofSeconds(2));
        return new Raw(without(workspace, out.tail(OUTPUT_RETURNED, Scores::last)),
                without(workspace, err.tail(OUTPUT_RETURNED)), inTime ? process.exitValue() : -1,
                seconds, !inTime);
    }

    private boolean endsInTime(Process process, ScriptJobSpec job) throws InterruptedException {
        long start = System.nanoTime();
        long pulse = interval.pulse().toMillis();
        while (true) {
            long left = job.allowed().get().minusNanos(System.nanoTime() - start).toMillis();
            if (process.waitFor(Math.min(left, pulse), TimeUnit.MILLISECONDS)) {
                return true;
            }
            if (left <= pulse) {
                return false;
            }
            job.listener().pulse();
        }
    }

    /// The random name of the folder is noise in a traceback.
    private static String without(Workspace workspace, String output) {
        return output.replace(workspace.folder() + "/", "./");
    }

    private static Process start(ProcessBuilder builder) throws IOException, InterruptedException {
        try {
            return STARTER.submit(builder::start).get();
        } catch (ExecutionException e) {
            throw new IOException(
                    "cannot start a script: " + Objects.requireNonNull(e.getCause()).getMessage(),
                    e);
        }
    }

    private Enclosure enclosure(Workspace workspace, Path data, long most) throws IOException {
        // Programs that collect core dumps heed no limit but 1; an aborted script waits.
        List<String> limits = new ArrayList<>(
                List.of("CORE=1", "FSIZE=" + LARGEST_FILE, "NPROC=" + MOST_PROCESSES));
        if (!machine.cudaAvailable()) {
            // CUDA reserves far more addresses than it uses; other libraries do so, too, but only
            // those of memory that is written to count as data.
            limits.addAll(List.of("AS=" + machine.memoryBytes(), "DATA=" + most));
        }
        List<Path> shown = shown(Stream.of(data));
        return new Enclosure(workspace, shown, python,
                ScriptUser.of(isolation, workspace, shown, python), limits,
                machine.memoryBytes() / 4, Enclosure.newMark());
    }

    private List<Path> shown(Stream<Path> data) {
        return Stream.concat(data, weights.folders().stream()).toList();
    }

    /// Says why scripts run as root; empty if they do not.
    ///
    /// @param workspace a folder where they would run
    /// @param data that they would see, if it is known
    public Optional<String> asRoot(Path workspace, Optional<Path> data) {
        try {
            return ScriptUser.whyRoot(isolation, workspace, shown(data.stream()), python)
                    .map(why -> "scripts run as uid 0, without its rights, because " + why);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /// True if a command can neither read nor change the files of this machine, but for those that
    /// it is shown.
    public boolean keepsFiles() {
        return isolation != Isolation.SESSION
                && IsolationSelfTest.of(isolation, python).keepsFiles();
    }

    /// Says what of this machine is open to scripts; empty if nothing is.
    public String missing() {
        return IsolationSelfTest.of(isolation, python).missing();
    }

    Map<String, String> environment(Path home, ResourceShare share) {
        return new ScriptEnvironment(python, weights, visibleGpus, isolation != Isolation.SESSION)
                .variables(home, share);
    }
}
