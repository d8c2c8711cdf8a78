package io.mlestar.adapter.script;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.script.ScriptJobSpec.ResourceShare;
import io.mlestar.adapter.script.isolation.ShortCommand;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/// The hardware that scripts find (REQ-EX-003, REQ-OR-004).
///
/// @param gpuNames one per GPU; empty without CUDA
/// @param devices GPUs that scripts may use, as `CUDA_VISIBLE_DEVICES` names them
public record Machine(
        int processors,
        long memoryBytes,
        List<String> gpuNames,
        List<String> devices) {
    public static final String DEVICES = "CUDA_VISIBLE_DEVICES";
    private static final String SCRIPTS = "MLE_STAR_SCRIPTS_AT_ONCE";
    private static final List<String> GPU_NAMES =
            List.of("nvidia-smi", "--query-gpu=name", "--format=csv,noheader");
    static final Duration MOST = Duration.ofSeconds(10);

    /// A machine whose GPUs may all be used.
    public Machine(int processors, long memoryBytes, List<String> gpuNames) {
        this(processors, memoryBytes, gpuNames,
                IntStream.range(0, gpuNames.size()).mapToObj(String::valueOf).toList());
    }

    /// Never fails: what cannot be detected counts as missing.
    ///
    /// @param environment may choose among the GPUs
    public static Machine detect(Map<String, String> environment) {
        Machine whole = detect(GPU_NAMES, MOST);
        return environment.containsKey(DEVICES) && whole.cudaAvailable()
                ? whole.choosing(environment.get(DEVICES))
                : whole;
    }

    /// @param gpuNames a command that writes the name of each GPU on a line of its own
    /// @param most how long that may take
    static Machine detect(List<String> gpuNames, Duration most) {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory
                .getOperatingSystemMXBean();
        List<String> gpus =
                ShortCommand.answer(gpuNames, most)
                        .map(names -> names.lines()
                                .map(String::strip)
                                .filter(name -> !name.isEmpty())
                                .toList())
                        .orElse(List.of());
        return new Machine(Runtime.getRuntime().availableProcessors(), system.getTotalMemorySize(),
                gpus);
    }

    /// The same with only those GPUs that the operator chose.
    Machine choosing(String devices) {
        // A wrong one ends the list, as CUDA reads it.
        return new Machine(processors, memoryBytes, gpuNames,
                Arrays.stream(devices.split(","))
                        .map(String::strip)
                        .takeWhile(device -> device.matches("\\d+|(GPU|MIG)-.+"))
                        .toList());
    }

    /// The number of scripts that may run at once by the environment; empty if it does not say.
    ///
    /// @throws Invalid if it is not a number of scripts
    public static OptionalInt scriptsAtOnce(Map<String, String> environment) {
        String said = environment.getOrDefault(SCRIPTS, "").strip();
        if (said.isEmpty()) {
            return OptionalInt.empty();
        }
        if (!said.matches("[1-9]\\d{0,2}")) {
            throw new Invalid(
                    SCRIPTS + " must be a whole number from 1 to 999, but is \"" + said + "\"");
        }
        return OptionalInt.of(Integer.parseInt(said));
    }

    /// The number of scripts that run on it at once: as the environment says, or one for each GPU,
    /// or one for each processor.
    ///
    /// @throws Invalid as [#scriptsAtOnce]
    public int slots(Map<String, String> environment) {
        return scriptsAtOnce(environment).orElse(devices.isEmpty() ? processors : devices.size());
    }

    /// The share of the script in one of its slots: some processors, and GPUs of its own where
    /// there are enough.
    ///
    /// @param beside how many scripts can be running at the same time, this one included
    ResourceShare share(int slot, int slots, int beside) {
        int count = devices.size();
        List<String> own = slots == 1
                ? List.of()
                : IntStream.range(0, count)
                        .filter(gpu -> count >= slots ? gpu % slots == slot : gpu == slot % count)
                        .mapToObj(devices::get)
                        .toList();
        return new ResourceShare(Math.max(1, processors / Math.clamp(beside, 1, slots)), own, "");
    }

    /// Like [#share], with the facts that a probe of the machine cannot see from inside a sandbox.
    ResourceShare probed(int slot, int slots) {
        ObjectNode facts = Json.object()
                .put("processors", processors)
                .put("memory_bytes", memoryBytes)
                .put("scripts_at_once", slots);
        if (!devices.isEmpty()) {
            facts.put("scripts_per_gpu", Math.ceilDiv(slots, devices.size()));
        }
        ResourceShare given = share(slot, slots, 1);
        return new ResourceShare(given.threads(), given.gpus(), Json.line(facts));
    }

    public boolean cudaAvailable() {
        return !gpuNames.isEmpty();
    }

    /// One line for the system prompt.
    public String describe() {
        return String.format(Locale.ROOT, "%d processors, %d GB of memory, %s.", processors,
                memoryBytes >> 30, cudaAvailable()
                        ? gpuNames.size() + " GPU(s): " + String.join(", ", gpuNames)
                        : "no GPU");
    }
}
