package io.mlestar.adapter.script.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// One script's group of processes in the kernel's accounts (cgroup v2): what all of them take
/// together is limited, files in memory included. It can be had where a group that this program may
/// write to hands on memory and processes, as a session of systemd does.
///
/// @param folder of the group
public record ControlGroup(Path folder) {
    private static final Path ALL = Path.of("/sys/fs/cgroup");
    private static final int EMPTY_ROUNDS = 100;
    private static final long ROUND_NANOS = 20_000_000;

    /// A new group beside or below this process's own; empty if this machine lets none be made.
    ///
    /// @param memory bytes of all processes and of their files in memory
    public static Optional<ControlGroup> made(long memory, int processes) {
        try {
            return Files.readAllLines(Path.of("/proc/self/cgroup"))
                    .stream()
                    .filter(line -> line.startsWith("0::/"))
                    .findFirst()
                    .flatMap(line -> made(ALL, line.substring(4), memory, processes));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /// @param all where the groups are mounted
    /// @param own this process's, below it
    public static Optional<ControlGroup> made(Path all, String own, long memory, int processes) {
        Path mine = all.resolve(own);
        for (Path parent : own.isEmpty() ? List.of(mine) : List.of(mine, mine.getParent())) {
            try {
                if (List.of(Files.readString(parent.resolve("cgroup.subtree_control"))
                        .strip()
                        .split(" ")).containsAll(List.of("memory", "pids"))) {
                    ControlGroup group =
                            new ControlGroup(Files.createTempDirectory(parent, "mlestar-"));
                    group.limit(memory, processes);
                    return Optional.of(group);
                }
            } catch (IOException e) {
                // This program may not write there.
            }
        }
        return Optional.empty();
    }

    private void limit(long memory, int processes) throws IOException {
        try {
            write("pids.max", Integer.toString(processes));
            write("memory.max", Long.toString(memory));
            // All at once: what is left of a script whose workers were killed waits for them.
            write("memory.oom.group", "1");
            if (Files.exists(folder.resolve("memory.swap.max"))) {
                write("memory.swap.max", "0");
            }
        } catch (IOException e) {
            Files.deleteIfExists(folder);
            throw e;
        }
    }

    private void write(String file, String value) throws IOException {
        Files.writeString(folder.resolve(file), value);
    }

    /// The command that enters the group and then runs `command`; outside, where the walls have no
    /// root of their own yet.
    public List<String> entered(List<String> command) {
        List<String> entered = new ArrayList<>(
                List.of("sh", "-c", "echo $$ > \"$0\" && exec \"$@\"",
                        folder.resolve("cgroup.procs").toString()));
        entered.addAll(command);
        return entered;
    }

    /// True if the kernel ended it because its memory was over the limit.
    public boolean ranOutOfMemory() {
        try {
            return Files.readAllLines(folder.resolve("memory.events"))
                    .stream()
                    .anyMatch(line -> line.startsWith("oom_kill ") && !line.equals("oom_kill 0"));
        } catch (IOException e) {
            return false;
        }
    }

    /// Kills the processes that are left in it, and removes it. A group that stays costs nothing.
    public void end() {
        try {
            write("cgroup.kill", "1");
            for (int round = 0; round < EMPTY_ROUNDS
                    && !Files.readString(folder.resolve("cgroup.procs")).isBlank(); round++) {
                LockSupport.parkNanos(ROUND_NANOS);
            }
            Files.delete(folder);
        } catch (IOException e) {
            // The kernel is older than 5.14, or is not done with it.
        }
    }
}
