package io.mlestar.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A server with one worker for pages, whose first request is held while the others queue behind it.
class ConcurrencyLimitTest {
    private static final int MOST = 20;

    private final Vertx vertx = Vertx.vertx();
    private final CountDownLatch held = new CountDownLatch(1);
    private final AtomicInteger worked = new AtomicInteger();
    private final AtomicInteger queued = new AtomicInteger();
    private final AtomicInteger gone = new AtomicInteger();
    private URI address;

    @BeforeEach
    void serve() throws Exception {
        ConcurrencyLimit crowd = new ConcurrencyLimit(MOST, 1);
        Router router = Router.router(vertx);
        router.get("/").handler(this::counted).handler(crowd.limit(this::work));
        router.get("/health").blockingHandler(context -> context.response().end("well"), false);
        HttpServer server = vertx.createHttpServer().requestHandler(router);
        server.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().get(Waiting.MOST.toSeconds(), TimeUnit.SECONDS);
        address = URI.create("http://127.0.0.1:" + server.actualPort());
    }

    @AfterEach
    void stop() {
        held.countDown();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private void counted(RoutingContext context) {
        context.response().closeHandler(closed -> gone.incrementAndGet());
        queued.incrementAndGet();
        context.next();
    }

    private void work(RoutingContext context) {
        worked.incrementAndGet();
        try {
            held.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        context.response().end();
    }

    private List<Socket> come(int clients) throws IOException {
        int before = queued.get();
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            sockets.add(RawHttp.open(address, RawHttp.request("GET /", "Host: here", "")));
        }
        Waiting.until("they are in the queue", () -> queued.get() == before + clients);
        return sockets;
    }

    private int ask() throws IOException {
        return RawHttp.send(address, RawHttp.request("GET /", "Host: here", "")).status();
    }

    @Test
    void nothingIsDoneForWhoHasGone() throws Exception {
        try (Socket first = come(1).getFirst()) {
            Waiting.until("the first is worked for", () -> worked.get() == 1);
            for (Socket other : come(MOST - 1)) {
                other.close();
            }
            Waiting.until("the server has seen the others go", () -> gone.get() == MOST - 1);
            held.countDown();
            Waiting.until("there is a place again", () -> ask() == 200);
            assertThat(worked).as("the first and the last").hasValue(2);
            assertThat(first.getInputStream().readAllBytes()).isNotEmpty();
        }
    }

    @Test
    void whatIsNoPageDoesNotWaitBehindPages() throws Exception {
        List<Socket> inside = come(MOST);
        Waiting.until("the first is worked for", () -> worked.get() == 1);
        for (int i = 0; i < 10; i++) {
            assertThat(RawHttp.send(address, RawHttp.request("GET /health", "Host: here", "")).body()).isEqualTo("well");
        }
        assertThat(worked).as("the others wait for their turn").hasValue(1);
        for (Socket socket : inside) {
            socket.close();
        }
    }

    @Test
    void whoFindsNoPlaceIsAskedToComeAgain() throws Exception {
        List<Socket> inside = come(MOST);
        RawHttp answer = RawHttp.send(address, RawHttp.request("GET /", "Host: here", ""));
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).contains("2");
        for (Socket socket : inside) {
            socket.close();
        }
    }
}
