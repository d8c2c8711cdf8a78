package io.mlestar.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import io.mlestar.task.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/// The HTTP under the providers' clients. Knows for each call what they do not: the headers that say whose call it is, how long
/// it may take, and what `retry-after` said.
final class Exchange implements HttpClient {
    /// The call that is being made on this thread.
    static final ScopedValue<Call> CALL = ScopedValue.newInstance();

    private static final Set<String> KEY_HEADERS = Set.of("x-api-key", "authorization");

    static final class Call {
        private final Map<String, String> headers;
        private final Duration timeout;
        private final List<JsonNode> said;
        private OptionalDouble retryAfterSeconds = OptionalDouble.empty();

        /// @param headers sent along
        /// @param said contents of the model's messages so far as they came, to be sent back so; empty leaves that to the client
        Call(Map<String, String> headers, Duration timeout, List<JsonNode> said) {
            this.headers = headers;
            this.timeout = timeout;
            this.said = said;
        }

        /// What the last refusal asked for.
        OptionalDouble retryAfterSeconds() {
            return retryAfterSeconds;
        }
    }

    private final java.net.http.HttpClient client;

    private Exchange(java.net.http.HttpClient client) {
        this.client = client;
    }

    static HttpClientBuilder builder() {
        return new HttpClientBuilder() {
            @Override
            public Duration connectTimeout() {
                return Duration.ofSeconds(10);
            }

            @Override
            public HttpClientBuilder connectTimeout(Duration timeout) {
                return this;
            }

            @Override
            public Duration readTimeout() {
                return null;
            }

            @Override
            public HttpClientBuilder readTimeout(Duration timeout) {
                return this;
            }

            @Override
            public HttpClient build() {
                return new Exchange(java.net.http.HttpClient.newBuilder().version(java.net.http.HttpClient.Version.HTTP_1_1)
                        .connectTimeout(connectTimeout()).build());
            }
        };
    }

    @Override
    public SuccessfulHttpResponse execute(HttpRequest request) {
        Call call = CALL.get();
        java.net.http.HttpRequest.Builder sent = java.net.http.HttpRequest.newBuilder(URI.create(request.url())).timeout(call.timeout)
                .method(request.method().name(), request.body() == null ? java.net.http.HttpRequest.BodyPublishers.noBody()
                        : java.net.http.HttpRequest.BodyPublishers.ofString(verbatim(request.body(), call.said)));
        request.headers().forEach((name, values) -> values.forEach(value -> sent.header(name, value)));
        call.headers.forEach(sent::header);
        try {
            HttpResponse<String> response = client.send(sent.build(), HttpResponse.BodyHandlers.ofString());
            call.retryAfterSeconds = seconds(response.headers().firstValue("retry-after"));
            if (response.statusCode() / 100 != 2) {
                throw new HttpException(response.statusCode(), withoutKey(response.body(), request));
            }
            return SuccessfulHttpResponse.builder().statusCode(response.statusCode()).headers(response.headers().map())
                    .body(response.body()).build();
        } catch (HttpTimeoutException e) {
            throw new dev.langchain4j.exception.TimeoutException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a model answered", e);
        }
    }

    @Override
    public void execute(HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
        throw new UnsupportedOperationException("answers are not streamed");
    }

    /// Anthropic wants the thoughts of a model back unchanged with the results of its tools, but its client forgets or joins them.
    private static String verbatim(String body, List<JsonNode> said) {
        if (said.isEmpty()) {
            return body;
        }
        JsonNode tree = Json.parse(body);
        Iterator<JsonNode> next = said.iterator();
        for (JsonNode message : tree.path("messages")) {
            if (message.path("role").asText().equals("assistant") && next.hasNext()) {
                ((ObjectNode) message).set("content", next.next());
            }
        }
        return tree.toString();
    }

    /// Errors are logged and stored, and a server may say back what it was told.
    private static String withoutKey(String body, HttpRequest request) {
        String clean = body;
        for (Map.Entry<String, List<String>> header : request.headers().entrySet()) {
            if (KEY_HEADERS.contains(header.getKey().toLowerCase(Locale.ROOT))) {
                for (String value : header.getValue()) {
                    clean = clean.replace(value.replaceFirst("(?i)^bearer +", ""), "[key]");
                }
            }
        }
        return clean;
    }

    private static OptionalDouble seconds(Optional<String> retryAfter) {
        try {
            return retryAfter.map(text -> OptionalDouble.of(Double.parseDouble(text))).orElse(OptionalDouble.empty());
        } catch (NumberFormatException e) {
            // A date is allowed too; our own backoff serves as well.
            return OptionalDouble.empty();
        }
    }
}
