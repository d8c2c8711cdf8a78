package io.mlestar.app.cli;

import module java.base;

/// The built program of a function's pod: the native one if it was built last, else the JVM one,
/// with the options of `mlestar`.
public final class FunctionsProgram {
    private static final Path NATIVE = Path.of("target/functions/mlestar-runner").toAbsolutePath();
    private static final Path JAR = Path.of("target/functions/mlestar-runner.jar").toAbsolutePath();

    private FunctionsProgram() {}

    /// @throws AssertionError if there is none
    public static List<String> command() throws IOException {
        if (Files.exists(NATIVE) && (!Files.exists(JAR)
                || Files.getLastModifiedTime(NATIVE).compareTo(Files.getLastModifiedTime(JAR)) > 0)) {
            return List.of(NATIVE.toString());
        }
        if (!Files.exists(JAR)) {
            throw new AssertionError("the functions' program is not built: make test-deployed builds it");
        }
        return List.of("sh", "-c",
                "exec \"$0\" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xlog:disable $MLE_STAR_JAVA_OPTS -jar \"$@\"",
                Path.of(System.getProperty("java.home"), "bin/java").toString(), JAR.toString());
    }
}
