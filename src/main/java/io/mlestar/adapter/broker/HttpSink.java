package io.mlestar.adapter.broker;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Unavailable;
import io.mlestar.core.event.Event;
import io.mlestar.core.event.Publisher;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/// Posts events to an address: the broker's (`K_SINK`), or a function's.
public final class HttpSink implements Publisher {
    private static final int CONNECTIONS = 128;
    private static final int CONNECT_MILLIS = 10_000;
    /// Less than this program's servers keep an idle connection, so that no event is sent on one
    /// that is being closed.
    private static final int KEPT_SECONDS = 20;
    private static final int LONGEST_BODY = 1_000;
    /// A MiB, less what the attributes may need: a Kafka broker answers 503 to more
    /// (`max.request.size=1048576` of
    /// `data-plane/config/broker/100-config-kafka-broker-data-plane.yaml` in
    /// knative-extensions/eventing-kafka-broker).
    private static final int LARGEST_EVENT = 1_000_000;
    /// The file in which a SinkBinding puts the sender's token, if the cluster asks for one. It is
    /// renewed, so it is read each time.
    private static final Path TOKEN = Path.of("/oidc/token");

    private final HttpClient client;
    private final URI address;
    private final Duration timeout;
    private final Path token;

    /// @param timeout for the whole request; the receiver may work that long before it answers
    public HttpSink(HttpClient client, URI address, Duration timeout) {
        this(client, address, timeout, TOKEN);
    }

    HttpSink(HttpClient client, URI address, Duration timeout, Path token) {
        this.client = client;
        this.address = address;
        this.timeout = timeout;
        this.token = token;
    }

    /// @throws Invalid if `K_SINK` is set and no address that events can be posted to
    public static void check(Map<String, String> environment) {
        String sink = environment.getOrDefault("K_SINK", "");
        if (!sink.isBlank()
                && !sink.matches("https?://[A-Za-z0-9.-]+(:\\d{1,5})?([/?][\\w/?=&%.~-]*)?")) {
            throw new Invalid(
                    "K_SINK must be the address of a broker, http://HOST/PATH or https://HOST/PATH, but is \""
                            + sink + "\"");
        }
    }

    /// One client for many sinks.
    ///
    /// @param environment what a SinkBinding says of the broker's certificate: see [Trust]
    /// @throws Invalid if it cannot be read
    public static HttpClient client(Vertx vertx, Map<String, String> environment) {
        return client(vertx, Trust.of(environment, Trust.BUNDLES));
    }

    static HttpClient client(Vertx vertx, Optional<TrustOptions> trust) {
        HttpClientOptions options =
                new HttpClientOptions().setConnectTimeout(CONNECT_MILLIS)
                        .setKeepAliveTimeout(KEPT_SECONDS);
        trust.ifPresent(options::setTrustOptions);
        return vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(CONNECTIONS));
    }

    /// @throws Invalid if the event is larger than a broker takes: sending it again would change
    ///   nothing
    @Override
    public void publish(Event event) {
        byte[] body = Json.bytes(event.data());
        if (body.length > LARGEST_EVENT) {
            throw new Invalid("event " + event.id() + " (" + event.type() + ") has " + body.length
                    + " bytes of data; brokers take at most "
                    + LARGEST_EVENT + ", so what is large must lie in the store");
        }
        int status;
        try {
            status = post(event, body, identity()).status();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("interrupted while sending to " + address, e);
        } catch (IOException e) {
            throw new Unavailable("cannot send to " + address + ": " + e.getMessage(), e);
        }
        if (status / 100 != 2) {
            throw new Unavailable(address + " answered " + status);
        }
    }

    private Map<String, String> identity() throws IOException {
        return Files.exists(token)
                ? Map.of("Authorization", "Bearer " + Files.readString(token).strip())
                : Map.of();
    }

    /// @param body the beginning of what was said
    record Response(int status, String body) {}

    /// Sends the event, with more headers.
    Response post(Event event, Map<String, String> extensions)
            throws IOException, InterruptedException {
        return post(event, Json.bytes(event.data()), extensions);
    }

    private Response post(Event event, byte[] body, Map<String, String> extensions)
            throws IOException, InterruptedException {
        RequestOptions options =
                new RequestOptions().setMethod(HttpMethod.POST).setAbsoluteURI(address.toString());
        event.headers().forEach(options::putHeader);
        extensions.forEach(options::putHeader);
        AtomicReference<HttpClientRequest> sent = new AtomicReference<>();
        CompletableFuture<Response> answer = client.request(options).compose(request -> {
            sent.set(request);
            // The answer is asked for before anything is sent: the body of one that is already over
            // would never come.
            Future<Response> said = request.response().compose(HttpSink::answer);
            request.end(Buffer.buffer(body));
            return said;
        }).toCompletionStage().toCompletableFuture();
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNull(e.getCause());
            throw new IOException(Objects.requireNonNullElse(cause.getMessage(), cause.toString()),
                    cause);
        } catch (TimeoutException e) {
            // Frees the connection.
            if (sent.get() != null) {
                sent.get().reset();
            }
            throw new IOException("no answer within " + timeout.toSeconds() + " s", e);
        }
    }

    /// The body matters only for errors.
    private static Future<Response> answer(HttpClientResponse response) {
        int status = response.statusCode();
        return status / 100 == 2
                ? Future.succeededFuture(new Response(status, ""))
                : response.body()
                        .map(body -> new Response(status,
                                body.getString(0, Math.min(body.length(), LONGEST_BODY))));
    }
}
