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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A server whose `/held` answers when the test lets it.
class ConnectionsTest {
    private static final int MOST = 5;
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofDays(1);
    private static final String KEPT = "GET /%s HTTP/1.1\r\nHost: here\r\n\r\n";
    private static final String LARGE = "x".repeat(20_000_000);

    private final Vertx vertx = Vertx.vertx();
    private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
    private URI address;

    private void serve(Duration patience) throws Exception {
        Connections connections = new Connections(MOST, patience);
        Router router = Router.router(vertx);
        connections.install(router);
        router.get("/held").handler(context -> held.add(() -> context.response().end("held")));
        router.get("/large").handler(context -> context.response().end(LARGE));
        router.get("/").handler(context -> context.response().end("hello"));
        HttpServerOptions options = new HttpServerOptions().setHttp2ClearTextEnabled(false);
        connections.customizeHttpServer(options);
        HttpServer server = vertx.createHttpServer(options).requestHandler(router);
        server.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().get(Waiting.MOST.toSeconds(), TimeUnit.SECONDS);
        connections.watch(vertx);
        address = URI.create("http://127.0.0.1:" + server.actualPort());
        // The first request of all takes the longest.
        assertThat(ask()).isEqualTo("hello");
    }

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private List<Socket> open(int connections, String sent) throws IOException {
        List<Socket> opened = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            opened.add(RawHttp.open(address, sent));
        }
        return opened;
    }

    private String ask() throws IOException {
        return RawHttp.send(address, RawHttp.request("GET /", "Host: here", "")).body();
    }

    /// All until the server closes.
    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void whoSaysNothingIsSentAway() throws Exception {
        serve(SHORT);
        assertThat(rest(RawHttp.open(address, ""))).isEmpty();
        assertThat(rest(RawHttp.open(address, "GET / HTTP/1.1\r\nHost: he"))).isEmpty();
        assertThat(rest(RawHttp.open(address, KEPT.formatted("")))).endsWith("hello");
    }

    @Test
    void whoSendsTheHeadByteByByteIsSentAway() throws Exception {
        serve(SHORT);
        for (String before : List.of("", KEPT.formatted(""))) {
            Socket socket = RawHttp.open(address, before + "GET / HTTP/1.1\r\nX-Long: ");
            Waiting.until("it is closed", () -> {
                try {
                    socket.getOutputStream().write('x');
                    return false;
                } catch (IOException e) {
                    return true;
                }
            });
        }
    }

    /// Behind a proxy that goes by the other header, the rest would be a request of another client.
    @Test
    void aLengthThatIsSaidTwiceIsRefusedAndTheRestIsNotRead() throws Exception {
        serve(LONG);
        String smuggled = "POST /%s HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
                + KEPT.formatted("");
        for (String before : List.of("", KEPT.formatted(""), "POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")) {
            String answers = rest(RawHttp.open(address, before + smuggled));
            assertThat(answers).containsOnlyOnce("HTTP/1.1 400").doesNotEndWith("hello");
            assertThat(answers.split("HTTP/1.1 ")).hasSize(before.isEmpty() ? 2 : 3);
        }
    }

    @Test
    void aRequestThatIsWorkedOnMayTakeLonger() throws Exception {
        serve(SHORT);
        Socket one = RawHttp.open(address, KEPT.formatted("held"));
        Socket two = RawHttp.open(address, KEPT.formatted("held") + KEPT.formatted("held"));
        Waiting.until("both have come", () -> held.size() == 2);
        assertThat(rest(RawHttp.open(address, ""))).as("it has taken longer").isEmpty();
        held.remove().run();
        held.remove().run();
        Waiting.until("the next of the same connection has come", () -> held.size() == 1);
        assertThat(rest(RawHttp.open(address, ""))).as("and longer").isEmpty();
        held.remove().run();
        assertThat(rest(one)).containsOnlyOnce("held");
        assertThat(rest(two).split("held")).hasSize(2);
    }

    @Test
    void whoReadsSlowlyGetsAllOfTheAnswer() throws Exception {
        serve(SHORT);
        Socket slow = RawHttp.open(address, KEPT.formatted("large"));
        assertThat(rest(RawHttp.open(address, ""))).as("some time has passed").isEmpty();
        assertThat(rest(RawHttp.open(address, ""))).as("and more").isEmpty();
        assertThat(rest(slow)).hasSizeGreaterThan(LARGE.length()).endsWith("xxx");
    }

    @Test
    void whenAllPlacesAreTakenTheOneThatHasBeenIdleLongestMakesRoom() throws Exception {
        serve(LONG);
        Socket eldest = open(1, "").getFirst();
        List<Socket> others = open(MOST - 1, "");
        assertThat(ask()).isEqualTo("hello");
        assertThat(rest(eldest)).isEmpty();
        others.getFirst().getOutputStream().write(KEPT.formatted("").getBytes(StandardCharsets.US_ASCII));
        assertThat(new String(others.getFirst().getInputStream().readNBytes(12), StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
        for (int i = 0; i < 100 * MOST; i++) {
            open(1, "");
        }
        assertThat(ask()).isEqualTo("hello");
    }

    @Test
    void noRequestThatIsWorkedOnMakesRoom() throws Exception {
        serve(LONG);
        List<Socket> inside = open(MOST, KEPT.formatted("held"));
        Waiting.until("they are worked on", () -> held.size() == MOST);
        assertThat(rest(RawHttp.open(address, ""))).isEmpty();
        held.forEach(Runnable::run);
        for (Socket socket : inside) {
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
        }
        assertThat(ask()).isEqualTo("hello");
    }
}
