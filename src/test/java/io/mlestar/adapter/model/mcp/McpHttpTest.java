package io.mlestar.adapter.model.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import io.mlestar.LocalServer;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.tool.ExternalTools;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.adapter.tool.ToolRefused;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.PipelineConfig;
import module java.base;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// MCP over HTTP, against a server that answers by JSON, by events, badly, or never.
@Timeout(300)
class McpHttpTest {
    private static final Duration AMPLE = Waiting.MOST;

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final CompletableFuture<String> deleted = new CompletableFuture<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private LocalServer server;

    @BeforeEach
    void start() throws IOException {
        server = LocalServer.start(this::answer);
    }

    @AfterEach
    void stop() {
        over.countDown();
        server.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        if (exchange.getRequestMethod().equals("DELETE")) {
            deleted.complete(exchange.getRequestHeaders().getFirst("Mcp-Session-Id"));
            exchange.sendResponseHeaders(200, -1);
            return;
        }
        JsonNode request = Json.parse(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String method = request.path("method").asText();
        seen.add(method + " " + exchange.getRequestHeaders().getFirst("Authorization") + " "
                + exchange.getRequestHeaders().getFirst("Mcp-Session-Id") + " "
                + exchange.getRequestHeaders().getFirst("Mcp-Protocol-Version"));
        String way = exchange.getRequestURI().getPath().substring(1);
        if (!request.has("id")) {
            exchange.sendResponseHeaders(202, -1);
            return;
        }
        String result = switch (method) {
            case "initialize" ->
                """
                        {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "h", "version": "1"}}""";
            case "tools/list" ->
                """
                        {"tools": [{"name": "hello", "inputSchema": {"type": "object", "properties": {}}}]}""";
            default ->
                """
                        {"content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]}""";
        };
        String message = """
                {"jsonrpc": "2.0", "id": %s, "result": %s}""".formatted(request.path("id"), result);
        exchange.getResponseHeaders().add("Mcp-Session-Id", "s-1");
        switch (way) {
            case "json" -> send(exchange, 200, "application/json", message);
            case "events" -> send(exchange, 200, "text/event-stream", "id: 1\n\n: nothing\n"
                    + "data: {\"jsonrpc\": \"2.0\", \"method\": \"notifications/message\", \"params\": {\"level\": \"info\", \"data\": \"x\"}}\n\n"
                    + "event: message\r\ndata: " + message + "\r\n\r\n");
            case "busy" -> send(exchange, 503, "application/json", message);
            case "moved" -> {
                exchange.getResponseHeaders().add("Location", "/json");
                send(exchange, 307, "text/plain", "");
            }
            case "html" -> send(exchange, 200, "text/html", "<html>");
            case "silent" -> send(exchange, 200, "text/event-stream",
                    "data: {\"jsonrpc\": \"2.0\", \"id\": 99, \"result\": {}}\n\n");
            case "endless" -> endless(exchange);
            default -> waiting();
        }
    }

    private void waiting() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static void endless(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream body = exchange.getResponseBody()) {
            while (true) {
                body.write(new byte[100_000]);
            }
        }
    }

    private static PipelineConfig config(String server) {
        return PipelineConfig.resolve(Json.parse("{\"mcp_servers\": {\"far\": " + server + "}}"), Map.of());
    }

    /// A server that is shown a secret.
    private PipelineConfig config(int port, String way) {
        return config("""
                {"url": "http://127.0.0.1:%d/%s", "headers": {"Authorization": "Bearer ${MCP_TOKEN}"}}"""
                .formatted(port, way));
    }

    private ExternalTools.ConnectedTools open(String way, Duration patience) {
        PipelineConfig config = config(server.port(), way);
        assertThat(Json.text(config)).doesNotContain("very-secret");
        return new McpServers(Map.of("MCP_TOKEN", "very-secret"), patience, AMPLE, false).open(config, AgentType.TEST,
                () -> AMPLE);
    }

