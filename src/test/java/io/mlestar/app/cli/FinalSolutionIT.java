package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a user holds after a run: a solution for new rows, and a package that runs without the
/// program.
class FinalSolutionIT {
    @TempDir
    private Path folder;

    @Test
    void theFinalSolutionPredictsNewRowsAndRunsOutsideTheProgram() throws Exception {
        Program program = new Program(folder);
        Program.Ended ran = program
                .run(Program.smallExample(folder, "birds", "--set", "script_timeout_seconds=" + 120 * program.pace()));
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        Path input = folder.resolve("small/input");
        Path submission = program.store().resolve("runs/birds/submission.csv");

        List<String> test = Files.readAllLines(input.resolve("test.csv"));
        Files.write(folder.resolve("new.csv"),
                Stream.concat(test.stream().limit(1), test.stream().skip(100).limit(20)).toList());
        Program.Ended predicted = program.run("predict", "birds", "--rows", "new.csv");
        assertThat(predicted.exitCode()).as(predicted.err()).isZero();
        List<String> submitted = Files.readAllLines(submission);
        assertThat(predicted.out().lines()).containsExactlyElementsOf(
                Stream.concat(submitted.stream().limit(1), submitted.stream().skip(100).limit(20)).toList());

        Program.Ended again = program.run("predict", "birds", "--rows", "new.csv", "--out", "again.csv", "--json");
        assertThat(Json.parse(again.out()).path("reused").asBoolean()).isTrue();
        assertThat(again.err()).as("nothing is trained").isEmpty();
        assertThat(folder.resolve("again.csv")).hasContent(predicted.out());

        Path exported = folder.resolve("exported");
        assertThat(program.run("export", "birds", exported.toString()).out()).isEqualTo(exported + "\n");
        assertThat(outside(exported, input)).as(() -> read(exported.resolve("err"))).isZero();
        assertThat(exported.resolve("final/submission.csv")).hasSameBinaryContentAs(submission);
    }

    /// What the steps of its Dockerfile and README do.
    private static int outside(Path exported, Path input) throws IOException, InterruptedException {
        Files.createSymbolicLink(exported.resolve("input"), input);
        Files.createDirectories(exported.resolve("final"));
        ProcessBuilder python = new ProcessBuilder("python3", "solution.py").directory(exported.toFile())
                .redirectError(exported.resolve("err").toFile())
                .redirectOutput(exported.resolve("out").toFile());
        python.environment().keySet().removeIf(name -> name.startsWith("MLE_STAR"));
        return python.start().waitFor();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
