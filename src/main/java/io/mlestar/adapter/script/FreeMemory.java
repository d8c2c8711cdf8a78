package io.mlestar.adapter.script;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What a script that starts now can take of the memory, without taking it from others.
///
/// @param machine what the kernel says of all of it, as `/proc/meminfo`
record FreeMemory(Path machine, MemoryPressure container) {
    /// Of the machine and the container that this process runs in.
    static FreeMemory here() {
        return new FreeMemory(Path.of("/proc/meminfo"), MemoryPressure.ofContainer());
    }

    /// @param most bytes that there are at all
    long bytes(long most) {
        return Math.min(container.free().orElse(most), available(most));
    }

    private long available(long most) {
        try {
            return Files.readAllLines(machine).stream().filter(line -> line.startsWith("MemAvailable:")).findFirst()
                    .map(line -> Math.min(most, Long.parseLong(line.replaceAll("\\D", "")) << 10)).orElse(most);
        } catch (IOException e) {
            // No Linux.
            return most;
        }
    }
}
