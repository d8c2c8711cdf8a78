package io.mlestar.core.engine;

import io.mlestar.CpuTime;
import io.mlestar.adapter.broker.EmbeddedBroker;
import io.mlestar.adapter.broker.HttpSink;
import io.mlestar.adapter.broker.Routes;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.Store;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import module java.base;

/// The measurements of runs that began at the same moment on one embedded broker, over HTTP. A step
/// is an agent's answer or a script's run; what its phases do around it is in its cost.
///
/// @param cpuSeconds of all threads
/// @param heapMb the most that was in use at any measurement after a garbage collection
/// @param mostOpen events that were published and not taken yet, at most
public record Throughput(int steps, double seconds, double cpuSeconds, long heapMb, int mostOpen) {
    private static final int LOOK_SECONDS = 5;
    /// Without a single event for so many looks the runs stand still.
    private static final int MOST_IDLE = 24;

    /// Counts what is done and what is open.
    private static final class Count implements Watcher, EmbeddedBroker.Listener {
        private final AtomicInteger steps = new AtomicInteger();
        private final AtomicInteger open = new AtomicInteger();
        private final AtomicInteger mostOpen = new AtomicInteger();
        private final AtomicInteger taken = new AtomicInteger();
        private final CountDownLatch ended;

        Count(int runs) {
            ended = new CountDownLatch(runs);
        }

        @Override
        public void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {
            if (!request.isPhase()) {
                steps.incrementAndGet();
            }
        }

        @Override
        public void published(Event event) {
            if (event.endsRun()) {
                ended.countDown();
            } else {
                mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
            }
        }

        @Override
        public void delivered(Event event) {
            open.decrementAndGet();
            taken.incrementAndGet();
        }

        /// @return the most memory that was in use meanwhile, in MB
        long await() throws InterruptedException {
            long heap = 0;
            int before = -1;
            int idle = 0;
            while (!ended.await(LOOK_SECONDS, TimeUnit.SECONDS)) {
                heap = Math.max(heap, liveHeapMb());
                idle = taken.get() == before ? idle + 1 : 0;
                before = taken.get();
                if (idle == MOST_IDLE) {
                    throw new IllegalStateException(ended.getCount() + " runs stand still");
                }
            }
            return heap;
        }
    }

    public double cpuMillisPerStep() {
        return cpuSeconds / steps * 1e3;
    }

    double perSecond() {
        return steps / seconds;
    }

    /// A run of the made-up world that begins now.
    ///
    /// @param config JSON
    public static RunHeader header(String run, String config) {
        return World.header(run, config, Instant.now());
    }

    private static long liveHeapMb() {
        System.gc();
        return (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20;
    }

    /// @throws IllegalStateException if a run does not end well: then the figures mean nothing
    public static Throughput of(Store store, Performer performer, List<RunHeader> runs) throws InterruptedException {
        Vertx vertx = Vertx.vertx();
        AtomicReference<Engine> working = new AtomicReference<>();
        HttpServer server = vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> Thread.startVirtualThread(() -> {
                    working.get().work(Event.stepOf(Json.parse(body.getBytes())));
                    request.response().setStatusCode(204).end();
                }))).listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
        URI address = URI.create("http://127.0.0.1:" + server.actualPort() + "/");
        EmbeddedBroker broker =
                new EmbeddedBroker(HttpSink.client(vertx, Map.of()), Routes.toFunctions(), subscriber -> address,
                        EmbeddedBroker.Fate.KIND, Map.of());
        Count count = new Count(runs.size());
        Engine engine = new Engine(new Records(store), broker, performer, InstantSource.system(), count);
        working.set(engine);
        broker.listen(count);
        long start = System.nanoTime();
        long cpuStart = CpuTime.process();
        runs.forEach(engine::start);
        long heap = count.await();
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpuSeconds = (CpuTime.process() - cpuStart) / 1e9;
        heap = Math.max(heap, liveHeapMb());
        broker.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        // Records as another process reads them, which remembers nothing.
        Records records = new Records(store);
        for (RunHeader run : runs) {
            if (records.result(StepPath.root(run.runId())).flatMap(StepResult::done).isEmpty()) {
                throw new IllegalStateException("run " + run.runId() + " was lost");
            }
        }
        return new Throughput(count.steps.get(), seconds, cpuSeconds, heap, count.mostOpen.get());
    }
}
