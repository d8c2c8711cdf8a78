package io.mlestar.adapter.script;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/// Tells how near this process and all it started are to the memory limit of their container
/// (cgroup v2). Beyond it the kernel kills them all at once, this program included, so the warning
/// has to come before.
///
/// @param group folder of the control group; a container sees its own as the root
public record MemoryPressure(Path group) {
    private static final double TIGHT = 0.9;

    /// Reads the container that this process runs in.
    public static MemoryPressure ofContainer() {
        return new MemoryPressure(Path.of("/sys/fs/cgroup"));
    }

    private record Use(long used, long most) {}

    /// A warning; empty unless nine tenths of the limit are in use, or if there is none.
    public Optional<String> tight() {
        return use().filter(use -> use.used >= TIGHT * use.most)
                .map(use -> String.format(Locale.ROOT, "%.1f of %.1f GiB of memory were in use",
                        gib(use.used), gib(use.most)));
    }

    /// Bytes that a script which starts now can take without taking them from others.
    ///
    /// @param most bytes of the machine
    static long available(long most) {
        return ofContainer().available(Path.of("/proc/meminfo"), most);
    }

    /// @param machine in the form of `/proc/meminfo`
    long available(Path machine, long most) {
        long below = use().map(use -> Math.max(0, use.most - use.used)).orElse(most);
        try {
            return Files.readAllLines(machine)
                    .stream()
                    .filter(line -> line.startsWith("MemAvailable:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .reduce(Math.min(most, below), Math::min);
        } catch (IOException e) {
            // No Linux.
            return below;
        }
    }

    /// The memory in use, without the cache of files, which the kernel would drop.
    private Optional<Use> use() {
        try {
            String limit = Files.readString(group.resolve("memory.max")).strip();
            if (limit.equals("max")) {
                return Optional.empty();
            }
            long used = Files.readAllLines(group.resolve("memory.stat"))
                    .stream()
                    .filter(line -> line.startsWith("anon ") || line.startsWith("shmem "))
                    .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                    .sum();
            return Optional.of(new Use(used, Long.parseLong(limit)));
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static double gib(long bytes) {
        return bytes / (double) (1L << 30);
    }
}
