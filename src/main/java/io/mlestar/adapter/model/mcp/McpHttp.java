package io.mlestar.adapter.model.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.ProxyRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// An MCP server behind a streamable HTTP endpoint. It answers each request by JSON or by
/// server-sent events. Redirects are not followed, so that the headers go to no other server.
final class McpHttp extends BoundedTransport {
    /// The limit of one answer.
    private static final int MOST_BYTES = 16 << 20;
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final String DATA = "data:";
    private static final String SESSION = "Mcp-Session-Id";

    private final HttpClient client;
    private final URI url;
    private final Map<String, String> headers;
    private final Optional<ProxyRules.ProxyServer> proxy;
    private volatile Optional<String> session = Optional.empty();

    /// @param headers sent with each request
    McpHttp(URI url, Map<String, String> headers, ProxyRules proxies) {
        this.url = url;
        this.headers = headers;
        this.proxy = proxies.of(url);
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .proxy(proxies.selector())
                .build();
    }

    /// Waits for the answer; interrupted when it takes too long.
    @Override
    void send(String message, CompletableFuture<JsonNode> answer) throws IOException {
        HttpResponse<Stream<String>> response =
                sent(request().header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .POST(BodyPublishers.ofString(message))
                        .build());
        try (Stream<String> lines = response.body()) {
            if (response.statusCode() / 100 != 2) {
                throw new IOException("it answered with status " + response.statusCode());
            }
            session = response.headers().firstValue(SESSION).or(() -> session);
            if (answer.isDone()) {
                return;
            }
            if (response.headers()
                    .firstValue("Content-Type")
                    .orElse("")
                    .startsWith("text/event-stream")) {
                untilAnswered(lines, answer);
            } else {
                received(Json.parse(lines.collect(Collectors.joining("\n"))));
            }
        } catch (UncheckedIOException | Invalid e) {
            throw new IOException("its answer cannot be read: " + e.getMessage());
        }
        answer.completeExceptionally(new IOException("it did not answer the request"));
    }

    /// Each event is a message on one line; a server may leave the stream open after the answer.
    private void untilAnswered(Stream<String> lines, CompletableFuture<JsonNode> answer) {
        Iterator<String> events = lines.filter(line -> line.startsWith(DATA)).iterator();
        while (!answer.isDone() && events.hasNext()) {
            received(Json.parse(events.next().substring(DATA.length())));
        }
    }

    private HttpResponse<Stream<String>> sent(HttpRequest request) throws IOException {
        try {
            return client.send(request, BodyHandlers.limiting(BodyHandlers.ofLines(), MOST_BYTES));
        } catch (IOException e) {
            throw proxy.isEmpty()
                    ? e
                    : new IOException("there is no way through " + proxy.get() + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("it did not answer in time");
        }
    }

    private HttpRequest.Builder request() {
        HttpRequest.Builder request = HttpRequest.newBuilder(url);
        headers.forEach(request::header);
        proxy.flatMap(ProxyRules.ProxyServer::authorization)
                .ifPresent(known -> request.header("Proxy-Authorization", known));
        session.ifPresent(id -> request.header(SESSION, id));
        Optional.ofNullable(revision)
                .ifPresent(version -> request.header("MCP-Protocol-Version", version));
        return request;
    }

    /// Ends the session on the server, without waiting for it.
    @Override
    public void close() {
        if (session.isEmpty()) {
            client.shutdownNow();
            return;
        }
        CompletableFuture<?> _ =
                CompletableFuture.supplyAsync(() -> request().timeout(CONNECT).DELETE().build())
                        .thenCompose(
                                request -> client.sendAsync(request, BodyHandlers.discarding()))
                        .whenComplete((response, failure) -> client.shutdownNow());
    }
}
