package io.mlestar.sandbox;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// The hardware that scripts find (REQ-EX-003, REQ-OR-004).
///
/// @param gpuNames one per GPU; empty without CUDA
public record Machine(int processors, long memoryBytes, List<String> gpuNames) {
    private static final List<String> GPU_NAMES = List.of("nvidia-smi", "--query-gpu=name", "--format=csv,noheader");
    private static final Duration MOST = Duration.ofSeconds(10);

    /// Looks; never fails: what cannot be seen is not there.
    public static Machine detect() {
        return detect(GPU_NAMES, MOST);
    }

    /// @param gpuNames a command that writes the name of each GPU on a line of its own
    /// @param most how long that may take
    static Machine detect(List<String> gpuNames, Duration most) {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        List<String> gpus = Inquiry.answer(gpuNames, most).map(names -> names.lines().map(String::strip).filter(name -> !name.isEmpty()).toList()).orElse(List.of());
        return new Machine(Runtime.getRuntime().availableProcessors(), system.getTotalMemorySize(), gpus);
    }

    public boolean cudaAvailable() {
        return !gpuNames.isEmpty();
    }

    /// One line for the system prompt.
    public String describe() {
        return String.format(Locale.ROOT, "%d processors, %d GB of memory, %s.", processors, memoryBytes >> 30, cudaAvailable()
                ? gpuNames.size() + " GPU(s): " + String.join(", ", gpuNames) : "no GPU");
    }
}
