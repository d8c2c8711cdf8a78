package io.mlestar.app.program;

import io.mlestar.adapter.broker.EmbeddedBroker;
import io.mlestar.adapter.broker.HttpSink;
import io.mlestar.adapter.broker.Routes;
import io.mlestar.adapter.model.AgentCaller;
import io.mlestar.adapter.model.ModelCallListener;
import io.mlestar.adapter.model.Models;
import io.mlestar.adapter.script.Machine;
import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.adapter.tool.ToolFailures;
import io.mlestar.adapter.tool.ToolSessions;
import io.mlestar.app.http.Guard;
import io.mlestar.app.start.Launch;
import io.mlestar.app.start.LocalPerformer;
import io.mlestar.app.start.Placement;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.engine.RunningOutputs;
import io.mlestar.core.engine.SteadyClock;
import io.mlestar.core.engine.Sweep;
import io.mlestar.core.engine.Watchers;
import io.mlestar.core.event.Publisher;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.FolderStore;
import io.mlestar.show.telemetry.Outages;
import io.mlestar.show.telemetry.ProcessMetrics;
import io.mlestar.show.telemetry.Tracing;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.vertx.http.HttpServer;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Puts the plain objects together for the server.
@ApplicationScoped
class Wiring {
    private static final Logger LOG = Logger.getLogger("mle_star.sandbox");
    private static final int SECOND = 2;

    private final CompositionRoot root;

    /// @param model that `serve --model` or the environment names
    Wiring(@ConfigProperty(name = "mle.star.model") Optional<String> model) {
        this.root = CompositionRoot.ofProcess().with("MLE_STAR_MODEL", model);
    }

    @Produces
    @Singleton
    CompositionRoot root() {
        return root;
    }

    @Produces
    @Singleton
    Records records(@ConfigProperty(name = "mle.star.store", defaultValue = FolderStore.USUAL) String store) {
        return new Records(root.store(store));
    }

    @Produces
    @Singleton
    InstantSource clock() {
        return new SteadyClock();
    }

    @Produces
    @Singleton
    Prompts prompts() {
        return root.prompts();
    }

    @Produces
    @Singleton
    Tracing tracing(Records records) {
        return new Tracing(records, root.environment());
    }

    /// Sends the last spans.
    void close(@Disposes Tracing tracing) {
        tracing.close();
    }

    @Produces
    @Singleton
    Watchers watchers(ProcessMetrics metrics, Tracing tracing, Instance<Machine> machine) {
        return new Watchers(root.log(machine::get), metrics, tracing);
    }

    @Produces
    @Singleton
    Models models(ProcessMetrics metrics, Tracing tracing, Watchers watchers) {
        Outages outages = new Outages(watchers::outage, InstantSource.system());
        return root.models(new ModelCallListener() {
            @Override
            public Map<String, String> headers(StepPath step) {
                return tracing.context(step);
            }

            @Override
            public void retried(Optional<StepPath> step, String provider, String reason, String said) {
                metrics.modelRetried(provider, reason);
                outages.retried(step, provider, reason, said);
            }

            @Override
            public void givenUp(Optional<StepPath> step, String provider, String said) {
                outages.givenUp(step, provider, said);
            }

            @Override
            public void answered(Optional<StepPath> step, String provider) {
                outages.answered(step, provider);
            }
        });
    }

    @Produces
    @Singleton
    Machine machine() {
        return root.machine();
    }

    @Produces
    @Singleton
    Launch launch(Models models, Prompts prompts, Machine machine) {
        return root.launch(models, prompts, machine);
    }

    /// The cluster's broker if there is one (`K_SINK`), else one of our own that posts to this very server.
    @Produces
    @Singleton
    Publisher publisher(@ConfigProperty(name = "k.sink") Optional<URI> sink, HttpServer server, Vertx vertx, ProcessMetrics metrics, Guard guard) {
        HttpClient client = HttpSink.client(vertx, root.environment());
        if (sink.isPresent()) {
            HttpSink broker = new HttpSink(client, sink.get(), Duration.ofSeconds(30));
            return event -> {
                broker.publish(event);
                metrics.published(event);
            };
        }
        EmbeddedBroker broker = new EmbeddedBroker(client, Routes.toFunctions(),
                subscriber -> URI.create("http://127.0.0.1:" + server.getPort() + subscriber.path()), EmbeddedBroker.Fate.KIND, guard.identity());
        broker.listen(metrics);
        return broker;
    }

    /// Before anything else ends: a request that comes in after its server has gone fails with stack traces.
    void drain(@Observes @Priority(SECOND) ShutdownDelayInitiatedEvent stop, Publisher publisher) {
        if (publisher instanceof EmbeddedBroker broker) {
            broker.close();
        }
    }

    @Produces
    @Singleton
    ToolSessions workshop(Vertx vertx, ProcessMetrics metrics, @ConfigProperty(name = "mle.star.caretaker", defaultValue = "false") boolean asked,
            @ConfigProperty(name = "k.service") Optional<String> service) {
        return root.workshop(once(this::sandbox), vertx, asked || service.isPresent(), new ToolFailures(metrics::toolUsed));
    }

    @Produces
    @Singleton
    AgentCaller asker(Models models, Prompts prompts, ToolSessions workshop) {
        return root.asker(models, prompts, workshop);
    }

    @Produces
    @Singleton
    RunningOutputs outputs() {
        return new RunningOutputs();
    }

    @Produces
    @Singleton
    Engine engine(Records records, AgentCaller asker, ToolSessions workshop, Publisher publisher, Watchers watchers, Tracing tracing, InstantSource clock,
            RunningOutputs outputs) {
        if (publisher instanceof EmbeddedBroker) {
            // Scripts run in this process: by the time the first one comes, the machine has been looked at.
            Thread.startVirtualThread(() -> {
                try {
                    Sandbox _ = workshop.sandbox().get();
                } catch (Invalid wrong) {
                    LOG.error(wrong.getMessage());
                }
            });
        }
        return new Engine(records, told(publisher, records, tracing), new LocalPerformer(asker,
                root.scripts(records, asker.data(), once(() -> new ScriptRunner(workshop.sandbox().get(), clock)), outputs),
                DailyBudget.of(root.environment())), clock, watchers);
    }

    @Produces
    @Singleton
    Sweep sweep(Records records, Publisher publisher, Engine engine, Tracing tracing, InstantSource clock) {
        return new Sweep(records, told(publisher, records, tracing), engine, clock);
    }

    /// All that an event says beside naming its step.
    private static Publisher told(Publisher publisher, Records records, Tracing tracing) {
        Placement placement = new Placement(records);
        return event -> publisher.publish(tracing.carry(placement.of(event)));
    }

    private Sandbox sandbox() {
        Sandbox sandbox = root.sandbox();
        if (!sandbox.missing().isEmpty()) {
            LOG.warn(sandbox.missing());
        }
        return sandbox;
    }

    /// Made when first asked for: functions that only ask models need no Python.
    private static <T> Supplier<T> once(Supplier<T> maker) {
        return new Supplier<>() {
            private @Nullable T made;

            @Override
            public synchronized T get() {
                if (made == null) {
                    made = maker.get();
                }
                return made;
            }
        };
    }
}
