package io.mlestar.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Waiting;
import io.mlestar.app.web.RawHttp;
import io.mlestar.show.log.Ear;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import jakarta.enterprise.inject.Instance;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorResponsesTest {
    /// A program without pages.
    @SuppressWarnings("unchecked")
    private static final Instance<ErrorResponses.ErrorPage> NO_PAGE =
            (Instance<ErrorResponses.ErrorPage>) Proxy.newProxyInstance(ErrorResponsesTest.class.getClassLoader(),
                    new Class<?>[] {Instance.class}, (proxy, method, arguments) -> false);

    @ParameterizedTest
    @ValueSource(strings = {"failed", "done"})
    void workThatOutlivesItsServerIsNoFailure(String how) throws Exception {
        Vertx vertx = Vertx.vertx();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        Router router = Router.router(vertx);
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
        HttpServer server = vertx.createHttpServer().requestHandler(router);
        server.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().get(Waiting.MOST.toSeconds(),
                TimeUnit.SECONDS);
        List<LogRecord> logged = Collections.synchronizedList(new ArrayList<>());
        try (Ear _ = new Ear("", logged::add);
                Socket client = RawHttp.open(URI.create("http://127.0.0.1:" + server.actualPort()),
                        RawHttp.request("POST /", "Host: here", ""))) {
            assertThat(begun.await(Waiting.MOST.toSeconds(), TimeUnit.SECONDS)).isTrue();
            vertx.close().toCompletionStage().toCompletableFuture().get(Waiting.MOST.toSeconds(), TimeUnit.SECONDS);
            stopped.countDown();
            assertThat(over.await(Waiting.MOST.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(logged).extracting(LogRecord::getMessage).isEmpty();
    }
}
