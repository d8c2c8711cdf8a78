package io.mlestar.app.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.quarkus.vertx.http.HttpServerStart;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.impl.VertxInternal;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;

/// Has the requests of each connection read by a [StrictRequestDecoder]. Quarkus and Vert.x offer
/// no choice of a decoder.
@Singleton
@ChannelHandler.Sharable
public final class StrictDecoding extends ChannelInboundHandlerAdapter
        implements HttpServerOptionsCustomizer {
    private volatile HttpServerOptions options = new HttpServerOptions();

    /// Takes note of what the server is made with.
    @Override
    public void customizeHttpServer(HttpServerOptions taken) {
        options = taken;
    }

    void begin(@ObservesAsync HttpServerStart start, Vertx vertx) {
        watch(vertx);
    }

    /// Sees each connection from now on before anything is read of it.
    void watch(Vertx vertx) {
        for (EventExecutor loop : ((VertxInternal) vertx).getAcceptorEventLoopGroup()) {
            loop.submit(() -> ((SingleThreadEventLoop) loop).registeredChannelsIterator()
                    .forEachRemaining(server -> server.pipeline().addFirst(this)))
                    .syncUninterruptibly();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext server, Object accepted) {
        ((Channel) accepted).pipeline().addFirst(new StrictRequestDecoder.Installer(options));
        server.fireChannelRead(accepted);
    }
}
