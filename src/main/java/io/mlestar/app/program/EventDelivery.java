package io.mlestar.app.program;

import io.mlestar.adapter.broker.EmbeddedBroker;
import io.mlestar.adapter.broker.HttpSink;
import io.mlestar.adapter.broker.Routes;
import io.mlestar.app.http.Guard;
import io.mlestar.app.start.ScriptHardware;
import io.mlestar.core.event.Publisher;
import io.mlestar.core.records.Records;
import io.mlestar.show.telemetry.ProcessMetrics;
import io.mlestar.show.telemetry.Tracing;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.vertx.http.HttpServer;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/// Makes the publisher of the program's events, and closes it before the server stops.
@Singleton
final class EventDelivery {
    private final Map<String, String> environment;

    EventDelivery(CompositionRoot root) {
        this.environment = root.environment();
    }

    /// The cluster's broker if there is one (`K_SINK`), else an embedded one that posts to this
    /// server.
    @Produces
    @Singleton
    Publisher publisher(
            @ConfigProperty(name = "k.sink") Optional<URI> sink,
            HttpServer server,
            Vertx vertx,
            ProcessMetrics metrics,
            Guard guard) {
        HttpClient client = HttpSink.client(vertx, environment);
        if (sink.isPresent()) {
            HttpSink broker = new HttpSink(client, sink.get(), Duration.ofSeconds(30));
            return event -> {
                broker.publish(event);
                metrics.published(event);
            };
        }
        EmbeddedBroker broker = new EmbeddedBroker(client, Routes.toFunctions(),
                subscriber -> URI
                        .create("http://127.0.0.1:" + server.getPort() + subscriber.path()),
                EmbeddedBroker.Fate.KIND, guard.identity());
        broker.listen(metrics);
        return broker;
    }

    /// The broker stops before the server: a request to a server that has gone fails with stack
    /// traces.
    void drain(@Observes @Priority(2) ShutdownDelayInitiatedEvent stop, Publisher publisher) {
        if (publisher instanceof EmbeddedBroker broker) {
            broker.close();
        }
    }

    /// Adds to each event its trace and the kind of machine.
    static Publisher carrying(Publisher publisher, Records records, Tracing tracing) {
        return event -> publisher.publish(tracing.carry(ScriptHardware.placed(event, records)));
    }
}
