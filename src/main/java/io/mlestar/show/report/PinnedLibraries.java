package io.mlestar.show.report;

import io.mlestar.core.step.MachineFacts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The libraries of a run's scripts in the versions that its survey found, as pip reads them.
///
/// @param imported those that a script imports
/// @param all every one that was found
record PinnedLibraries(List<String> imported, List<String> all) {
    private static final Pattern IMPORT =
            Pattern.compile(
                    "^[ \\t]*(?:from[ \\t]+(\\w++)[\\w.]*+[ \\t]+import\\b|import[ \\t]+(\\w[\\w., \\t]*)).*");
    /// Distributions that have another name than what they bring.
    private static final Map<String, String> NAMES =
            Map.of("sklearn", "scikit-learn", "PIL", "pillow", "skimage", "scikit-image", "yaml",
                    "pyyaml", "bs4", "beautifulsoup4", "cv2", "opencv", "dateutil",
                    "python-dateutil", "umap", "umap-learn");
    /// The survey names the library, whose distributions have several names.
    private static final Map<String, String> DISTRIBUTIONS =
            Map.of("opencv", "opencv-python-headless");
    private static final String NOT_KNOWN = "?";

    static PinnedLibraries of(MachineFacts machine, Stream<String> scripts) {
        Map<String, String> versions = new TreeMap<>(machine.others());
        versions.putAll(machine.libraries());
        TreeSet<String> imported = new TreeSet<>();
        scripts.flatMap(PinnedLibraries::modules)
                .map(module -> NAMES.getOrDefault(module,
                        module.toLowerCase(Locale.ROOT).replace('_', '-')))
                .filter(versions::containsKey)
                .forEach(imported::add);
        return new PinnedLibraries(
                imported.stream()
                        .map(name -> pinned(name, Objects.requireNonNull(versions.get(name)))
                                .orElseGet(() -> distribution(name)))
                        .toList(),
                versions.entrySet()
                        .stream()
                        .flatMap(one -> pinned(one.getKey(), one.getValue()).stream())
                        .toList());
    }

    private static Stream<String> modules(String script) {
        return script.lines()
                .map(IMPORT::matcher)
                .filter(Matcher::matches)
                .flatMap(PinnedLibraries::named);
    }

    private static Stream<String> named(Matcher line) {
        return line.group(1) != null
                ? Stream.of(line.group(1))
                : Arrays.stream(line.group(2).split(","))
                        .map(one -> one.strip().split("\\W", 2)[0]);
    }

    /// An index has no local versions, such as `2.9.0+cpu`.
    private static Optional<String> pinned(String name, String version) {
        String told = version.replaceFirst("\\+.*", "");
        return version.equals(NOT_KNOWN)
                ? Optional.empty()
                : Optional.of(
                        distribution(name) + "==" + told
                                + (told.equals(version) ? "" : "  # the run had " + version));
    }

    private static String distribution(String name) {
        return DISTRIBUTIONS.getOrDefault(name, name);
    }

    String requirements() {
        return text("What the solution imports besides Python's own library.", imported);
    }

    String constraints(int leftOut) {
        List<String> lines = new ArrayList<>(all);
        if (leftOut > 0) {
            lines.add("# " + leftOut
                    + " more were installed, whose versions the run did not record.");
        }
        return text(
                "All libraries that were installed where the run's scripts ran, so that what the imported ones need is as it was.",
                lines);
    }

    private static String text(String comment, List<String> lines) {
        return "# " + comment + "\n"
                + String.join("", lines.stream().map(line -> line + "\n").toList());
    }
}
