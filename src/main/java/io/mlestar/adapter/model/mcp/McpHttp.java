package io.mlestar.adapter.model.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.ProxyRules;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// An MCP server behind a streamable HTTP endpoint. It answers each request by JSON or by server-sent events. Redirects are not
/// followed, so that the headers go to no other server.
final class McpHttp extends McpConnection {
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final String SESSION = "Mcp-Session-Id";

    private final HttpClient client;
    private final URI url;
    private final Map<String, String> headers;
    private final Optional<ProxyRules.ProxyServer> proxy;
    private volatile Optional<String> session = Optional.empty();
    private volatile Optional<String> protocol = Optional.empty();

    /// @param headers sent with each request
    McpHttp(URI url, Map<String, String> headers, ProxyRules proxies) {
        this.url = url;
        this.headers = headers;
        this.proxy = proxies.of(url);
        this.client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(5)).proxy(proxies.selector()).build();
    }

    @Override
    void agreed(@Nullable String revision) {
        protocol = Optional.ofNullable(revision);
    }

    /// Waits for the answer; interrupted when it takes too long.
    @Override
    void send(String message, CompletableFuture<JsonNode> answer) throws IOException {
        HttpRequest request = request().header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream").POST(BodyPublishers.ofString(message)).build();
        try {
            HttpResponse<InputStream> response = sent(request);
            try (InputStream body = new BufferedInputStream(response.body())) {
                if (response.statusCode() / 100 != 2) {
                    throw new IOException("it answered with status " + response.statusCode());
                }
                session = response.headers().firstValue(SESSION).or(() -> session);
                if (!answer.isDone()) {
                    read(body, response.headers().firstValue("Content-Type").orElse(""), answer);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("it did not answer in time");
        }
    }

    private HttpResponse<InputStream> sent(HttpRequest request) throws IOException, InterruptedException {
        try {
            return client.send(request, BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw proxy.isEmpty() ? e : new IOException("there is no way through " + proxy.get() + ": " + e, e);
        }
    }

    private HttpRequest.Builder request() {
        HttpRequest.Builder request = HttpRequest.newBuilder(url).timeout(LONGEST);
        headers.forEach(request::header);
        proxy.flatMap(ProxyRules.ProxyServer::authorization).ifPresent(known -> request.header("Proxy-Authorization", known));
        session.ifPresent(id -> request.header(SESSION, id));
        protocol.ifPresent(version -> request.header("MCP-Protocol-Version", version));
        return request;
    }

    private void read(InputStream body, String type, CompletableFuture<JsonNode> answer) throws IOException {
        if (type.startsWith("text/event-stream")) {
            events(body, answer);
        } else {
            byte[] bytes = body.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw tooLong();
            }
            received(new String(bytes, StandardCharsets.UTF_8));
        }
        if (!answer.isDone()) {
            throw new IOException("it did not answer the request");
        }
    }

    /// Reads events until one of them is the answer.
    private void events(InputStream body, CompletableFuture<JsonNode> answer) throws IOException {
        StringBuilder data = new StringBuilder();
        for (String line = line(body); line != null && !answer.isDone(); line = line(body)) {
            if (line.startsWith("data:")) {
                data.append(line, "data:".length(), line.length()).append('\n');
                if (data.length() > MOST_BYTES) {
                    throw tooLong();
                }
            } else if (line.isEmpty() && !data.isEmpty()) {
                received(data.toString());
                data.setLength(0);
            }
        }
    }

    /// Ends the session on the server, without waiting for it.
    @Override
    public void close() {
        Thread.startVirtualThread(() -> {
            try {
                if (session.isPresent()) {
                    client.send(request().timeout(Duration.ofSeconds(5)).DELETE().build(), BodyHandlers.discarding());
                }
            } catch (IOException | InterruptedException | IllegalArgumentException e) {
                // The server ends it in its own time.
            } finally {
                client.shutdownNow();
            }
        });
    }
}
