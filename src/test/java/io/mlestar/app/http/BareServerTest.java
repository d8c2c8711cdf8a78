package io.mlestar.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Waiting;
import io.mlestar.app.web.RawHttp;
import io.mlestar.show.log.Ear;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import jakarta.enterprise.inject.Instance;
import module java.base;
import java.lang.reflect.Proxy;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The handlers of HTTP in a server of Vert.x with nothing else.
class BareServerTest {
    private static final String KEPT = "GET / HTTP/1.1\r\nHost: here\r\n\r\n";
    private static final String SMUGGLED =
            "POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n" + KEPT;
    /// A program without pages.
    @SuppressWarnings("unchecked")
    private static final Instance<ErrorResponses.ErrorPage> NO_PAGE =
            (Instance<ErrorResponses.ErrorPage>) Proxy.newProxyInstance(BareServerTest.class.getClassLoader(),
                    new Class<?>[] {Instance.class}, (proxy, method, arguments) -> false);

    private final Vertx vertx = Vertx.vertx();
    private final Router router = Router.router(vertx);

    private URI served(HttpServerOptions options) throws Exception {
        HttpServer server = vertx.createHttpServer(options).requestHandler(router);
        server.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().get(Waiting.MOST.toSeconds(),
                TimeUnit.SECONDS);
        return URI.create("http://127.0.0.1:" + server.actualPort());
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(Waiting.MOST.toSeconds(), TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"failed", "done"})
    void workThatOutlivesItsServerIsNoFailure(String how) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        new ErrorResponses(NO_PAGE).install(router);
        router.post("/").handler(context -> Thread.ofPlatform().start(() -> {
            begun.countDown();
            try {
                stopped.await();
                if (how.equals("failed")) {
                    throw new HttpError(503, "interrupted");
                }
                context.response().end("done");
            } catch (InterruptedException | RuntimeException e) {
                context.fail(e);
            }
            over.countDown();
        }));
        URI address = served(new HttpServerOptions());
        List<LogRecord> logged = Collections.synchronizedList(new ArrayList<>());
        try (Ear _ = new Ear("", logged::add);
                Socket client = RawHttp.open(address, RawHttp.request("POST /", "Host: here", ""))) {
            assertThat(begun.await(Waiting.MOST.toSeconds(), TimeUnit.SECONDS)).isTrue();
            stop();
            stopped.countDown();
            assertThat(over.await(Waiting.MOST.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(logged).extracting(LogRecord::getMessage).isEmpty();
    }

    /// Behind a proxy that goes by the other header, the rest would be a request of another client.
    @ParameterizedTest
    @ValueSource(strings = {"", KEPT, "POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"})
    void aLengthThatIsSaidTwiceIsRefusedAndTheRestIsNotRead(String before) throws Exception {
        StrictDecoding decoding = new StrictDecoding();
        HttpServerOptions options = new HttpServerOptions().setHttp2ClearTextEnabled(false);
        decoding.customizeHttpServer(options);
        router.get("/").handler(context -> context.response().end("hello"));
        URI address = served(options);
        decoding.watch(vertx);
        try (Socket socket = RawHttp.open(address, before + SMUGGLED)) {
            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answers).containsOnlyOnce("HTTP/1.1 400").doesNotEndWith("hello");
            assertThat(answers.split("HTTP/1.1 ")).hasSize(before.isEmpty() ? 2 : 3);
        }
    }
}
