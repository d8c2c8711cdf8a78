package io.mlestar.adapter.script;

import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Pretrained models that lie ready for scripts, in the layouts of the hubs' own caches: scripts
/// load them by name, without a network, and cannot change them.
///
/// @param folders the one that holds them, with no links in its path; empty if there are none.
///   Below it lie `huggingface` (what `HF_HOME` names), `torch` (`TORCH_HOME`) and `keras`
///   (`KERAS_HOME`), as far as there are any
public record Weights(List<Path> folders) {
    public static final Weights NONE = new Weights(List.of());
    /// Without these, a hub's libraries would try the network five times over half a minute, for
    /// each file.
    private static final List<String> OFFLINE =
            List.of("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE");
    private static final String VARIABLE = "MLE_STAR_WEIGHTS";
    private static final String TORCH = "torch/hub";
    private static final String KERAS = "keras";
    private static final long LARGEST_LIST = 1 << 20;

    /// The folder that `MLE_STAR_WEIGHTS` names.
    ///
    /// @throws Invalid if there is no such folder
    public static Weights of(Map<String, String> environment) {
        String named = environment.getOrDefault(VARIABLE, "").strip();
        if (named.isEmpty()) {
            return NONE;
        }
        try {
            Path folder = Path.of(named).toRealPath();
            if (Files.isDirectory(folder) && folder.getNameCount() > 0) {
                return new Weights(List.of(folder));
            }
        } catch (IOException e) {
            // There is nothing, or nothing that may be seen.
        }
        throw new Invalid(
                VARIABLE + " names \"" + named
                        + "\", which is no folder with pretrained models; name one, or none");
    }

    /// Makes in a script's own folder what leads to the models, for libraries that write where they
    /// read: torch.hub notes whom it trusts, and Keras looks in /tmp if it may not write, and then
    /// for a network. Their folders are led to, their lists copied.
    ///
    /// @param home fresh
    void leadFrom(Path home) throws IOException {
        for (Path folder : folders) {
            for (String below : List.of(TORCH, KERAS)) {
                if (Files.isDirectory(folder.resolve(below))) {
                    lead(Files.createDirectories(home.resolve(below)), folder.resolve(below));
                }
            }
        }
    }

    private static void lead(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.list(to)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                Path own = from.resolve(each.getFileName());
                if (Files.isDirectory(each)) {
                    Files.createSymbolicLink(own, each);
                } else if (Files.isReadable(each) && Files.size(each) < LARGEST_LIST) {
                    Files.copy(each, own);
                }
            }
        }
    }

    /// Variables that make the libraries look there and nowhere else. What they write goes to the
    /// script's own folder.
    ///
    /// @param offline whether there is no network
    Map<String, String> environment(Path home, boolean offline) {
        Map<String, String> environment = new LinkedHashMap<>();
        if (offline || !folders.isEmpty()) {
            OFFLINE.forEach(variable -> environment.put(variable, "1"));
        }
        for (Path folder : folders) {
            environment.put("HF_HOME", folder.resolve("huggingface").toString());
            environment.put("HF_MODULES_CACHE", home.resolve("huggingface/modules").toString());
            environment.put("HF_DATASETS_CACHE", home.resolve("huggingface/datasets").toString());
            environment.put("TORCH_HOME", home.resolve("torch").toString());
            environment.put("KERAS_HOME", home.resolve(KERAS).toString());
        }
        return environment;
    }
}
