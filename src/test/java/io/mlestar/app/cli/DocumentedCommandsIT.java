package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.FreePort;
import io.mlestar.TypedCommands;
import module java.base;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The commands that the documents tell people to type, typed in a fresh folder as they are
/// written: each document from its first command to its last, in one shell. Only the port of the
/// server is another. The folder holds what a checkout has after `make build`, but for the sources.
class DocumentedCommandsIT {
    private static final Path FIRST_TASK = Path.of("docs/first-task.md");
    private static final int PART = 6;

    @TempDir
    private Path folder;

    static Stream<Path> others() throws IOException {
        try (Stream<Path> documents = Files.walk(Path.of("docs"))) {
            return Stream
                    .concat(Stream.of(Path.of("README.md"), Path.of("CONTRIBUTING.md")),
                            documents.filter(file -> file.toString().endsWith(".md")).sorted())
                    .filter(document -> !document.equals(FIRST_TASK)
                            && TypedCommands.of(document).stream().anyMatch(TypedCommands::isRun))
                    .toList().stream();
        }
    }

    /// With a sixth of the rows: the scripts still train, in less time.
    @Test
    void theCommandsOfTheFirstTaskWork() throws Exception {
        checkout();
        Path example = folder.resolve("src/examples/bird-strikes");
        for (String file : List.of("input/train.csv", "input/test.csv", "input/sample_submission.csv",
                "hidden/labels.csv")) {
            List<String> rows = Files.readAllLines(Program.EXAMPLE.resolve(file));
            Files.write(example.resolve(file), rows.subList(0, 1 + rows.size() / PART));
        }
        String said = typed(FIRST_TASK);
        for (String line : TypedCommands.printed(FIRST_TASK)) {
            assertThat(said).contains(line);
        }
        assertThat(said).contains("ROC-AUC: 0.", "500 hidden labels").containsPattern("phase2-path0/block0/attempt2");
        assertThat(folder.resolve("runs-store/runs/first/report.html")).exists();
    }

    @ParameterizedTest
    @MethodSource("others")
    @Tag("long")
    void theCommandsOfEveryOtherDocumentWork(Path document) throws Exception {
        checkout();
        assertThat(typed(document)).doesNotContain("Traceback (most recent");
    }

    private void checkout() throws IOException {
        Files.createSymbolicLink(folder.resolve("mlestar"), Path.of("mlestar").toAbsolutePath());
        Files.createSymbolicLink(folder.resolve("prompts"), Path.of("prompts").toAbsolutePath());
        Files.createDirectories(folder.resolve("src/test/resources"));
        Files.createSymbolicLink(folder.resolve("src/test/resources/mini"), Program.MINI);
        CarryOnIT.copyOf(Path.of("src/examples"), folder.resolve("src/examples"));
        CarryOnIT.copyOf(Program.EXAMPLE.resolve("input"), folder.resolve("titanic"));
        Files.createDirectories(folder.resolve("bin"));
        Files.createSymbolicLink(folder.resolve("bin/mlestar"), folder.resolve("mlestar"));
    }

    /// @return what the commands printed
    private String typed(Path document) throws IOException, InterruptedException {
        int port = FreePort.any();
        // Ends with the shell, whatever becomes of its commands.
        String script = TypedCommands.of(document).stream().filter(TypedCommands::isRun)
                .map(command -> command.replace("localhost:8080", "localhost:" + port))
                .collect(
                        Collectors.joining("\n", "set -exm\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n", "\n"));
        Path out = folder.resolve("out");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script).directory(folder.toFile())
                .redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("MLE_STAR_") || name.endsWith("_API_KEY"));
        builder.environment().put("MLE_STAR_MODEL", Program.ANSWERS);
        builder.environment().put("QUARKUS_HTTP_PORT", Integer.toString(port));
        builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        Process shell = builder.start();
        if (!shell.waitFor(10, TimeUnit.MINUTES)) {
            shell.destroyForcibly();
        }
        assertThat(shell.waitFor()).as(Files.readString(out)).isZero();
        return Files.readString(out);
    }
}
