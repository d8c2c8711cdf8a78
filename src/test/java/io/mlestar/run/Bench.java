package io.mlestar.run;

import io.mlestar.event.EmbeddedBroker;
import io.mlestar.event.Event;
import io.mlestar.event.HttpSink;
import io.mlestar.event.Routes;
import io.mlestar.store.FolderStore;
import io.mlestar.store.MemoryStore;
import io.mlestar.store.Store;
import io.mlestar.task.Json;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.net.URI;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/// Measures the engine on the embedded broker, over HTTP, with models and scripts that answer at once. A step is an agent's
/// answer or a script's run; what its phases do around it is in its cost. Read the ratios: machines differ.
public final class Bench {
    private static final String CONFIG = """
            {"num_parallel_solutions": %d, "outer_loop_steps": %d, "inner_loop_steps": 4, "ensemble_rounds": 5, "time_limit_seconds": 864000}""";

    private Bench() {}

    /// @param heapMb used after the run, with garbage collected
    private record Measured(int steps, double seconds, long heapMb) {
        double microsPerStep() {
            return seconds / steps * 1e6;
        }
    }

    public static void main(String... args) throws Exception {
        measure(new MemoryStore(), 2, 8);
        System.out.println("store    steps  steps/s   us/step   heap MB   cost per step against the smallest run");
        table("memory");
        table("folder");
        System.exit(0);
    }

    private static void table(String kind) throws Exception {
        double smallest = 0;
        for (int[] size : new int[][] {{4, 1}, {4, 12}, {4, 125}}) {
            Store store = kind.equals("memory") ? new MemoryStore() : new FolderStore(Files.createTempDirectory("bench"));
            Measured measured = measure(store, size[0], size[1]);
            smallest = smallest == 0 ? measured.microsPerStep() : smallest;
            System.out.printf(Locale.ROOT, "%s %7d %8.0f %9.0f %9d   %.2f%n", kind, measured.steps(), measured.steps() / measured.seconds(),
                    measured.microsPerStep(), measured.heapMb(), measured.microsPerStep() / smallest);
        }
    }

    private static Measured measure(Store store, int paths, int blocks) throws InterruptedException {
        World world = new World(1, 0);
        Vertx vertx = Vertx.vertx();
        AtomicReference<Engine> working = new AtomicReference<>();
        HttpServer server = vertx.createHttpServer().requestHandler(request -> request.body().onSuccess(body ->
                Thread.startVirtualThread(() -> {
                    working.get().work(Event.stepOf(Json.parse(body.getBytes())));
                    request.response().setStatusCode(204).end();
                }))).listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
        URI address = URI.create("http://127.0.0.1:" + server.actualPort() + "/");
        Routes routes = Routes.load();
        EmbeddedBroker broker = new EmbeddedBroker(HttpSink.client(vertx), () -> routes, subscriber -> address, EmbeddedBroker.Fate.KIND);
        Engine engine = new Engine(new Records(store), broker, world, Clock.systemUTC(), new Watcher() {});
        working.set(engine);
        CountDownLatch ended = new CountDownLatch(1);
        broker.listen(event -> {
            if (event.type().equals(Event.RUN_COMPLETED) || event.type().equals(Event.RUN_FAILED)) {
                ended.countDown();
            }
        });
        RunHeader made = World.header("bench", CONFIG.formatted(paths, blocks));
        RunHeader header = new RunHeader("bench", made.task(), made.config(), made.hardware(), made.version(), made.promptsDigest(),
                Instant.now(), Instant.now().plusSeconds(864_000), null);
        long start = System.nanoTime();
        engine.start(header);
        ended.await();
        double seconds = (System.nanoTime() - start) / 1e9;
        broker.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        System.gc();
        long heap = (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20;
        return new Measured(world.paid.size(), seconds, heap);
    }
}
