package io.mlestar.adapter.script.isolation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/// The place of a script behind any wall: what it sees, and what it may use.
///
/// @param shown folders that it may read and not change: the data that the workspace's `input`
///   shows, and the weights
/// @param guest the user that it runs as; empty is the user of this program
/// @param limits of each process, as `NAME=value` by the names of Python's `resource.RLIMIT_NAME`
/// @param memory most bytes in each folder of files in memory, where a wall has its own
/// @param mark by which its processes are found, whatever they do ([#isMarked])
public record Enclosure(
        Workspace workspace,
        List<Path> shown,
        Python python,
        Optional<ScriptUser> guest,
        List<String> limits,
        long memory,
        long mark) {
    static final List<String> SYSTEM = List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64");
    /// The public certificates and the fonts are read by libraries that never use them, and fail if
    /// they are seen and not to be read: loading a local model from a hub's cache creates an HTTP
    /// client first.
    static final List<String> SETTINGS =
            List.of("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
                    "/etc/localtime", "/etc/ssl/certs", "/etc/ssl/openssl.cnf",
                    "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted", "/etc/fonts");
    /// Libraries ask here how many processors there are, and of which kind: without it joblib and
    /// PyTorch complain, and guess.
    static final Path HARDWARE = Path.of("/sys/devices/system");
    /// The processor quotas of a container. joblib reads these where it sees that they are there,
    /// and fails if it may not; LightGBM asks joblib.
    private static final List<String> QUOTAS = List.of("/sys/fs/cgroup/cpu.max",
            "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    /// The standard input of the command that [#started] makes: a file would have to be shown
    /// behind every wall.
    public static final String STARTER = text("starter.py");
    private static final List<String> DEVICES =
            List.of("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
                    "/dev/shm");
    private static final List<String> DRIVERS =
            List.of("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools");

    /// A mark that no other script has.
    public static long newMark() {
        return ThreadLocalRandom.current().nextLong(1, 1L << 62);
    }

    /// True if a process is one of a script's. A script can neither change its mark nor hide it.
    public static boolean isMarked(ProcessHandle process, long mark) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/limits"))
                    .contains(" " + mark + " ");
        } catch (IOException e) {
            return false;
        }
    }

    static String text(String resource) {
        try (InputStream in = Enclosure.class.getResourceAsStream("/sandbox/" + resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Devices by which scripts use GPUs.
    static List<String> gpus() {
        Stream<String> numbered = Stream.iterate(0, gpu -> gpu + 1)
                .map(gpu -> "/dev/nvidia" + gpu)
                .takeWhile(gpu -> Files.exists(Path.of(gpu)));
        return Stream
                .concat(DRIVERS.stream().filter(driver -> Files.exists(Path.of(driver))), numbered)
                .toList();
    }

    /// The command that gives up all rights and then runs `program`.
    ///
    /// @param options more of the starter's options
    List<String> started(List<String> program, List<String> options) {
        List<String> command =
                new ArrayList<>(List.of(python.executable().toString(), "-I", "-S", "-"));
        command.addAll(options);
        command.addAll(List.of("mark", Long.toString(mark)));
        guest.ifPresent(user -> command.addAll(List.of("uid", Integer.toString(user.id()))));
        limits.forEach(limit -> command.addAll(List.of("limit", limit)));
        command.add("--");
        command.addAll(program);
        return command;
    }

    /// The starter's options by which Landlock closes all files but what a script needs.
    List<String> closed() {
        List<String> options = new ArrayList<>();
        Stream.of(SYSTEM, SETTINGS, python.prefixes(), shown, List.of("/proc", HARDWARE), QUOTAS)
                .flatMap(List::stream)
                .forEach(path -> options.addAll(List.of("read", path.toString())));
        Stream.of(DEVICES, gpus(), List.of(workspace.folder()))
                .flatMap(List::stream)
                .forEach(path -> options.addAll(List.of("write", path.toString())));
        return options;
    }
}
