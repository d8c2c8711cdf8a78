package io.mlestar.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// How far this machine can shut a script in. The strongest way that works is used.
public enum Isolation {
    /// bubblewrap: no network, no other processes, no files but the workspace, the data and the interpreter.
    BUBBLEWRAP(""),
    /// `unshare`: no network, no other processes; the files of this machine can be read.
    NAMESPACES("scripts can read and change the files of this machine; install bubblewrap to shut them in"),
    /// Only a session of its own.
    SESSION("scripts can use the network, and read and change the files of this machine; install bubblewrap to shut them in");

    private static final List<String> SYSTEM = List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64");
    private static final List<String> SETTINGS =
            List.of("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime");
    private static final List<String> GPUS = List.of("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools");

    private final String missing;

    Isolation(String missing) {
        this.missing = missing;
    }

    /// What is missing to full isolation; empty if nothing is.
    public String missing() {
        return missing;
    }

    /// Tries them out.
    public static Isolation strongest() {
        if (works("bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true")) {
            return BUBBLEWRAP;
        }
        return works("unshare", "--user", "--map-root-user", "--net", "--pid", "--fork", "--kill-child=KILL", "--mount-proc", "true")
                ? NAMESPACES : SESSION;
    }

    /// The command that runs `program` in the workspace, and nothing else of the machine if possible.
    List<String> command(Workspace workspace, Path data, Python python, List<String> program) {
        return switch (this) {
            case BUBBLEWRAP -> bubblewrap(workspace, data, python, program);
            case NAMESPACES -> dyingWithUs(prefixed(program, "unshare", "--user", "--map-root-user", "--net", "--pid", "--fork",
                    "--kill-child=KILL", "--mount-proc"));
            case SESSION -> dyingWithUs(works("setsid", "true") ? prefixed(program, "setsid") : program);
        };
    }

    /// A script must not outlive a runner that is killed: it would be run again beside itself.
    private static List<String> dyingWithUs(List<String> program) {
        return works("setpriv", "--pdeathsig", "KILL", "true") ? prefixed(program, "setpriv", "--pdeathsig", "KILL") : program;
    }

    private static List<String> bubblewrap(Workspace workspace, Path data, Python python, List<String> program) {
        List<String> command = new ArrayList<>(List.of(
                "bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"));
        for (String path : SYSTEM) {
            if (Files.isSymbolicLink(Path.of(path))) {
                command.addAll(List.of("--symlink", link(Path.of(path)), path));
            } else {
                command.addAll(List.of("--ro-bind-try", path, path));
            }
        }
        SETTINGS.forEach(path -> command.addAll(List.of("--ro-bind-try", path, path)));
        GPUS.forEach(path -> command.addAll(List.of("--dev-bind-try", path, path)));
        for (int gpu = 0; Files.exists(Path.of("/dev/nvidia" + gpu)); gpu++) {
            command.addAll(List.of("--dev-bind", "/dev/nvidia" + gpu, "/dev/nvidia" + gpu));
        }
        python.prefixes().forEach(path -> command.addAll(List.of("--ro-bind", path.toString(), path.toString())));
        String folder = workspace.folder().toString();
        command.addAll(List.of("--bind", folder, folder, "--ro-bind", data.toString(), data.toString(), "--chdir", folder, "--"));
        command.addAll(program);
        return command;
    }

    private static String link(Path path) {
        try {
            return Files.readSymbolicLink(path).toString();
        } catch (IOException e) {
            return path.toString();
        }
    }

    private static List<String> prefixed(List<String> program, String... words) {
        List<String> command = new ArrayList<>(List.of(words));
        command.addAll(program);
        return command;
    }

    static boolean works(String... command) {
        return Inquiry.answer(List.of(command), Duration.ofSeconds(10)).isPresent();
    }
}
