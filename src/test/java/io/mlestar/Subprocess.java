package io.mlestar;

import static org.assertj.core.api.Assertions.assertThat;

import module java.base;

/// A command that was run to its end, without the settings of the tests themselves.
///
/// @param said its output and its errors
public record Subprocess(int exitCode, String said) {
    /// @param environment what it has besides the test's own
    public static Subprocess run(Path folder, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet()
                .removeIf(variable -> variable.startsWith("MLE_STAR_") || variable.equals("K_SERVICE"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Subprocess(process.waitFor(), said);
    }

    /// The output of a command in the project's folder, which must end well.
    public static String said(Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        return run(Path.of("").toAbsolutePath(), environment, command).wellEnded();
    }

    /// The output of the process, which must have ended well.
    public String wellEnded() {
        assertThat(exitCode).as(said).isZero();
        return said;
    }
}
