package io.mlestar.app.program;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.broker.EmbeddedBroker;
import io.mlestar.adapter.broker.Trust;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.bucket.Stores;
import io.mlestar.adapter.model.AgentCaller;
import io.mlestar.adapter.model.Models;
import io.mlestar.adapter.model.mcp.McpServers;
import io.mlestar.adapter.script.DataViews;
import io.mlestar.adapter.script.Machine;
import io.mlestar.adapter.script.MemoryPressure;
import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.adapter.tool.ToolFailures;
import io.mlestar.adapter.tool.ToolSessions;
import io.mlestar.adapter.tool.Web;
import io.mlestar.app.console.Terminal;
import io.mlestar.app.start.Admission;
import io.mlestar.app.start.Launch;
import io.mlestar.app.start.LocalPerformer;
import io.mlestar.app.start.ScriptHardware;
import io.mlestar.app.start.ScriptJob;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.engine.RunningOutputs;
import io.mlestar.core.engine.SteadyClock;
import io.mlestar.core.engine.Sweep;
import io.mlestar.core.engine.Watchers;
import io.mlestar.core.event.Publisher;
import io.mlestar.core.records.Records;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.PrunableStore;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.show.log.StepLog;
import io.mlestar.show.telemetry.ProcessMetrics;
import io.mlestar.show.telemetry.Tracing;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Makes the parts of the program: for a server by injection, and by a call for a command that does
/// one thing. What a part needs to know is in the environment, which is read here only.
@Singleton
public final class CompositionRoot {
    /// A name, not a logger: [#begin] sets the log manager, which a static logger would make too
    /// early.
    private static final String LOG = "mle_star.sandbox";

    private final Map<String, String> environment;

    public CompositionRoot(Map<String, String> environment) {
        this.environment = SetVariables.of(environment);
    }

    /// @param model that `serve --model` or the environment names
    @Inject
    CompositionRoot(@ConfigProperty(name = "mle_star.model") Optional<String> model) {
        Map<String, String> all = new HashMap<>(System.getenv());
        model.ifPresent(named -> all.put("MLE_STAR_MODEL", named));
        this(all);
    }

    /// Reads the variables that this process was started with.
    public static CompositionRoot ofProcess() {
        return new CompositionRoot(System.getenv());
    }

    /// Prepares the process. It comes before all logging and all connections.
    ///
    /// @throws Invalid as [Trust#everywhere]
    public static CompositionRoot begin() {
        Terminal.guard();
        // Commands without the server use libraries that log.
        System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
        // Libraries, the log among them, write numbers alike everywhere.
        Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
        CompositionRoot root = ofProcess();
        Trust.everywhere(root.environment);
        return root;
    }

    public Map<String, String> environment() {
        return environment;
    }

    /// The settings given by hand; the environment and the defaults give the rest.
    ///
    /// @throws Invalid naming what cannot be
    public PipelineConfig config(ObjectNode explicit) {
        return PipelineConfig.resolve(explicit, environment);
    }

    /// True if a cluster's broker delivers the events. Then other processes ask the models and run
    /// the scripts.
    public boolean hasBroker() {
        return ScriptHardware.isCluster(environment);
    }

    /// @throws Invalid as [Stores#open]
    public PrunableStore store(String address) {
        return Stores.open(address, environment);
    }

    /// @throws Invalid if the interpreter of the scripts is missing
    public Python python() {
        return Python.of(environment);
    }

    public Sandbox sandbox() {
        return Sandbox.of(python(), environment);
    }

    public Models models() {
        return new Models(environment);
    }

    @Produces
    @Singleton
    public Prompts prompts() {
        return Prompts.load(environment);
    }

    @Produces
    @Singleton
    public Machine machine() {
        return Machine.detect(environment);
    }

    @Produces
    @Singleton
    public Launch launch(Models models, Prompts prompts, Machine machine) {
        return new Launch(models, prompts, machine, environment);
    }

