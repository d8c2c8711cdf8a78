package io.mlestar.cli;

import io.mlestar.task.Json;
import io.mlestar.task.PipelineConfig;
import io.mlestar.telemetry.Tracing;
import io.mlestar.web.Hosts;
import io.mlestar.web.Token;
import io.quarkus.runtime.Quarkus;
import java.net.BindException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.microprofile.config.ConfigProvider;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The functions and the broker as a server.
@Command(name = "serve", description = "Serve the functions and the embedded broker over HTTP.", mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
    @Option(names = "--port", description = "port to listen on (default: 8080)")
    Integer port;

    @Option(names = "--host", defaultValue = "127.0.0.1", description = "address to listen on (default: ${DEFAULT-VALUE})")
    String host;

    @Option(names = "--host-name", split = ",", paramLabel = "NAME",
            description = "a name by which browsers and programs reach this server; others than it and localhost are not answered")
    List<String> hostNames = List.of();

    @Mixin
    StoreOption store;

    @Override
    public Integer call() throws Exception {
        Tracing.check(System.getenv());
        if (port != null) {
            System.setProperty("quarkus.http.port", port.toString());
        }
        System.setProperty("quarkus.http.host", host);
        Hosts.of(host, hostNames, false);
        Token.given(System.getenv());
        if (!hostNames.isEmpty()) {
            System.setProperty("mle.star.host.names", String.join(",", hostNames));
        }
        System.setProperty("mle.star.store", store.address);
        System.setProperty("mle.star.caretaker", "true");
        PipelineConfig config = PipelineConfig.resolve(Json.object(), System.getenv());
        Conduct.checkWall(config, System.getenv());
        Logging.configure(config, false);
        AtomicReference<Throwable> failed = new AtomicReference<>();
        Quarkus.run(null, (code, failure) -> failed.set(failure));
        return failed.get() == null ? 0 : refused(failed.get());
    }

    private static int refused(Throwable failure) throws Exception {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException) {
                System.err.println("mlestar: port " + ConfigProvider.getConfig().getValue("quarkus.http.port", String.class)
                        + " is in use; choose another with --port");
                return Mlestar.FAILED;
            }
        }
        throw failure instanceof Exception known ? known : new IllegalStateException("the server could not be started", failure);
    }
}
