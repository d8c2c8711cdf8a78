package io.mlestar.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Waiting;
import io.mlestar.app.web.RawHttp;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictDecodingTest {
    private static final String KEPT = "GET / HTTP/1.1\r\nHost: here\r\n\r\n";
    private static final String SMUGGLED =
            "POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n" + KEPT;

    private final Vertx vertx = Vertx.vertx();
    private URI address;

    @BeforeEach
    void serve() throws Exception {
        StrictDecoding decoding = new StrictDecoding();
        HttpServerOptions options = new HttpServerOptions().setHttp2ClearTextEnabled(false);
        decoding.customizeHttpServer(options);
        Router router = Router.router(vertx);
        router.get("/").handler(context -> context.response().end("hello"));
        HttpServer server = vertx.createHttpServer(options).requestHandler(router);
        server.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().get(Waiting.MOST.toSeconds(),
                TimeUnit.SECONDS);
        decoding.watch(vertx);
        address = URI.create("http://127.0.0.1:" + server.actualPort());
    }

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /// Behind a proxy that goes by the other header, the rest would be a request of another client.
    @ParameterizedTest
    @ValueSource(strings = {"", KEPT, "POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"})
    void aLengthThatIsSaidTwiceIsRefusedAndTheRestIsNotRead(String before) throws IOException {
        try (Socket socket = RawHttp.open(address, before + SMUGGLED)) {
            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answers).containsOnlyOnce("HTTP/1.1 400").doesNotEndWith("hello");
            assertThat(answers.split("HTTP/1.1 ")).hasSize(before.isEmpty() ? 2 : 3);
        }
    }
}
