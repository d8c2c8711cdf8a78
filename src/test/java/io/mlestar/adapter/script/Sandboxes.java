package io.mlestar.adapter.script;

import io.mlestar.Installed;
import io.mlestar.Waiting;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.adapter.script.isolation.IsolationSelfTest;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.adapter.script.isolation.ScriptRules;
import io.mlestar.adapter.script.isolation.Workspace;
import module java.base;

/// Sandboxes with this machine's Python, one for each isolation that works here.
public final class Sandboxes {
    public static final Python PYTHON = Python.find("python3");
    /// Long enough for any script that ends by itself, on any machine.
    public static final Duration AMPLE = Waiting.MOST;
    private static final List<Isolation> WORKING = working();

    private Sandboxes() {}

    private static List<Isolation> working() {
        Map<Boolean, List<Isolation>> isolations =
                Arrays.stream(Isolation.values()).collect(
                        Collectors.partitioningBy(isolation -> IsolationSelfTest.of(isolation, PYTHON).works()));
        isolations.get(false)
                .forEach(isolation -> Installed.without(isolation.toString(), "no script is tried behind it"));
        return isolations.get(true).reversed();
    }

    public static Stream<Isolation> isolations() {
        return WORKING.stream();
    }

    public static boolean works(Isolation isolation) {
        return WORKING.contains(isolation);
    }

    public static Sandbox of(Isolation isolation) {
        return of(isolation, Sandbox.PollInterval.USUAL.grace());
    }

    /// @param grace what a program has to leave when it is asked to
    static Sandbox of(Isolation isolation, Duration grace) {
        return new Sandbox(PYTHON, isolation, new Machine(2, 64L << 30, List.of()), 2, Optional.empty(), Weights.NONE,
                new Sandbox.PollInterval(Duration.ofMillis(20), grace));
    }

    /// A workspace below `folder` with empty data beside it.
    public static Workspace workspace(Path folder) {
        try {
            Path data = Files.createDirectories(folder.resolve("data"));
            return Workspace.over(Files.createTempDirectory(folder, "script-"), data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Runs a program in a workspace of its own, without asking [ScriptRules].
    public static Sandbox.Raw run(Sandbox sandbox, Path folder, Duration timeout, String program)
            throws IOException, InterruptedException {
        return run(sandbox, workspace(folder), timeout, program);
    }

    public static Sandbox.Raw run(Sandbox sandbox, Workspace workspace, Duration timeout, String program)
            throws IOException, InterruptedException {
        return run(sandbox, workspace, timeout, program, "solution.py");
    }

    public static Sandbox.Raw run(Sandbox sandbox, Workspace workspace, Duration timeout, String program,
            String filename)
            throws IOException, InterruptedException {
        Files.writeString(workspace.folder().resolve(filename), program);
        return sandbox.run(job(sandbox, workspace, filename, () -> timeout, ScriptListener.NONE));
    }

    static ScriptJobSpec job(Sandbox sandbox, Workspace workspace, String filename, Supplier<Duration> allowed,
            ScriptListener listener) {
        return new ScriptJobSpec(workspace, workspace.folder().resolve("input"), sandbox.program(filename), allowed,
                sandbox.machine().share(0, sandbox.slots(), sandbox.slots()), listener, Optional.empty());
    }

    /// Only follows the output.
    static ScriptListener following(Consumer<IntFunction<String>> printing, Runnable pulse) {
        return new ScriptListener() {
            @Override
            public String keep(String name, InputStream content) {
                return name;
            }

            @Override
            public void printing(IntFunction<String> output) {
                printing.accept(output);
            }

            @Override
            public void pulse() {
                pulse.run();
            }
        };
    }

    /// A program file's name that no other process has on its command line.
    static String uniqueName() {
        return "script-" + UUID.randomUUID() + ".py";
    }

    /// Living processes with `token` on their command line.
    static List<String> alive(String token) {
        return ProcessHandle.allProcesses().map(process -> commandLine(process.pid()))
                .filter(line -> line.contains(token)).toList();
    }

    /// Empty for one that is gone, and for one that is dead and not yet collected by its parent.
    static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1).replace('\0',
                    ' ');
        } catch (IOException e) {
            return "";
        }
    }
}
