package io.mlestar.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mlestar.Waiting;
import io.mlestar.app.cli.Program;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Some runs in one server, one pair after the other: what it holds of memory, threads and files
/// does not grow with them. A longer soak: `-Dsoak.runs=100`.
@Tag("long")
class SoakIT {
    private static final int BEFORE = 4;
    private static final int RUNS = Integer.getInteger("soak.runs", 8);
    private static final String REQUEST =
            """
                    {"run_id": "soak-%d", "task": {"competition_id": "mini", "task_type": "tabular", "data_modality": "tabular",
                     "evaluation_metric": "AUC", "metric_direction": "maximize", "description": "Predict y.", "data_dir": "%s"},
                     "config": {"num_retrieved_models": 1, "outer_loop_steps": 1, "inner_loop_steps": 1, "num_parallel_solutions": 1,
                     "ensemble_rounds": 1}}""";

    @TempDir
    private Path folder;

    /// @param heap bytes in use after a collection
    private record Held(long heap, int threads, long files, long processes) {}

    private static void await(Served served, int run) {
        Records records = new Records(served.store());
        Waiting.until("run " + run + " ends", () -> records.result(StepPath.root("soak-" + run)).isPresent());
    }

    private static void play(Served served, int from, int to) throws Exception {
        for (int run = from; run < to; run++) {
            served.request(REQUEST.formatted(run, Program.MINI.resolve("input")));
            if (run % 2 == 1) {
                await(served, run - 1);
                await(served, run);
            }
        }
    }

    private Held held(Served served) throws IOException, InterruptedException {
        Process collected = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(served.pid()), "GC.run")
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        assumeTrue(collected.waitFor() == 0, "the program is none of this JVM's");
        String metrics = served.send(HttpRequest.newBuilder(served.uri("/q/metrics"))).body();
        try (Stream<Path> files = Files.walk(folder.resolve("tmp"))) {
            return new Held(
                    metrics.lines().filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
                            .mapToLong(SoakIT::value).sum(),
                    (int) metrics.lines().filter(line -> line.startsWith("jvm_threads_live_threads"))
                            .mapToLong(SoakIT::value).sum(),
                    files.filter(Files::isRegularFile).count(),
                    ProcessHandle.of(served.pid()).orElseThrow().descendants().count());
        }
    }

    private static long value(String line) {
        return (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }

    @Test
    void whatAServerHoldsDoesNotGrowWithTheRunsItHasDone() throws Exception {
        String temporary = Files.createDirectories(folder.resolve("tmp")).toString();
        try (Served served = Served
                .start(new Program(folder).with("TMPDIR", temporary).with("MLE_STAR_JAVA_OPTS",
                        "-XX:-DisableAttachMechanism -Djava.io.tmpdir=" + temporary))) {
            play(served, 0, BEFORE);
            Held before = held(served);
            Instant start = Instant.now();
            play(served, BEFORE, BEFORE + RUNS);
            System.out.printf(Locale.ROOT, "%d runs in one server took %d s%n", RUNS,
                    Duration.between(start, Instant.now()).toSeconds());
            Held after = held(served);
            System.out.println(before + " became " + after);
            assertThat(after.heap()).as("%s became %s", before, after).isLessThan(before.heap() + RUNS * 100_000L);
            assertThat(after.threads()).isLessThan(before.threads() + 20);
            assertThat(after.files()).isLessThanOrEqualTo(before.files());
            assertThat(after.processes()).isLessThanOrEqualTo(before.processes());
        }
    }
}
