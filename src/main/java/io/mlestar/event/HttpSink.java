package io.mlestar.event;

import io.mlestar.task.Json;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Posts events to an address: the broker's (`K_SINK`), or a function's.
public final class HttpSink implements Publisher {
    private static final int CONNECTIONS = 128;
    private static final int CONNECT_MILLIS = 10_000;

    private final HttpClient client;
    private final URI address;
    private final Duration timeout;

    /// @param timeout for the whole request; the receiver may work that long before it answers
    public HttpSink(HttpClient client, URI address, Duration timeout) {
        this.client = client;
        this.address = address;
        this.timeout = timeout;
    }

    /// One client for many sinks.
    public static HttpClient client(Vertx vertx) {
        return vertx.createHttpClient(
                new HttpClientOptions().setConnectTimeout(CONNECT_MILLIS), new PoolOptions().setHttp1MaxSize(CONNECTIONS));
    }

    @Override
    public void publish(Event event) {
        int status;
        try {
            status = post(event);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerUnavailable("interrupted while sending to " + address, e);
        } catch (IOException e) {
            throw new BrokerUnavailable("cannot send to " + address + ": " + e.getMessage(), e);
        }
        if (status / 100 != 2) {
            throw new BrokerUnavailable(address + " answered " + status, null);
        }
    }

    /// Sends the event and returns the HTTP status.
    int post(Event event) throws IOException, InterruptedException {
        RequestOptions options = new RequestOptions().setMethod(HttpMethod.POST).setAbsoluteURI(address.toString());
        event.headers().forEach(options::putHeader);
        CompletableFuture<Integer> status = client.request(options)
                .compose(request -> request.send(Buffer.buffer(Json.bytes(event.data()))))
                .map(HttpClientResponse::statusCode).toCompletionStage().toCompletableFuture();
        try {
            return status.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + timeout.toSeconds() + " s", e);
        }
    }
}
