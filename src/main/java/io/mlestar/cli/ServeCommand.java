package io.mlestar.cli;

import io.mlestar.console.Logging;
import io.mlestar.program.CompositionRoot;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.PipelineConfig;
import io.mlestar.telemetry.Tracing;
import io.mlestar.web.AllowedHosts;
import io.mlestar.web.Token;
import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The functions and the broker as a server.
@Command(name = "serve", description = "Serve the functions and the embedded broker over HTTP.", mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
    private static final int LAST_PORT = 65_535;

    @Option(names = "--port", description = "port to listen on (default: 8080)")
    @Nullable
    Integer port;

    @Option(names = "--host", defaultValue = "127.0.0.1", description = "address to listen on (default: ${DEFAULT-VALUE})")
    String host;

    @Option(names = "--host-name", split = ",", paramLabel = "NAME",
            description = "a name by which browsers and programs reach this server; others than it and localhost are not answered")
    List<String> hostNames = List.of();

    @Option(names = "--model", paramLabel = "PROVIDER:NAME", description = "the model of runs that name none (default: MLE_STAR_MODEL, or sonnet)")
    @Nullable
    String model;

    @Mixin
    StoreOption store;

    @Override
    public Integer call() throws Exception {
        if (port != null && (port < 0 || port > LAST_PORT)) {
            throw new Invalid("--port must be from 0 to " + LAST_PORT + ", but is " + port);
        }
        CompositionRoot root = CompositionRoot.ofProcess();
        Tracing.check(root.environment());
        checkHost(host);
        store.checkKind();
        AllowedHosts.of(host, hostNames, false);
        Token.given(root.environment());
        PipelineConfig config = root.config(model == null ? Json.object() : Json.object().put("model", model));
        if (model != null) {
            root.models().get(config.model());
        }
        root.checkWall(config);
        Map<String, String> settings = Logging.settings(config, false);
        settings.putAll(Map.of(Server.HOST, host, Server.STORE, store.address, "mle.star.caretaker", "true"));
        if (model != null) {
            settings.put(Server.MODEL, model);
        }
        if (port != null) {
            settings.put(Server.PORT, port.toString());
        }
        if (!hostNames.isEmpty()) {
            settings.put("mle.star.host.names", String.join(",", hostNames));
        }
        Optional<Throwable> failed = Server.run(settings, null);
        return failed.isEmpty() ? 0 : refused(failed.get());
    }

    private static void checkHost(String host) {
        try {
            InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new Invalid("--host must be an address or a name of this machine, but is \"" + host + "\"");
        }
    }

    private static int refused(Throwable failure) throws Exception {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException) {
                System.err.println("mlestar: port " + ConfigProvider.getConfig().getValue(Server.PORT, String.class)
                        + " is in use; choose another with --port");
                return Mlestar.FAILED;
            }
        }
        throw failure instanceof Exception known ? known : new IllegalStateException("the server could not be started", failure);
    }
}