    @Produces
    @Singleton
    Records records(
            @ConfigProperty(name = "mle_star.store",
                    defaultValue = FolderStore.USUAL) String store) {
        return new Records(store(store));
    }

    @Produces
    @Singleton
    InstantSource clock() {
        return new SteadyClock();
    }

    @Produces
    @Singleton
    Tracing tracing(Records records) {
        return new Tracing(records, environment);
    }

    void close(@Disposes Tracing tracing) {
        tracing.close();
    }

    @Produces
    @Singleton
    Watchers watchers(
            Records records,
            ProcessMetrics metrics,
            Tracing tracing,
            Instance<Machine> machine) {
        return new Watchers(log(machine::get), metrics, tracing, new Reports(records));
    }

    /// @param machine where the scripts run, unless others run them
    StepLog log(Supplier<Machine> machine) {
        return new StepLog(
                () -> hasBroker() ? Integer.MAX_VALUE : machine.get().slots(environment));
    }

    @Produces
    @Singleton
    Models watchedModels(ModelCallReporter reporter, Records records) {
        return new Models(environment, reporter, records.store());
    }

    @Produces
    @Singleton
    ToolSessions toolSessions(
            Vertx vertx,
            ProcessMetrics metrics,
            @ConfigProperty(name = "mle_star.all.runs",
                    defaultValue = "false") boolean servesAllRuns,
            @ConfigProperty(name = "k.service") Optional<String> service) {
        return toolSessions(once(() -> {
            Sandbox sandbox = sandbox();
            if (!sandbox.missing().isEmpty()) {
                Logger.getLogger(LOG).warn(sandbox.missing());
            }
            return sandbox;
        }), vertx, servesAllRuns || service.isPresent(), new ToolFailures(metrics::toolUsed));
    }

    /// @param untrusted whether others than the operator may have written a configuration
    ToolSessions toolSessions(
            Supplier<Sandbox> sandbox,
            Vertx vertx,
            boolean untrusted,
            ToolFailures failures) {
        return new ToolSessions(sandbox, Web.of(vertx, environment),
                new McpServers(environment, untrusted), environment, failures);
    }

    @Produces
    @Singleton
    AgentCaller caller(Models models, Prompts prompts, ToolSessions tools) {
        return new AgentCaller(models, prompts, tools, new DataSets(environment));
    }

    @Produces
    @Singleton
    RunningOutputs outputs() {
        return new RunningOutputs();
    }

    @Produces
    @Singleton
    Engine engine(
            Records records,
            AgentCaller caller,
            ToolSessions tools,
            Publisher publisher,
            Watchers watchers,
            Tracing tracing,
            InstantSource clock,
            RunningOutputs outputs,
            @ConfigProperty(name = Server.RUN) Optional<String> byHand) {
        if (publisher instanceof EmbeddedBroker) {
            // Scripts run in this process: the sandbox is ready when the first one comes.
            Thread.startVirtualThread(() -> {
                try {
                    Sandbox _ = tools.sandbox().get();
                } catch (Invalid wrong) {
                    Logger.getLogger(LOG).error(wrong.getMessage());
                }
            });
        }
        DataViews views = new DataViews();
        watchers.add(views);
        ScriptJob scripts =
                new ScriptJob(records, caller.data(),
                        once(() -> new ScriptRunner(tools.sandbox().get(), clock)), views,
                        MemoryPressure.ofContainer(), outputs);
        Admission admission = new Admission(caller.models(), environment, byHand);
        return new Engine(records, EventDelivery.carrying(publisher, records, tracing),
                new LocalPerformer(caller, scripts, admission), clock, watchers);
    }

    @Produces
    @Singleton
    Sweep sweep(
            Records records,
            Publisher publisher,
            Engine engine,
            Tracing tracing,
            InstantSource clock) {
        return new Sweep(records, EventDelivery.carrying(publisher, records, tracing), engine,
                clock);
    }

    /// Makes a part when it is first needed: functions that only ask models need no Python.
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
