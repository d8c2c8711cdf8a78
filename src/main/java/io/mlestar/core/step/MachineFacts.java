package io.mlestar.core.step;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Phrase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The machine as a script of the run saw it. What could not be read is null or empty. Names and
/// versions hold no characters but those that names and versions are made of, so they can be shown
/// anywhere.
///
/// @param python version of the interpreter, e.g. `3.11.7`
/// @param system e.g. `Linux x86_64`
/// @param processors that all scripts together may use
/// @param memoryBytes that all scripts together may use
/// @param scriptsAtOnce most scripts that run beside each other
/// @param scriptsPerGpu most of them that share one
/// @param freeDiskBytes where scripts write
/// @param network whether a script can reach another machine
/// @param gpus that a script sees
/// @param libraries versions of the usual ones that are installed, by distribution; `?` where the
///   version is not known
/// @param missing usual libraries that are not installed
/// @param others versions of other installed libraries
/// @param othersLeftOut how many more there are
/// @param weights pretrained models that lie ready, e.g. `huggingface
///   distilbert/distilbert-base-uncased`
public record MachineFacts(
        @Nullable String python,
        @Nullable String system,
        @Nullable Integer processors,
        @Nullable Long memoryBytes,
        @Nullable Integer scriptsAtOnce,
        @Nullable Integer scriptsPerGpu,
        @Nullable Long freeDiskBytes,
        @Nullable Boolean network,
        List<Gpu> gpus,
        Map<String, String> libraries,
        List<String> missing,
        Map<String, String> others,
        @Nullable Integer othersLeftOut,
        List<String> weights) {
    /// One GPU.
    ///
    /// @param memoryBytes null if it was not said
    /// @param driver version; null if it was not said
    /// @param cuda newest version of CUDA that the driver knows; null if it was not said
    public record Gpu(
            String name,
            @Nullable Long memoryBytes,
            @Nullable String driver,
            @Nullable String cuda) {
        /// E.g. `NVIDIA L4, 22.5 GB, driver 535.104.05, CUDA 12.2`.
        public String inWords() {
            return Phrase.of(", ", name, memoryBytes == null ? "" : gigabytes(memoryBytes),
                    driver == null ? "" : "driver " + driver, cuda == null ? "" : "CUDA " + cuda);
        }
    }

    public static final MachineFacts UNKNOWN = Json.read(Json.object(), MachineFacts.class);

    /// The most scripts that run beside each other; one where that is not known.
    public int slots() {
        return Objects.requireNonNullElse(scriptsAtOnce, 1);
    }

    /// The same with another number of scripts at once.
    public MachineFacts with(@Nullable Integer atOnce) {
        return new MachineFacts(python, system, processors, memoryBytes, atOnce, scriptsPerGpu,
                freeDiskBytes, network, gpus, libraries, missing, others, othersLeftOut, weights);
    }

    /// The libraries without which hardly any script of a data scientist runs.
    private static final List<String> ESSENTIAL = List.of("numpy", "pandas", "scikit-learn");
    private static final double GIGABYTE = 1L << 30;

    public MachineFacts {
        gpus = Invalid.optional(gpus);
        libraries = ordered(libraries);
        missing = Invalid.optional(missing);
        others = ordered(others);
        weights = Invalid.optional(weights);
    }

    private static Map<String, String> ordered(@Nullable Map<String, String> given) {
        return given == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(given));
    }

    /// A warning to give before a model is paid for scripts that cannot run; empty if all is well.
    public Optional<String> warning() {
        if (!isKnown()) {
            return Optional.of(
                    "the survey found out nothing about the machine; agents are told of its processors and GPUs only");
        }
        List<String> lacking = ESSENTIAL.stream().filter(missing::contains).toList();
        return lacking.isEmpty()
                ? Optional.empty()
                : Optional.of(interpreter() + " lacks " + String.join(", ", lacking)
                        + ": most scripts will crash; install them, or name another interpreter in MLE_STAR_PYTHON");
    }

    /// The reason why hardly any script can run here; empty if one of the essential libraries is
    /// there, or nothing is known.
    public Optional<String> refusal() {
        return !missing.containsAll(ESSENTIAL)
                ? Optional.empty()
                : Optional.of(interpreter() + " has none of "
                        + String.join(", ", ESSENTIAL)
                        + ", so the run stops before its first call; install them (mlestar python), or name another"
                        + " interpreter in MLE_STAR_PYTHON; needs_libraries=false goes on without them");
    }

    private String interpreter() {
        return "the Python of the scripts (" + (python == null ? "of an unknown version" : python)
                + ")";
    }

    /// Interpreter, processors, memory, disk and network, a few words each; what is not known is
    /// left out.
    public List<String> inWords() {
        List<String> words = new ArrayList<>();
        Optional.ofNullable(python).ifPresent(version -> words.add("Python " + version));
        Optional.ofNullable(processors)
                .ifPresent(count -> words.add(count == 1 ? "1 processor" : count + " processors"));
        Optional.ofNullable(memoryBytes)
                .ifPresent(bytes -> words.add(gigabytes(bytes) + " of memory"));
        Optional.ofNullable(freeDiskBytes)
                .ifPresent(bytes -> words.add(gigabytes(bytes) + " of free disk"));
        Optional.ofNullable(network).ifPresent(yes -> words.add(yes ? "network" : "no network"));
        return words;
    }

    /// Binary, with one decimal.
    public static String gigabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f GB", bytes / GIGABYTE);
    }

    /// True if the survey found out anything about the machine.
    public boolean isKnown() {
        return !equals(UNKNOWN);
    }
}
