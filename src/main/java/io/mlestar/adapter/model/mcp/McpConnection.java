package io.mlestar.adapter.model.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A client's connection to an MCP server (modelcontextprotocol.io, revision 2025-06-18), for the use of tools only. Written by hand:
/// LangChain4j's client hands a started server the whole environment of this program, and reads answers of any size.
abstract class McpConnection implements AutoCloseable {
    /// The limit of one message of a server.
    static final int MOST_BYTES = 16 << 20;
    private static final String REVISION = "2025-06-18";
    private static final int MOST_PAGES = 100;
    private static final int UNKNOWN_METHOD = -32_601;

    private final Map<Long, CompletableFuture<JsonNode>> pending = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();

    /// Sends a message, and may wait for the answer.
    ///
    /// @param answer completed by what is [#received]; is completed already if none is expected
    abstract void send(String message, CompletableFuture<JsonNode> answer) throws IOException;

    /// @param revision of the protocol, as the server chose it
    void agreed(@Nullable String revision) {}

    @Override
    public abstract void close();

    final void initialize() throws IOException, InterruptedException {
        ObjectNode params = Json.object().put("protocolVersion", REVISION);
        params.putObject("capabilities");
        params.putObject("clientInfo").put("name", "mlestar").put("version", "1.0");
        agreed(request("initialize", params).path("protocolVersion").textValue());
        notice(Json.object().put("method", "notifications/initialized"));
    }

    final List<JsonNode> tools() throws IOException, InterruptedException {
        List<JsonNode> tools = new ArrayList<>();
        ObjectNode params = Json.object();
        for (int page = 0; page < MOST_PAGES; page++) {
            JsonNode listed = request("tools/list", params);
            listed.path("tools").forEach(tools::add);
            if (!listed.hasNonNull("nextCursor")) {
                return tools;
            }
            params.set("cursor", listed.get("nextCursor"));
        }
        throw new IOException("it lists tools without end");
    }

    /// The result of a tool, as text.
    ///
    /// @throws IOException if the server or the tool fails
    final String call(String tool, JsonNode arguments) throws IOException, InterruptedException {
        JsonNode result = request("tools/call", Json.object().put("name", tool).set("arguments", arguments));
        List<String> texts = new ArrayList<>();
        result.path("content").forEach(part -> texts.add(part.path("text").asText(part.at("/resource/text").asText("[" + part.path("type").asText() + "]"))));
        String text = texts.isEmpty() && result.has("structuredContent") ? Json.line(result.get("structuredContent")) : String.join("\n", texts);
        if (result.path("isError").asBoolean()) {
            throw new IOException(text);
        }
        return text;
    }

    private JsonNode request(String method, ObjectNode params) throws IOException, InterruptedException {
        long id = lastId.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        pending.put(id, answer);
        try {
            send(Json.line(Json.object().put("jsonrpc", "2.0").put("id", id).put("method", method).set("params", params)), answer);
            JsonNode message = answer.get();
            if (message.hasNonNull("error")) {
                throw new IOException("it answered with an error: " + message.path("error").path("message").asText());
            }
            return message.path("result");
        } catch (ExecutionException e) {
            throw new IOException(Objects.requireNonNull(e.getCause()).getMessage(), e);
        } finally {
            pending.remove(id);
        }
    }

    /// Sends a message that has no answer.
    private void notice(ObjectNode message) throws IOException {
        send(Json.line(message.put("jsonrpc", "2.0")), CompletableFuture.completedFuture(message));
    }

    /// Takes a message from the server. Of its own requests only a ping is answered; no other was offered.
    final void received(String message) throws IOException {
        JsonNode json;
        try {
            json = Json.parse(message);
        } catch (Invalid e) {
            throw new IOException("it sent something that is not JSON", e);
        }
        if (!json.isObject()) {
            throw new IOException("it sent something that is no message");
        }
        if (!json.has("method")) {
            CompletableFuture<JsonNode> answer = pending.get(json.path("id").asLong());
            if (answer != null) {
                answer.complete(json);
            }
        } else if (json.hasNonNull("id")) {
            ObjectNode reply = Json.object().set("id", json.get("id"));
            if (json.path("method").asText().equals("ping")) {
                reply.putObject("result");
            } else {
                reply.putObject("error").put("code", UNKNOWN_METHOD).put("message", "not supported");
            }
            notice(reply);
        }
    }

    /// No answer will come any more.
    final void ended(String why) {
        pending.values().forEach(answer -> answer.completeExceptionally(new IOException(why)));
    }

    /// The next line; null at the end.
    static @Nullable String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = in.read();
        if (next < 0) {
            return null;
        }
        for (; next >= 0 && next != '\n'; next = in.read()) {
            if (line.size() == MOST_BYTES) {
                throw tooLong();
            }
            line.write(next);
        }
        String text = line.toString(StandardCharsets.UTF_8);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    static IOException tooLong() {
        return new IOException("it sent a message of more than " + MOST_BYTES + " bytes");
    }
}
