package io.mlestar.app.cli;

import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.program.Serving;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The functions and the broker as a server.
@Command(name = "serve", description = "Serve the functions and the embedded broker over HTTP.", mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
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
        return new Serving(host, port, hostNames, store.address, model).run(CompositionRoot.ofProcess());
    }
}
