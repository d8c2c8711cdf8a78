package io.mlestar.adapter.model;

import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import io.mlestar.adapter.model.CallFailure.FailureKind;
import io.mlestar.adapter.model.ModelCatalogue.ModelEntry;
import io.mlestar.adapter.model.provider.ModelProvider.RequestExtras;
import io.mlestar.adapter.model.provider.ModelProvider;
import io.mlestar.adapter.model.provider.ProviderProfile;
import io.mlestar.adapter.model.provider.RequestPart;
import io.mlestar.adapter.model.provider.Tokens;
import io.mlestar.core.base.ProxyRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The HTTP client under the providers' clients. For each call it adds the headers that name the
/// caller, enforces the time limit, and records the pause that the server asks for and what went
/// wrong.
final class MeteredHttpClient implements HttpClient {
    /// The call that is being made on this thread.
    static final ScopedValue<ModelCall> CALL = ScopedValue.newInstance();

    private static final Duration CONNECT = Duration.ofSeconds(10);
    /// The most bytes of an answer, a hundred times the longest one of a model.
    private static final long LONGEST_ANSWER = 16 << 20;

    /// One request with its retries.
    static final class ModelCall {
        private final Map<String, String> headers;
        private final Instant end;
        private final InstantSource clock;
        private final RequestExtras extras;
        private final LearnedProfile server;
        private Optional<Duration> retryAfter = Optional.empty();
        private long inputTokens;
        private int requestBytes;
        private int answerBytes;
        /// Set by the client's own threads.
        private volatile boolean sent;
        private int status;
        private @Nullable CallFailure failure;
        private Optional<RequestPart> refused = Optional.empty();

        /// @param headers sent along
        /// @param end deadline of the answer
        /// @param extras what the client does not write
        /// @param server that is asked
        ModelCall(
                Map<String, String> headers,
                Instant end,
                InstantSource clock,
                RequestExtras extras,
                LearnedProfile server) {
            this.headers = headers;
            this.end = end;
            this.clock = clock;
            this.extras = extras;
            this.server = server;
        }

        /// Time until the deadline; not positive after it.
        Duration left() {
            return Duration.between(clock.instant(), end);
        }

        /// The pause that the last refusal asked for.
        Optional<Duration> retryAfter() {
            return retryAfter;
        }

        /// An estimate.
        long inputTokens() {
            return inputTokens;
        }

        /// The most tokens that the last request and its answer can have had: each has a byte or
        /// more. What a model thinks unseen is bounded by the limit of an answer alone.
        ///
        /// @param mostOutputTokens that limit; null if there is none
        Tokens most(@Nullable Integer mostOutputTokens) {
            return new Tokens(requestBytes,
                    Math.max(answerBytes, mostOutputTokens == null ? 0 : mostOutputTokens), 0, 0);
        }

        /// The reason why the last attempt failed; if this client saw no failure, the provider's
        /// client could not read the answer.
        CallFailure failure(RuntimeException e) {
            return failure != null ? failure : CallFailure.unreadable(e);
        }

        /// The part of the last request for which the server refused it, if an answer can do
        /// without that part.
        Optional<RequestPart> refused() {
            return refused;
        }

        /// Leaves out what the last request was refused for, if the same question can be sent
        /// without it.
        ///
        /// @param said the refusal
        boolean goesOnWithout(String said) {
            Optional<RequestPart> part = refused.filter(RequestPart::isOfBody);
            part.ifPresent(named -> server.goOnWithout(named, said));
            return part.isPresent() && !server.now().takes(part.get());
        }

        /// True if the provider may bill the last, failed attempt: it had the request, and did not
        /// refuse it.
        boolean isPerhapsBilled() {
            return sent && (status == 0 || status / 100 == 2)
                    && (failure == null || failure.kind() != FailureKind.FOREIGN);
        }

        private void begin(String body) {
            inputTokens = ModelRequest.tokens(body);
            requestBytes = bytes(body);
            answerBytes = 0;
            retryAfter = Optional.empty();
            sent = false;
            status = 0;
            failure = null;
            refused = Optional.empty();
        }
    }

    private final java.net.http.HttpClient client;
    private final ProxyRules proxies;
    private final ModelEntry asked;
    private final ModelProvider protocol;

