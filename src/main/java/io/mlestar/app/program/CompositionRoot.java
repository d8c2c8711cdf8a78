package io.mlestar.app.program;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.broker.HttpSink;
import io.mlestar.adapter.broker.Trust;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.bucket.Stores;
import io.mlestar.adapter.model.AgentCaller;
import io.mlestar.adapter.model.ModelCallListener;
import io.mlestar.adapter.model.Models;
import io.mlestar.adapter.model.mcp.McpServers;
import io.mlestar.adapter.script.Machine;
import io.mlestar.adapter.script.MemoryPressure;
import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.adapter.script.Weights;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.adapter.script.isolation.SandboxPolicy;
import io.mlestar.adapter.tool.ToolFailures;
import io.mlestar.adapter.tool.ToolSessions;
import io.mlestar.adapter.tool.Web;
import io.mlestar.app.console.Terminal;
import io.mlestar.app.http.AllowedHosts;
import io.mlestar.app.http.Token;
import io.mlestar.app.start.JobPerformer;
import io.mlestar.app.start.Launch;
import io.mlestar.app.start.ScriptJob;
import io.mlestar.app.start.SingleCall;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.engine.RunningOutputs;
import io.mlestar.core.engine.SteadyClock;
import io.mlestar.core.engine.Watchers;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.PrunableStore;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.McpServer;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.show.log.StepLog;
import io.mlestar.show.telemetry.Tracing;
import io.quarkus.runtime.configuration.DurationConverter;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Makes the parts of the program, whichever way it was started: as a server, for one run, for one job or for one agent. All that a part
/// has to be told is in the environment.
///
/// @param environment variables of the process
public record CompositionRoot(Map<String, String> environment) {
    private static final Duration BROKER_TIMEOUT = Duration.ofSeconds(60);

    /// By the variables that this process was started with.
    public static CompositionRoot ofProcess() {
        return new CompositionRoot(System.getenv());
    }

    /// What comes first in a process, before anything is said or asked.
    ///
    /// @throws Invalid as [Trust#everywhere]
    public static CompositionRoot begin() {
        Terminal.guard();
        // Said before anybody logs: commands without the server use libraries that do.
        System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
        // For libraries, the log among them: numbers read the same everywhere.
        Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
        CompositionRoot root = ofProcess();
        Trust.everywhere(root.environment);
        return root;
    }

    /// The same with a variable set otherwise, if that is wanted.
    CompositionRoot with(String variable, Optional<String> value) {
        Map<String, String> all = new HashMap<>(environment);
        value.ifPresent(set -> all.put(variable, set));
        return new CompositionRoot(Map.copyOf(all));
    }

    /// What is set by hand, with what the environment says of the rest.
    ///
    /// @throws Invalid naming what cannot be
    public PipelineConfig config(ObjectNode explicit) {
        return PipelineConfig.resolve(explicit, environment);
    }

    /// Whether a cluster's broker delivers the events. Then other processes ask the models and run the scripts.
    public boolean hasBroker() {
        return !environment.getOrDefault("K_SINK", "").isBlank();
    }

    /// @throws Invalid as [Stores#open]
    public PrunableStore store(String address) {
        return Stores.open(address, environment);
    }

    public Prompts prompts() {
        return Prompts.load(environment);
    }

    public Models models() {
        return new Models(environment);
    }

    Models models(ModelCallListener watcher) {
        return new Models(environment, watcher);
    }

    public Machine machine() {
        return Machine.detect(environment);
    }

    /// @throws Invalid if the interpreter of the scripts is missing
    public Python python() {
        return Python.of(environment);
    }

    /// @throws Invalid if the interpreter of the scripts is missing
    public Sandbox sandbox() {
        return Sandbox.of(python(), environment);
    }

    /// Whether the scripts of a run must be shut in.
    ///
    /// @throws Invalid if the environment says something that cannot be
    public SandboxPolicy demand(PipelineConfig config) {
        return SandboxPolicy.of(environment, Arrays.stream(AgentType.values()).anyMatch(agent -> !PipelineConfig.isRecorded(config.modelOf(agent))));
    }

