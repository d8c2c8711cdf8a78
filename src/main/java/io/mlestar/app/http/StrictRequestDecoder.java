package io.mlestar.app.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpMessage;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;

/// Reads requests as Vert.x does, but refuses one that says its length twice, by `Content-Length`
/// and by `Transfer-Encoding` (RFC 9112, 6.3): a proxy in front may go by the other one, and take a
/// part of it for a request of another client. Netty drops the first header in silence.
final class StrictRequestDecoder extends VertxHttpRequestDecoder {
    private StrictRequestDecoder(HttpServerOptions options) {
        super(options);
    }

    /// Throws while the head is read, so that the request is answered 400 and the connection is
    /// closed.
    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage request) {
        throw new IllegalArgumentException("Content-Length and Transfer-Encoding in one request");
    }

    /// Puts this decoder into the place of Vert.x's own, before a connection's first byte reaches
    /// that one.
    static final class Installer extends ChannelInboundHandlerAdapter {
        private final HttpServerOptions options;

        /// @param options of the server
        Installer(HttpServerOptions options) {
            this.options = options;
        }

        @Override
        public void channelRead(ChannelHandlerContext connection, Object bytes) {
            ChannelPipeline pipeline = connection.pipeline();
            ChannelHandlerContext usual = pipeline.context(VertxHttpRequestDecoder.class);
            if (usual != null) {
                pipeline.replace(usual.handler(), usual.name(), new StrictRequestDecoder(options));
                connection.fireChannelRead(bytes);
                pipeline.remove(this);
            } else {
                connection.fireChannelRead(bytes);
            }
        }
    }
}