    private MeteredHttpClient(ModelEntry asked, ModelProvider protocol, ProxyRules proxies) {
        this.asked = asked;
        this.protocol = protocol;
        this.proxies = proxies;
        this.client = java.net.http.HttpClient.newBuilder()
                .version(java.net.http.HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .proxy(proxies.selector())
                .build();
    }

    /// @param asked whose client it is under
    static HttpClientBuilder builder(ModelEntry asked, ModelProvider protocol, ProxyRules proxies) {
        return new HttpClientBuilder() {
            @Override
            public Duration connectTimeout() {
                return CONNECT;
            }

            @Override
            public HttpClientBuilder connectTimeout(Duration timeout) {
                return this;
            }

            @Override
            public @Nullable Duration readTimeout() {
                return null;
            }

            @Override
            public HttpClientBuilder readTimeout(Duration timeout) {
                return this;
            }

            @Override
            public HttpClient build() {
                return new MeteredHttpClient(asked, protocol, proxies);
            }
        };
    }

    @Override
    public SuccessfulHttpResponse execute(HttpRequest request) {
        ModelCall call = CALL.get();
        URI address = URI.create(request.url());
        ProviderProfile profile = call.server.now();
        String written = request.body() == null
                ? ""
                : profile.fitted(protocol.body(request.body(), call.extras));
        call.begin(written);
        Duration left = call.left();
        if (!left.isPositive()) {
            call.failure = CallFailure.late(address, Duration.ZERO);
            throw new TimeoutException("no time is left");
        }
        java.net.http.HttpRequest.Builder sent =
                java.net.http.HttpRequest.newBuilder(address)
                        .method(request.method().name(), noticed(written, call));
        KeyedHeaders headers = new KeyedHeaders(request.headers());
        headers.addTo(sent, asked.endpoint().keyHeader());
        call.headers.forEach(sent::header);
        Optional<ProxyRules.ProxyServer> proxy = proxies.of(address);
        proxy.flatMap(ProxyRules.ProxyServer::authorization)
                .ifPresent(known -> sent.header("Proxy-Authorization", known));
        try {
            HttpResponse<String> response = send(sent.build(), left);
            call.answerBytes = bytes(response.body());
            AnswerBody body = AnswerBody.of(protocol, response.statusCode(), response.body());
            call.status = body.hasBegun() ? response.statusCode() : body.status();
            String clean = headers.withoutKey(body.text());
            Optional<CallFailure> failure =
                    CallFailure.of(asked, address, body.status(), clean);
            if (failure.isPresent()) {
                call.failure = failure.get();
                call.refused = call.failure.isRefusal()
                        ? profile.refusedPart(written, clean)
                        : Optional.empty();
                call.retryAfter =
                        RetryAfter.of(response.headers(), response.body(), call.clock.instant());
                throw new HttpException(body.status(), clean);
            }
            return SuccessfulHttpResponse.builder()
                    .statusCode(response.statusCode())
                    .headers(response.headers().map())
                    .body(body.text())
                    .build();
        } catch (java.util.concurrent.TimeoutException e) {
            call.failure = CallFailure.late(address, left);
            throw new TimeoutException(e);
        } catch (IOException e) {
            call.failure = CallFailure.of(asked, address, proxy, call.sent, e);
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a model answered", e);
        }
    }

    /// The client's own timeout ends with the head of the answer: a body may take for ever.
    private HttpResponse<String> send(java.net.http.HttpRequest request, Duration left)
            throws IOException, InterruptedException, java.util.concurrent.TimeoutException {
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(request, HttpResponse.BodyHandlers
                        .limiting(HttpResponse.BodyHandlers.ofString(), LONGEST_ANSWER));
        try {
            return answer.get(left.toMillis() + 1, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException broken
                    ? broken
                    : new IOException(e.getCause());
        } finally {
            answer.cancel(true);
        }
    }

    /// Is read only when there is a connection.
    private static BodyPublisher noticed(String body, ModelCall call) {
        if (body.isEmpty()) {
            return BodyPublishers.noBody();
        }
        BodyPublisher whole = BodyPublishers.ofString(body);
        return BodyPublishers.fromPublisher(subscriber -> {
            call.sent = true;
            whole.subscribe(subscriber);
        }, whole.contentLength());
    }

    @Override
    public void execute(
            HttpRequest request,
            ServerSentEventParser parser,
            ServerSentEventListener listener) {
        throw new UnsupportedOperationException("answers are not streamed");
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
