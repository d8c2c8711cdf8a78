package io.mlestar.adapter.script.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/// The walls that a machine may have around a script, from the best to none. Whichever it is, the
/// script has no capabilities, gains none, and makes no system calls by which it could reach into
/// other processes or make namespaces; if this program is root, it runs as another user where that
/// can be.
public enum Isolation {
    /// bubblewrap: no network, no other processes, no files but the workspace, the data and the
    /// interpreter.
    BUBBLEWRAP,
    /// `unshare`: no network, no other processes; and no other files if the kernel has Landlock.
    NAMESPACES,
    /// The kernel's Landlock, which needs no privilege: no network, no other files. Other processes
    /// are seen.
    LANDLOCK,
    /// Only a session of its own.
    SESSION;

    private static final Set<List<String>> OFFERED = ConcurrentHashMap.newKeySet();

    /// The best wall that holds; each is tried out once in a process.
    public static Isolation strongest(Python python) {
        for (Isolation isolation : values()) {
            if (isolation == SESSION || IsolationSelfTest.of(isolation, python).holds()) {
                return isolation;
            }
        }
        return SESSION;
    }

    /// The best wall that holds, or none if the environment turns the sandbox off.
    public static Isolation of(Python python, Map<String, String> environment) {
        Isolation isolation = SandboxPolicy.of(environment, false) == SandboxPolicy.OFF
                ? SESSION
                : strongest(python);
        if (!isolation.isNamespaced()) {
            Undumpable.become();
        }
        return isolation;
    }

    public boolean isNamespaced() {
        return this == BUBBLEWRAP || this == NAMESPACES;
    }

    /// Says of which resources a script can take more than it should; empty if of none.
    public String unlimited() {
        Optional<ControlGroup> group = ControlGroup.made(1L << 30, 1);
        group.ifPresent(ControlGroup::end);
        String more = isEndlessRoot()
                ? "; nor is the number of its processes, since they stay root's"
                : "";
        return group.isPresent()
                ? ""
                : "memory is limited for each process of a script, not for all together, and its folder on the disk is not"
                        + more;
    }

    /// The kernel counts no processes of root's.
    private boolean isEndlessRoot() {
        try {
            return ScriptUser.user() == 0 && !ScriptUser.mayBeHad(this);
        } catch (IOException e) {
            return false;
        }
    }

    /// The command that runs `program` in the workspace, and nothing else of the machine if
    /// possible.
    public List<String> command(Enclosure enclosure, List<String> program) {
        return switch (this) {
            case BUBBLEWRAP -> bubblewrap(enclosure, program);
            case NAMESPACES -> namespaces(enclosure, program);
            case LANDLOCK -> {
                List<String> options = enclosure.closed();
                options.addAll(List.of("landlock", "must", "offline", "yes"));
                yield enclosure.started(program, options);
            }
            case SESSION -> enclosure.started(program, List.of());
        };
    }

    private static List<String> namespaces(Enclosure enclosure, List<String> program) {
        List<String> command = new ArrayList<>();
        if (offers("setpriv", "--pdeathsig", "KILL", "true")) {
            // A script must not outlive a runner that is killed: it would be run again beside
            // itself.
            command.addAll(List.of("setpriv", "--pdeathsig", "KILL"));
        }
        command.add("unshare");
        if (enclosure.guest().isEmpty()) {
            command.addAll(List.of("--user", "--map-root-user"));
        }
        command.addAll(List.of("--net", "--ipc", "--uts", "--pid", "--fork", "--kill-child=KILL",
                "--mount-proc"));
        List<String> options = enclosure.closed();
        options.addAll(List.of("shm", Long.toString(enclosure.memory())));
        command.addAll(enclosure.started(program, options));
        return command;
    }

    private static List<String> bubblewrap(Enclosure enclosure, List<String> program) {
        List<String> command = new ArrayList<>(
                List.of("bwrap", "--die-with-parent", "--cap-drop", "ALL", "--as-pid-1"));
        if (enclosure.guest().isPresent()) {
            // The starter needs these to become the guest; it keeps none of them.
            command.addAll(List.of("--unshare-ipc", "--unshare-pid", "--unshare-net",
                    "--unshare-uts", "--unshare-cgroup-try", "--cap-add", "CAP_SETUID", "--cap-add",
                    "CAP_SETGID", "--cap-add", "CAP_SETPCAP"));
        } else {
            command.add("--unshare-all");
            if (offers("bwrap", "--unshare-user", "--disable-userns", "--ro-bind", "/", "/",
                    "true")) {
                command.addAll(List.of("--unshare-user", "--disable-userns"));
            }
        }
        command.addAll(
                List.of("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"));
        List<String> sized = offers("bwrap", "--size", "1", "--tmpfs", "/tmp", "--version")
                ? List.of("--size", Long.toString(enclosure.memory()))
                : List.of();
        for (String path : List.of("/tmp", "/dev/shm")) {
            command.addAll(sized);
            command.addAll(List.of("--perms", "1777", "--tmpfs", path));
        }
        for (String path : Enclosure.SYSTEM) {
            if (Files.isSymbolicLink(Path.of(path))) {
                command.addAll(List.of("--symlink", link(Path.of(path)), path));
            } else {
                command.addAll(List.of("--ro-bind-try", path, path));
            }
        }
        Enclosure.SETTINGS.forEach(path -> command.addAll(List.of("--ro-bind-try", path, path)));
        Enclosure.gpus().forEach(path -> command.addAll(List.of("--dev-bind-try", path, path)));
        List<Path> shown = new ArrayList<>(enclosure.python().prefixes());
        shown.addAll(enclosure.shown());
        if (Files.isDirectory(Enclosure.HARDWARE)) {
            shown.add(Enclosure.HARDWARE);
        }
        foldersAbove(shown, enclosure.workspace().folder())
                .forEach(path -> command.addAll(List.of("--dir", path.toString())));
        shown.forEach(
                path -> command.addAll(List.of("--ro-bind", path.toString(), path.toString())));
        String folder = enclosure.workspace().folder().toString();
        command.addAll(List.of("--bind", folder, folder, "--remount-ro", "/dev", "--remount-ro",
                "/", "--chdir", "/", "--"));
        command.addAll(enclosure.started(program, List.of("in", folder)));
        return command;
    }

    /// Bubblewrap would make them for its own user only.
    private static Set<Path> foldersAbove(List<Path> shown, Path folder) {
        Set<Path> above = new TreeSet<>();
        List<Path> all = new ArrayList<>(shown);
        all.add(folder);
        for (Path path : all) {
            for (Path parent = path.getParent(); parent != null
                    && parent.getNameCount() > 0; parent = parent.getParent()) {
                if (Enclosure.SYSTEM.stream().noneMatch(parent::startsWith)) {
                    above.add(parent);
                }
            }
        }
        return above;
    }

    private static String link(Path path) {
        try {
            return Files.readSymbolicLink(path).toString();
        } catch (IOException e) {
            return path.toString();
        }
    }

    /// True if a program of this machine knows these options. A yes is not asked for again with
    /// each script; a no may be one of a machine that was too busy to answer.
    private static boolean offers(String... command) {
        List<String> asked = List.of(command);
        if (!OFFERED.contains(asked) && works(command)) {
            OFFERED.add(asked);
        }
        return OFFERED.contains(asked);
    }

    public static boolean works(String... command) {
        return ShortCommand.answer(List.of(command), Duration.ofSeconds(10)).isPresent();
    }
}
