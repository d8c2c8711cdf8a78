package io.mlestar.adapter.model.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.mcp.client.McpCallContext;
import dev.langchain4j.mcp.client.transport.McpOperationHandler;
import dev.langchain4j.mcp.client.transport.McpTransport;
import dev.langchain4j.mcp.protocol.McpCallToolParams;
import dev.langchain4j.mcp.protocol.McpCallToolRequest;
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
import io.mlestar.core.base.Json;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The connection to an MCP server under LangChain4j's client. The library's own transports hold
/// none of the bounds: they give a started server all variables of this program, leave its children
/// behind, read answers of any size and know no proxy of the environment.
@RegisterForReflection(targets = {McpCallToolParams.class, McpCallToolRequest.class,
    McpClientMessage.class, McpClientMethod.class, McpClientNotification.class,
    McpClientParams.class, McpClientRequest.class, McpClientResponse.class, McpImplementation.class,
    McpInitializationNotification.class, McpInitializeParams.class, McpInitializeRequest.class,
    McpJsonRpcMessage.class, McpListToolsParams.class, McpListToolsRequest.class,
    McpPingResponse.class, McpRootsListResponse.class})
abstract class BoundedTransport implements McpTransport {
    /// The key under which a tool's metadata holds the schema of its parameters.
    static final String SCHEMA = "schema";

    private static final ObjectMapper OBJECT_MAPPER = new ObjectMapper();
    private static final int MOST_PAGES = 100;

    private final CompletableFuture<JsonNode> end = new CompletableFuture<>();
    private final AtomicInteger pages = new AtomicInteger();
    /// The revision of the protocol that the server chose.
    volatile @Nullable String revision;
    private @Nullable McpOperationHandler handler;

    /// Sends a message, and may wait for the answer.
    ///
    /// @param answer completed by what is [#received]; is completed already if none is expected
    abstract void send(String message, CompletableFuture<JsonNode> answer) throws IOException;

    @Override
    public abstract void close();

    @Override
    public void start(McpOperationHandler messages) {
        handler = messages;
    }

    @Override
    public final CompletableFuture<JsonNode> initialize(McpInitializeRequest request) {
        return executeOperationWithResponse(request).thenApply(answer -> {
            revision = answer.at("/result/protocolVersion").textValue();
            executeOperationWithoutResponse(new McpInitializationNotification());
            return answer;
        });
    }

    @Override
    public final CompletableFuture<JsonNode> executeOperationWithResponse(
            McpClientMessage request) {
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        Objects.requireNonNull(handler).startOperation(request.getId(), answer);
        try {
            send(OBJECT_MAPPER.writeValueAsString(request), answer);
        } catch (IOException e) {
            answer.completeExceptionally(e);
        }
        return end.applyToEither(answer, message -> checked(request, message));
    }

    private JsonNode checked(McpClientMessage request, JsonNode answer) {
        if (answer.hasNonNull("error")) {
            throw new IllegalStateException(
                    "it answered with an error: " + answer.at("/error/message").asText());
        }
        if (request instanceof McpListToolsRequest) {
            if (pages.incrementAndGet() > MOST_PAGES) {
                throw new IllegalStateException("it lists tools without end");
            }
            answer.at("/result/tools").forEach(tool -> hideSchema((ObjectNode) tool));
        }
        return answer;
    }

    /// The library drops keywords such as `minimum` or `oneOf`, and loses all tools by one schema
    /// that it cannot read.
    private static void hideSchema(ObjectNode tool) {
        JsonNode schema = tool.path("inputSchema");
        tool.put("name", tool.path("name").asText()).retain("name", "description");
        tool.putObject("inputSchema").put("type", "object");
        tool.putObject("_meta").set(SCHEMA, schema.isObject() ? schema : Json.object());
    }

    @Override
    public final void executeOperationWithoutResponse(McpClientMessage message) {
        try {
            send(OBJECT_MAPPER.writeValueAsString(message),
                    CompletableFuture.completedFuture(Json.object()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public final CompletableFuture<JsonNode> executeOperationWithResponse(McpCallContext context) {
        return executeOperationWithResponse(context.message());
    }

    @Override
    public final void executeOperationWithoutResponse(McpCallContext context) {
        executeOperationWithoutResponse(context.message());
    }

    @Override
    public final void checkHealth() {}

    /// Nothing is tried again: the connection lasts for one agent call.
    @Override
    public final void onFailure(Runnable actionOnFailure) {}

    /// Takes a message from the server.
    final void received(JsonNode message) {
        Objects.requireNonNull(handler).handle(message);
    }

    /// No answer will come any more.
    final void ended(String why) {
        end.completeExceptionally(new IOException(why));
    }
}
