package io.mlestar;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import module java.base;

/// Programs that tests use where the machine has them. What is not tested without them is printed.
/// `make test-bare` hides them.
public final class Installed {
    public static final List<String> OPTIONAL =
            List.of(ProjectFiles.text(Path.of("src/build/optional-programs")).split("\n"));
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private Installed() {}

    /// The place of the first of these programs that the PATH has.
    public static Optional<Path> find(String... programs) {
        if (!OPTIONAL.containsAll(List.of(programs))) {
            throw new IllegalArgumentException("src/build/optional-programs lacks one of " + List.of(programs));
        }
        List<String> folders = List.of(System.getenv("PATH").split(":"));
        return Arrays.stream(programs).flatMap(program -> folders.stream().map(folder -> Path.of(folder, program)))
                .filter(Files::isExecutable).findFirst();
    }

    /// The first of these programs that the PATH has.
    ///
    /// @param untested what is skipped without it
    /// @throws org.opentest4j.TestAbortedException if there is none
    public static Path need(String untested, String... programs) {
        Optional<Path> found = find(programs);
        assume(found.isPresent(), String.join(" or ", programs), untested);
        return found.orElseThrow();
    }

    /// Skips the test, and says so, if something else is not there.
    public static void assume(boolean there, String missing, String untested) {
        if (!there) {
            without(missing, untested);
        }
        assumeTrue(there, "without " + missing);
    }

    /// Names, once, what this machine lacks.
    public static void without(String missing, String untested) {
        String line = "without " + missing + " on this machine: " + untested;
        if (SAID.add(line)) {
            System.out.println(line);
        }
    }
}
