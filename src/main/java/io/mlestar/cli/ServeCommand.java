package io.mlestar.cli;

import io.mlestar.function.Tracing;
import io.mlestar.task.Json;
import io.mlestar.task.PipelineConfig;
import io.quarkus.runtime.Quarkus;
import java.util.concurrent.Callable;
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

    @Mixin
    StoreOption store;

    @Override
    public Integer call() {
        Tracing.check(System.getenv());
        if (port != null) {
            System.setProperty("quarkus.http.port", port.toString());
        }
        System.setProperty("quarkus.http.host", host);
        System.setProperty("mle.star.store", store.address);
        System.setProperty("mle.star.caretaker", "true");
        Logging.configure(PipelineConfig.resolve(Json.object(), System.getenv()), false);
        Quarkus.run();
        return 0;
    }
}
