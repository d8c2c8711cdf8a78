package io.mlestar.app.program;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Starts the server in this process and waits for its end. What the command line says reaches
/// Quarkus here and nowhere else: as system properties, from which it reads its configuration.
public final class Server {
    public static final String HOST = "quarkus.http.host";
    public static final String PORT = "quarkus.http.port";
    public static final String STORE = "mle_star.store";
    public static final String MODEL = "mle_star.model";
    public static final String TASKS = "mle_star.tasks";
    /// The run that this process conducts for the user of the command line.
    public static final String RUN = "mle_star.run";

    private Server() {}

    /// @param application that ends the server when it has ended; null for one that serves until it
    ///   is stopped
    /// @return what went wrong
    public static Optional<Throwable> run(
            Map<String, String> settings,
            @Nullable Class<? extends QuarkusApplication> application,
            String... arguments) {
        settings.forEach(System::setProperty);
        AtomicReference<Throwable> failed = new AtomicReference<>();
        Quarkus.run(application, (code, failure) -> failed.set(failure), arguments);
        return Optional.ofNullable(failed.get());
    }
}
