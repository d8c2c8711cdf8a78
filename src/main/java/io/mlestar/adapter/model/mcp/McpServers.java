package io.mlestar.adapter.model.mcp;

import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpClient;
import io.mlestar.adapter.tool.ExternalTools;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.adapter.tool.Web;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.ProxyRules;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.McpServer;
import io.mlestar.core.task.PipelineConfig;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/// Connects an agent call to the MCP servers that the configuration names (REQ-OR-010), all at
/// once. A slow or broken server is logged, left out of this call, and not tried again for a while.
public final class McpServers implements ExternalTools {
    private static final Logger LOG = Logger.getLogger("mle_star.mcp");
    private static final int LONGEST_REASON = 500;

    private final Map<String, String> environment;
    private final Duration patience;
    private final Duration rest;
    private final boolean untrustedConfig;
    private final Map<McpServer, Instant> resting = new ConcurrentHashMap<>();

    /// @param environment fills the references in the servers' configuration
    /// @param untrustedConfig whether others than the operator may have written a configuration:
    ///   then each server passes [McpServer#checkUntrusted], and one that the operator has not
    ///   named has a public address
    public McpServers(Map<String, String> environment, boolean untrustedConfig) {
        this(environment, Duration.ofSeconds(10), Duration.ofMinutes(2), untrustedConfig);
    }

    /// @param patience for a server to say what tools it has
    /// @param rest how long a server that failed is not tried again
    public McpServers(
            Map<String, String> environment,
            Duration patience,
            Duration rest,
            boolean untrustedConfig) {
        this.environment = environment;
        this.patience = patience;
        this.rest = rest;
        this.untrustedConfig = untrustedConfig;
    }

    @Override
    public ConnectedTools open(PipelineConfig config, AgentType agent, Supplier<Duration> left) {
        Instant now = Instant.now();
        List<Connecting> connecting = new ArrayList<>();
        config.tools().mcpServers().forEach((name, server) -> {
            if (server.isFor(agent) && now.isAfter(resting.getOrDefault(server, Instant.MIN))) {
                connecting.add(connecting(name, server, left));
            }
        });
        Duration most = left.get().compareTo(patience) < 0 ? left.get() : patience;
        Instant end = now.plus(most);
        List<Tool> tools = connecting.stream().flatMap(one -> tools(one, end).stream()).toList();
        return new ConnectedTools(tools, () -> connecting.forEach(Connecting::close));
    }

    private List<Tool> tools(Connecting one, Instant end) {
        try {
            return within(Duration.between(Instant.now(), end), one.task);
        } catch (IOException e) {
            LOG.warnf("MCP server %s is not used: %s", one.name, e.getMessage());
            resting.put(one.server, Instant.now().plus(rest));
            return List.of();
        }
    }

    /// The result of a started task.
    ///
    /// @throws IOException saying in one line why there is nothing
    static <T> T within(Duration time, FutureTask<T> task) throws IOException {
        try {
            return task.get(Math.max(0, time.toMillis()), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("it did not answer in time", e);
        } catch (ExecutionException e) {
            throw new IOException(reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            task.cancel(true);
        }
    }

    static <T> FutureTask<T> started(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.startVirtualThread(task);
        return task;
    }

    /// The innermost reason, as one line: it may hold text of the server.
    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return line(
                cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage());
    }

    /// A text of a server, as a part of one line.
    static String line(String foreign) {
        return Excerpt.line(foreign, LONGEST_REASON).replaceAll("\\p{Cntrl}", "");
    }

    /// A server that is being connected.
    private record Connecting(
            String name,
            McpServer server,
            CompletableFuture<BoundedTransport> opened,
            FutureTask<List<Tool>> task) {
        /// Closes it as soon as it is open.
        void close() {
            CompletableFuture<?> _ = opened.thenAccept(BoundedTransport::close);
        }
    }

    private Connecting connecting(String name, McpServer server, Supplier<Duration> left) {
        CompletableFuture<BoundedTransport> opened = new CompletableFuture<>();
        return new Connecting(name, server, opened, started(() -> {
            BoundedTransport transport = opened(name, server);
            opened.complete(transport);
            McpClient client = DefaultMcpClient.builder()
                    .transport(transport)
                    .key(name)
                    .clientName("mlestar")
                    .autoHealthCheck(false)
                    .initializationTimeout(patience.multipliedBy(2))
                    .toolExecutionTimeout(Duration.ZERO)
                    .logHandler(message -> {})
                    .toolResultExtractor(McpTool::result)
                    .build();
            return McpTool.offered(name, client, left);
        }));
    }

    private BoundedTransport opened(String name, McpServer server) throws IOException {
        if (untrustedConfig) {
            server.checkUntrusted(name, environment);
            if (server.url() != null && !server.isNamed(environment)) {
                // The certificate holds the connection to this host, whatever its name leads to the
                // next time.
                Web.checkPublic(URI.create(server.url()).getHost());
            }
        }
        if (server.url() != null) {
            return new McpHttp(URI.create(filled(server.url())), filled(server.headers()),
                    ProxyRules.of(environment));
        }
        List<String> command =
                Stream.concat(Stream.of(server.command()), server.args().stream()).toList();
        return new McpProcess(command, filled(server.env()), environment);
    }

    private String filled(String text) {
        return McpServer.filled(text, environment);
    }

    private Map<String, String> filled(Map<String, String> texts) {
        return texts.entrySet()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> filled(entry.getValue())));
    }
}