    /// The number of tools that an agent gets where strangers write configurations.
    private static int toolsForStrangers(PipelineConfig config, Map<String, String> environment) {
        try (ExternalTools.ConnectedTools opened =
                new McpServers(environment, true).open(config, AgentType.TEST, () -> AMPLE)) {
            return opened.tools().size();
        }
    }

    @ParameterizedTest
    @CsvSource({"json", "events"})
    @Requirement("REQ-OR-010")
    void aServerAnswersByJsonOrByEvents(String way) {
        try (ExternalTools.ConnectedTools opened = open(way, AMPLE)) {
            assertThat(opened.tools()).extracting(Tool::name).containsExactly("mcp__far__hello");
            assertThat(opened.tools().getFirst().call(Json.object())).isEqualTo("one\ntwo");
            assertThatExceptionOfType(ToolRefused.class)
                    .isThrownBy(() -> opened.tools().getFirst().call(Json.tree("x")));
        }
        assertThat(seen).containsExactly("initialize Bearer very-secret null null",
                "notifications/initialized Bearer very-secret s-1 2025-06-18",
                "tools/list Bearer very-secret s-1 2025-06-18",
                "tools/call Bearer very-secret s-1 2025-06-18");
        assertThat(deleted).succeedsWithin(AMPLE).isEqualTo("s-1");
    }

    @ParameterizedTest
    @CsvSource({"busy", "moved", "html", "silent", "endless"})
    @Requirement("REQ-OR-010")
    void aServerThatDoesNotWorkIsLeftOut(String way) {
        try (ExternalTools.ConnectedTools opened = open(way, AMPLE)) {
            assertThat(opened.tools()).isEmpty();
        }
        Waiting.until("it was asked once", () -> seen.size() == 1);
    }

    /// A machine may be so busy that the patience is over before the server is asked: then there is
    /// more of it.
    @Test
    @Requirement("REQ-OR-010")
    void aServerThatNeverAnswersIsLeftOut() {
        for (Duration patience = Duration.ofMillis(200); seen.isEmpty(); patience = patience.multipliedBy(2)) {
            try (ExternalTools.ConnectedTools opened = open("never", patience)) {
                assertThat(opened.tools()).isEmpty();
            }
        }
        assertThat(seen).allMatch(request -> request.startsWith("initialize "));
    }

    @ParameterizedTest
    @CsvSource({"json, true", "other, false"})
    void whereStrangersWriteConfigurationsOnlyNamedAddressesLearnASecret(String named, boolean used) {
        Map<String, String> environment =
                Map.of("MCP_TOKEN", "very-secret", "MLE_STAR_MCP_URLS", server.address() + "/" + named);
        assertThat(toolsForStrangers(config(server.port(), "json"), environment)).isEqualTo(used ? 1 : 0);
        assertThat(seen).hasSize(used ? 3 : 0);
    }

    @Test
    void whereStrangersWriteConfigurationsOnlyPublicAddressesAreAsked() throws IOException {
        try (ServerSocket inside = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (String url : List.of("https://127.0.0.1:%d/mcp", "https://localhost:%d/mcp",
                    "https://[::ffff:127.0.0.1]:%d/mcp", "http://127.0.0.1:%d/mcp")) {
                String server = "{\"url\": \"" + url.formatted(inside.getLocalPort()) + "\"}";
                assertThat(toolsForStrangers(config(server), Map.of())).as(url).isZero();
            }
            inside.setSoTimeout(1);
            assertThatExceptionOfType(SocketTimeoutException.class).as("nothing connected").isThrownBy(inside::accept);
        }
    }

    @Test
    void whereStrangersWriteConfigurationsNoProgramIsStarted(@TempDir Path folder) {
        String server = "{\"command\": \"touch\", \"args\": [\"" + folder.resolve("planted") + "\"]}";
        assertThat(toolsForStrangers(config(server), Map.of())).isZero();
        assertThat(folder).isEmptyDirectory();
    }
}
