package io.mlestar.sandbox;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// The hardware that scripts find (REQ-EX-003, REQ-OR-004).
///
/// @param gpuNames one per GPU; empty without CUDA
public record Machine(int processors, long memoryBytes, List<String> gpuNames) {
    /// Looks; never fails: what cannot be seen is not there.
    public static Machine detect() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new Machine(Runtime.getRuntime().availableProcessors(), system.getTotalMemorySize(), gpus());
    }

    private static List<String> gpus() {
        try {
            Process process = new ProcessBuilder("nvidia-smi", "--query-gpu=name", "--format=csv,noheader")
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            String names = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean ok = process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
            return ok ? names.lines().map(String::strip).filter(name -> !name.isEmpty()).toList() : List.of();
        } catch (IOException e) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
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
