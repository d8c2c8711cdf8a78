package io.mlestar.app.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.quarkus.vertx.http.HttpServerStart;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.impl.VertxInternal;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/// Bounds the connections. One is idle until the head of a request has come, and again when the answer is sent: an idle one is closed after a
/// while, whatever it sends meanwhile, and when all places are taken the one that has been idle longest makes room. So silent clients
/// never keep others out. A request that is worked on, or a stream of events, is cut only by `quarkus.http.idle-timeout`.
@Singleton
@ChannelHandler.Sharable
public final class Connections extends ChannelInboundHandlerAdapter implements HttpServerOptionsCustomizer {
    private final int most;
    private final Duration patience;
    /// Idle connections with the timers that close them; the one that has been idle longest comes first.
    private final Map<Channel, Future<?>> idle = new LinkedHashMap<>();
    /// Busy connections, with the number of their requests.
    private final Map<Channel, Integer> busy = new HashMap<>();
    private volatile HttpServerOptions options = new HttpServerOptions();

    /// @param patience how long a connection may be idle
    Connections(@ConfigProperty(name = "mle_star.connections", defaultValue = "1024") int most,
            @ConfigProperty(name = "mle_star.idle.timeout", defaultValue = "PT30S") Duration patience) {
        this.most = most;
        this.patience = patience;
    }

    /// Takes note of what the server is made with.
    @Override
    public void customizeHttpServer(HttpServerOptions taken) {
        options = taken;
    }

    void install(@Observes Router router) {
        router.route().order(Guard.FIRST).handler(this::work);
    }

    void begin(@ObservesAsync HttpServerStart start, Vertx vertx) {
        watch(vertx);
    }

    /// Sees each connection from now on before anything is read of it. Neither Quarkus nor Vert.x tells of a connection without a request.
    void watch(Vertx vertx) {
        for (EventExecutor loop : ((VertxInternal) vertx).getAcceptorEventLoopGroup()) {
            loop.submit(() -> ((SingleThreadEventLoop) loop).registeredChannelsIterator()
                    .forEachRemaining(server -> server.pipeline().addFirst(this))).syncUninterruptibly();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext server, Object accepted) {
        Channel connection = (Channel) accepted;
        if (!makeRoom()) {
            connection.unsafe().closeForcibly();
            return;
        }
        rest(connection, server.executor());
        connection.pipeline().addFirst(new StrictRequestDecoder.Installer(options));
        Future<?> _ = connection.closeFuture().addListener(closed -> forget(connection));
        server.fireChannelRead(accepted);
    }

    private synchronized boolean makeRoom() {
        if (idle.size() + busy.size() < most) {
            return true;
        }
        Map.Entry<Channel, Future<?>> longest = idle.entrySet().stream().findFirst().orElse(null);
        if (longest != null) {
            forget(longest.getKey());
            Future<?> _ = longest.getKey().close();
        }
        return longest != null;
    }

    private synchronized void rest(Channel connection, EventExecutor timer) {
        idle.put(connection, timer.schedule(() -> close(connection, timer), patience.toMillis(), TimeUnit.MILLISECONDS));
    }

    private synchronized void close(Channel connection, EventExecutor timer) {
        ChannelOutboundBuffer unsent = connection.unsafe().outboundBuffer();
        if (idle.remove(connection) == null) {
            return;
        }
        if (unsent != null && unsent.totalPendingWriteBytes() > 0) {
            // It still reads the answer.
            rest(connection, timer);
        } else {
            Future<?> _ = connection.close();
        }
    }

    private synchronized void forget(Channel connection) {
        Future<?> end = idle.remove(connection);
        if (end != null) {
            end.cancel(false);
        }
        busy.remove(connection);
    }

    private void work(RoutingContext context) {
        Channel connection = ((ConnectionBase) context.request().connection()).channel();
        synchronized (this) {
            int requests = busy.getOrDefault(connection, 0);
            forget(connection);
            busy.put(connection, requests + 1);
        }
        context.addEndHandler(sent -> answered(connection));
        context.next();
    }

    /// The client may have sent its next request already.
    private synchronized void answered(Channel connection) {
        Integer left = busy.computeIfPresent(connection, (key, requests) -> requests == 1 ? null : requests - 1);
        if (left == null && connection.isOpen()) {
            rest(connection, connection.eventLoop());
        }
    }
}
