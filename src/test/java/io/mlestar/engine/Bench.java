package io.mlestar.engine;

import io.mlestar.CpuTime;
import io.mlestar.Requirement;
import io.mlestar.broker.EmbeddedBroker;
import io.mlestar.broker.HttpSink;
import io.mlestar.broker.Routes;
import io.mlestar.event.Event;
import io.mlestar.llm.CallBench;
import io.mlestar.plan.PlanBench;
import io.mlestar.records.Records;
import io.mlestar.records.RunHeader;
import io.mlestar.records.StepResult;
import io.mlestar.step.StepPath;
import io.mlestar.store.FolderStore;
import io.mlestar.store.MemoryStore;
import io.mlestar.store.Store;
import io.mlestar.task.Json;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.net.URI;
import java.nio.file.Files;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/// Measures the engine on the embedded broker, over HTTP, with models and scripts that answer at once. A step is an agent's
/// answer or a script's run; what its phases do around it is in its cost. Read the ratios: machines differ. The bounds that the
/// requirements set, in processor time and memory, are asserted: past one of them it fails.
public final class Bench {
    private static final String CONFIG = """
            {"num_parallel_solutions": %d, "outer_loop_steps": %d, "inner_loop_steps": 4, "ensemble_rounds": 5, "time_limit_seconds": 864000}""";

    private static final int BURST = 64;
    private static final double MOST_CPU_MILLIS_PER_STEP = 100;
    private static final long MOST_HEAP_GROWTH_MB = 64;

    private Bench() {}

    /// @param heapMb used after the run, with garbage collected
    private record Measured(int steps, double seconds, double cpuSeconds, long heapMb) {
        double microsPerStep() {
            return seconds / steps * 1e6;
        }

        double cpuMillisPerStep() {
            return cpuSeconds / steps * 1e3;
        }
    }

    public static void main(String... args) throws Exception {
        try {
            everything();
        } catch (IllegalStateException broken) {
            System.err.println("bench: " + broken.getMessage());
            System.exit(1);
        }
        System.exit(0);
    }

    private static void everything() throws Exception {
        measure(new MemoryStore(), 2, 8);
        System.out.println("store    steps  steps/s   us/step   heap MB   cost per step against the smallest run");
        double alone = table("memory");
        table("folder");
        burst(alone);
        CallBench.measure();
        PlanBench.measure();
    }

    /// @return steps per second of the largest run
    @Requirement({"REQ-OR-048", "REQ-OR-049"})
    static double table(String kind) throws Exception {
        double smallest = 0;
        long smallestHeap = 0;
        double rate = 0;
        for (int[] size : new int[][] {{4, 1}, {4, 12}, {4, 125}}) {
            Store store = kind.equals("memory") ? new MemoryStore() : new FolderStore(Files.createTempDirectory("bench"));
            Measured measured = measure(store, size[0], size[1]);
            smallest = smallest == 0 ? measured.microsPerStep() : smallest;
            smallestHeap = smallestHeap == 0 ? measured.heapMb() : smallestHeap;
            rate = measured.steps() / measured.seconds();
            System.out.printf(Locale.ROOT, "%s %7d %8.0f %9.0f %9d   %.2f%n", kind, measured.steps(), rate,
                    measured.microsPerStep(), measured.heapMb(), measured.microsPerStep() / smallest);
            atMost(MOST_CPU_MILLIS_PER_STEP, measured.cpuMillisPerStep(), "ms of processor time per step (REQ-OR-048)");
            if (kind.equals("folder")) {
                atMost(MOST_HEAP_GROWTH_MB, measured.heapMb() - smallestHeap, "MB more than the smallest run keeps (REQ-OR-049)");
            }
        }
        return rate;
    }

    /// @throws IllegalStateException if a bound of the requirements is broken
    public static void atMost(double most, double measured, String what) {
        if (measured > most) {
            throw new IllegalStateException(String.format(Locale.ROOT, "%.1f %s; the most is %.1f", measured, what, most));
        }
    }

    private static Measured measure(Store store, int paths, int blocks) throws InterruptedException {
        return measure(store, List.of(header("bench", CONFIG.formatted(paths, blocks))));
    }

    /// Sixty-four runs begun at the same moment on one broker; the throughput is that of all together.
    private static void burst(double alone) throws InterruptedException {
        List<RunHeader> runs = IntStream.range(0, BURST).mapToObj(run -> header("burst-" + run, CONFIG.formatted(2, 2))).toList();
        Measured measured = measure(new MemoryStore(), runs);
        System.out.printf(Locale.ROOT, "%nburst of %d runs: %d steps in %.1f s, %.0f steps/s, %.2f of one run's throughput%n", BURST,
                measured.steps(), measured.seconds(), measured.steps() / measured.seconds(), measured.steps() / measured.seconds() / alone);
    }

    private static RunHeader header(String run, String config) {
        RunHeader made = World.header(run, config);
        return new RunHeader(run, made.task(), made.config(), made.hardware(), made.version(), made.promptsDigest(), Instant.now(),
                Instant.now().plusSeconds(864_000), null);
    }

    /// @throws IllegalStateException if a run does not end well: then the figures mean nothing
    private static Measured measure(Store store, List<RunHeader> runs) throws InterruptedException {
        World world = new World(1, 0);
        Vertx vertx = Vertx.vertx();
        AtomicReference<Engine> working = new AtomicReference<>();
        HttpServer server = vertx.createHttpServer().requestHandler(request -> request.body().onSuccess(body -> Thread.startVirtualThread(() -> {
            working.get().work(Event.stepOf(Json.parse(body.getBytes())));
            request.response().setStatusCode(204).end();
        }))).listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
        URI address = URI.create("http://127.0.0.1:" + server.actualPort() + "/");
        EmbeddedBroker broker = new EmbeddedBroker(HttpSink.client(vertx, Map.of()), Routes.toFunctions(), subscriber -> address, EmbeddedBroker.Fate.KIND);
        Records records = new Records(store);
        Engine engine = new Engine(records, broker, world, InstantSource.system(), new Watcher() {});
        working.set(engine);
        CountDownLatch ended = new CountDownLatch(runs.size());
        broker.listen(event -> {
            if (event.endsRun()) {
                ended.countDown();
            }
        });
        long start = System.nanoTime();
        long cpuStart = CpuTime.process();
        runs.forEach(engine::start);
        ended.await();
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpuSeconds = (CpuTime.process() - cpuStart) / 1e9;
        broker.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        for (RunHeader run : runs) {
            if (records.result(StepPath.root(run.runId())).filter(result -> result.status() == StepResult.Status.DONE).isEmpty()) {
                throw new IllegalStateException("run " + run.runId() + " was lost");
            }
        }
        System.gc();
        long heap = (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20;
        return new Measured(world.paid.size(), seconds, cpuSeconds, heap);
    }
}