    /// Whether all that the environment says can be, before anything is begun or kept. In a cluster the scripts run elsewhere.
    ///
    /// @throws Invalid naming the variable that says what cannot be, or if scripts must be shut in and this machine cannot
    public void check(PipelineConfig config) {
        SandboxPolicy demand = demand(config);
        Machine.scriptsAtOnce(environment);
        Token.given(environment);
        AllowedHosts.of(environment);
        ToolSessions.check(environment);
        McpServer.check(environment);
        checkServer();
        if (!hasBroker()) {
            Weights.of(environment);
            if (demand == SandboxPolicy.REQUIRED) {
                demand.check(python());
            }
        }
    }

    /// What the server reads itself when it starts, and would refuse in its framework's words.
    private void checkServer() {
        String role = environment.getOrDefault("MLE_STAR_ROLE", "");
        if (!role.isEmpty() && !role.equals("status")) {
            throw new Invalid("MLE_STAR_ROLE must be \"status\" or not set; it is \"" + role + "\"");
        }
        String patience = environment.getOrDefault("MLE_STAR_PATIENCE", "PT15M");
        try {
            if (!patience.isBlank() && DurationConverter.parseDuration(patience).isPositive()) {
                return;
            }
        } catch (IllegalArgumentException e) {
            // It is no duration, as below.
        }
        throw new Invalid("MLE_STAR_PATIENCE must be a duration like PT15M, but is \"" + patience + "\"");
    }

    public Launch launch(Models models, Prompts prompts, Machine machine) {
        return new Launch(models, prompts, machine, environment);
    }

    /// @param strangers whether others than the operator may have written a configuration
    ToolSessions workshop(Supplier<Sandbox> sandbox, Vertx vertx, boolean strangers, ToolFailures failures) {
        return new ToolSessions(sandbox, Web.of(vertx), new McpServers(environment, strangers), environment, failures);
    }

    AgentCaller asker(Models models, Prompts prompts, ToolSessions workshop) {
        return new AgentCaller(models, prompts, workshop, new DataSets(environment));
    }

    /// @param data shared by all who look for data in this process
    /// @param outputs for those who look while scripts run
    ScriptJob scripts(Records records, DataSets data, Supplier<ScriptRunner> runner, RunningOutputs outputs) {
        return new ScriptJob(records, data, runner, MemoryPressure.ofContainer(), outputs);
    }

    /// @param machine where the scripts run, unless others run them
    StepLog log(Supplier<Machine> machine) {
        return new StepLog(() -> hasBroker() ? Integer.MAX_VALUE : machine.get().slots(environment));
    }

    /// Asks one agent alone, in a process that does nothing else.
    ///
    /// @return the agent's output, and what it cost
    public ObjectNode ask(SingleCall call, Prompts prompts) {
        Vertx vertx = Vertx.vertx();
        try {
            ToolSessions workshop = workshop(() -> {
                check(call.brief().config());
                return sandbox();
            }, vertx, false, new ToolFailures());
            return call.ask(asker(models(), prompts, workshop));
        } finally {
            vertx.close();
        }
    }

    /// Does one script step, in a process that does nothing else, and tells the broker.
    ///
    /// @param event id of the event that asked for it
    public void job(Records records, StepPath step, String event, URI broker) {
        Vertx vertx = Vertx.vertx();
        try (Tracing tracing = new Tracing(records, environment)) {
            InstantSource clock = new SteadyClock();
            Python python = python();
            // A Job has no key of a model to lose.
            SandboxPolicy.of(environment, false).check(python);
            ScriptRunner runner = new ScriptRunner(Sandbox.alone(python, environment), clock);
            HttpSink sink = new HttpSink(HttpSink.client(vertx, environment), broker, BROKER_TIMEOUT);
            new Engine(records, told -> sink.publish(tracing.carry(told)),
                    new JobPerformer(scripts(records, new DataSets(environment), () -> runner, new RunningOutputs()), clock, event), clock,
                    new Watchers(log(this::machine), tracing)).work(step);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }
}
