package io.mlestar.deploy;

import io.mlestar.Installed;
import module java.base;

/// Builds kustomizations with `kubectl kustomize` or `kustomize build`, whichever is installed; it
/// asks no cluster.
public final class Kustomize {
    private static final Map<String, String> BUILT = new ConcurrentHashMap<>();

    private Kustomize() {}

    /// An overlay as it is deployed: all functions from one image, and with more components.
    ///
    /// @param components names below `k8s`
    /// @throws org.opentest4j.TestAbortedException if neither is there
    public static String overlay(String name, String... components) {
        List<String> all = new ArrayList<>(List.of(components));
        all.add("one-image");
        return of("overlays/" + name, all);
    }

    /// A folder below `k8s` with components, in the namespace `mlestar`.
    static String of(String name, List<String> components) {
        return BUILT.computeIfAbsent(name + " " + components, _ -> build("""
                apiVersion: kustomize.config.k8s.io/v1beta1
                kind: Kustomization
                namespace: mlestar
                resources: [../../k8s/%s]
                components: [%s]
                """.formatted(name, String.join(", ",
                components.stream().map(component -> "../../k8s/" + component).toList()))));
    }

    /// @param kustomization of a folder two below the project's
    static String build(String kustomization) {
        try {
            Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "kustomize-");
            Path file = Files.writeString(folder.resolve("kustomization.yaml"), kustomization);
            String built = build(folder);
            Files.delete(file);
            Files.delete(folder);
            return built;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String build(Path folder) {
        String tool = Installed.need("the overlays are not built", "kubectl", "kustomize").toString();
        try {
            Path errors = Files.createTempFile("kustomize", ".err");
            Process process =
                    new ProcessBuilder(tool, tool.endsWith("kubectl") ? "kustomize" : "build", folder.toString())
                            .redirectError(errors.toFile()).start();
            String built = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError(folder + " does not build: " + Files.readString(errors));
            }
            Files.delete(errors);
            return built;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
