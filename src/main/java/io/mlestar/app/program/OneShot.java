package io.mlestar.app.program;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.broker.HttpSink;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.bucket.SharedFolders;
import io.mlestar.adapter.script.MemoryPressure;
import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.DataViews;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.adapter.script.isolation.SandboxPolicy;
import io.mlestar.adapter.tool.ToolFailures;
import io.mlestar.adapter.tool.ToolSessions;
import io.mlestar.app.start.JobPerformer;
import io.mlestar.app.start.ScriptJob;
import io.mlestar.app.start.SingleCall;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.engine.RunningOutputs;
import io.mlestar.core.engine.SteadyClock;
import io.mlestar.core.engine.Watchers;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.FolderStore;
import io.mlestar.show.telemetry.Tracing;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;

/// Does one thing in a process that does nothing else.
public record OneShot(CompositionRoot root) {
    private static final Duration BROKER_TIMEOUT = Duration.ofSeconds(60);

    /// Asks one agent.
    ///
    /// @return the agent's output, and what it cost
    public ObjectNode ask(SingleCall call, Prompts prompts) {
        Vertx vertx = Vertx.vertx();
        try {
            ToolSessions tools = root.toolSessions(() -> {
                new StartupCheck(root).check(call.context().config());
                return root.sandbox();
            }, vertx, false, new ToolFailures());
            DailyBudget day = DailyBudget.from(root.environment(),
                    () -> root.store(
                            root.environment().getOrDefault("MLE_STAR_STORE", FolderStore.USUAL)));
            return call.ask(root.caller(root.models(), prompts, tools), day, new SteadyClock());
        } finally {
            vertx.close();
        }
    }

    /// Does one script step, and tells the broker.
    ///
    /// @param event id of the event that asked for it
    public void job(Records records, StepPath step, String event, URI broker) {
        Vertx vertx = Vertx.vertx();
        try (Tracing tracing = new Tracing(records, root.environment())) {
            InstantSource clock = new SteadyClock();
            Python python = root.python();
            // A Job has no key of a model to lose.
            SandboxPolicy.of(root.environment(), false).check(python);
            ScriptRunner runner =
                    new ScriptRunner(Sandbox.alone(python, root.environment()), clock);
            HttpSink sink = new HttpSink(HttpSink.client(vertx, root.environment()), broker,
                    BROKER_TIMEOUT);
            ScriptJob scripts =
                    new ScriptJob(records, new DataSets(root.environment()), () -> runner,
                            new DataViews(), MemoryPressure.ofContainer(), new RunningOutputs());
            JobPerformer performer =
                    new JobPerformer(scripts, clock, event, SharedFolders.of(root.environment()));
            Engine engine = new Engine(records, done -> sink.publish(tracing.carry(done)),
                    performer, clock, new Watchers(root.log(root::machine), tracing));
            Runtime.getRuntime().addShutdownHook(new Thread(engine::leave));
            engine.work(step);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }
}
