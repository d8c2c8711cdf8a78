package io.mlestar.adapter.model.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.mcp.client.McpCallContext;
import dev.langchain4j.mcp.client.transport.McpOperationHandler;
import dev.langchain4j.mcp.client.transport.McpTransport;
import dev.langchain4j.mcp.protocol.McpCallToolParams;
import dev.langchain4j.mcp.protocol.McpCallToolRequest;
import dev.langchain4j.mcp.protocol.McpCancellationNotification;
import dev.langchain4j.mcp.protocol.McpCancellationParams;
import dev.langchain4j.mcp.protocol.McpClientMessage;
import dev.langchain4j.mcp.protocol.McpClientMethod;
import dev.langchain4j.mcp.protocol.McpClientNotification;
import dev.langchain4j.mcp.protocol.McpClientParams;
import dev.langchain4j.mcp.protocol.McpClientRequest;
import dev.langchain4j.mcp.protocol.McpClientResponse;
import dev.langchain4j.mcp.protocol.McpImplementation;
import dev.langchain4j.mcp.protocol.McpInitializationNotification;
import dev.langchain4j.mcp.protocol.McpInitializeParams;
import dev.langchain4j.mcp.protocol.McpInitializeRequest;
import dev.langchain4j.mcp.protocol.McpJsonRpcMessage;
import dev.langchain4j.mcp.protocol.McpListToolsParams;
import dev.langchain4j.mcp.protocol.McpListToolsRequest;
import dev.langchain4j.mcp.protocol.McpPingResponse;
import dev.langchain4j.mcp.protocol.McpRootsListResponse;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The way to an MCP server, under LangChain4j's client. That client's own transports hand a started server our whole
/// environment and read answers of any size; these do not. A native image is told of the messages, with the classes above them.
@RegisterForReflection(targets = {
    McpJsonRpcMessage.class, McpClientMessage.class, McpClientRequest.class, McpClientNotification.class, McpClientResponse.class,
    McpClientParams.class,
    McpInitializeRequest.class, McpInitializeParams.class, McpInitializeParams.Capabilities.class,
    McpInitializeParams.Capabilities.Roots.class, McpImplementation.class, McpInitializationNotification.class,
    McpListToolsRequest.class, McpListToolsParams.class, McpCallToolRequest.class, McpCallToolParams.class, McpPingResponse.class,
    McpRootsListResponse.class, McpCancellationNotification.class, McpCancellationParams.class, McpClientMethod.class})
abstract class McpConnection implements McpTransport {
    /// One message of a server; more is read as a failure.
    static final int MOST_BYTES = 16 << 20;
    private static final ObjectMapper WIRE = new ObjectMapper();

    private final Set<CompletableFuture<JsonNode>> pending = ConcurrentHashMap.newKeySet();
    private @Nullable McpOperationHandler handler;

    /// Sends a message, and may wait for the answer.
    ///
    /// @param answer completed by what is [#received]
    abstract void send(String message, CompletableFuture<JsonNode> answer) throws IOException;

    /// The server has said how it will talk.
    ///
    /// @param result of the first request
    void agreed(JsonNode result) {}

    /// Takes a message from the server.
    final void received(String message) throws IOException {
        JsonNode json;
        try {
            json = WIRE.readTree(message);
        } catch (JsonProcessingException e) {
            throw new IOException("it sent something that is not JSON");
        }
        if (!json.isObject()) {
            throw new IOException("it sent something that is no message");
        }
        Objects.requireNonNull(handler).handle(json);
    }

    /// No answer will come any more.
    final void ended(String why) {
        pending.forEach(answer -> answer.completeExceptionally(new IOException(why)));
    }

    @Override
    public void start(McpOperationHandler operations) {
        handler = operations;
    }

    @Override
    public CompletableFuture<JsonNode> initialize(McpInitializeRequest request) {
        return executeOperationWithResponse(request).thenApply(answer -> {
            agreed(answer.path("result"));
            executeOperationWithoutResponse(new McpInitializationNotification());
            return answer;
        });
    }

    @Override
    @SuppressWarnings({"FutureReturnValueIgnored", "CollectionUndefinedEquality"})
    public CompletableFuture<JsonNode> executeOperationWithResponse(McpClientMessage request) {
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        pending.add(answer);
        answer.whenComplete((json, failure) -> pending.remove(answer));
        Objects.requireNonNull(handler).startOperation(request.getId(), answer);
        try {
            send(WIRE.writeValueAsString(request), answer);
        } catch (IOException e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    @Override
    public CompletableFuture<JsonNode> executeOperationWithResponse(McpCallContext request) {
        return executeOperationWithResponse(request.message());
    }

    @Override
    public void executeOperationWithoutResponse(McpClientMessage notice) {
        try {
            send(WIRE.writeValueAsString(notice), CompletableFuture.completedFuture(null));
        } catch (IOException e) {
            // Nobody waits for an answer to a notice; the next request fails and says why.
        }
    }

    @Override
    public void executeOperationWithoutResponse(McpCallContext notice) {
        executeOperationWithoutResponse(notice.message());
    }

    @Override
    public void checkHealth() {
        // A connection lives for one agent call.
    }

    @Override
    public void onFailure(Runnable reconnect) {
        // A connection that failed is not opened again within its agent call.
    }

    @Override
    public abstract void close();

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
