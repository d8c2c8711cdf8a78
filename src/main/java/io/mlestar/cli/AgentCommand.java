package io.mlestar.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.agent.Agents;
import io.mlestar.agent.Prompts;
import io.mlestar.bucket.DataSets;
import io.mlestar.function.Door;
import io.mlestar.llm.AgentCaller;
import io.mlestar.llm.Models;
import io.mlestar.mcp.McpServers;
import io.mlestar.sandbox.Machine;
import io.mlestar.sandbox.Python;
import io.mlestar.sandbox.Sandbox;
import io.mlestar.step.Agent;
import io.mlestar.step.Brief;
import io.mlestar.step.StepFailed;
import io.mlestar.step.UnreadableAnswer;
import io.mlestar.task.AgentType;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.PipelineConfig;
import io.mlestar.tool.ToolFailures;
import io.mlestar.tool.ToolSessions;
import io.mlestar.tool.Web;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// One agent alone, without a run.
@Command(name = "agent", description = "Ask one agent, or show what it would be asked.", mixinStandardHelpOptions = true)
final class AgentCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "agent type, e.g. planner")
    String name;

    @Option(names = "--input", required = true, paramLabel = "FILE", description = "the agent's input, JSON or YAML")
    Path input;

    @Mixin
    SettingsOption settings;

    @Option(names = "--render", description = "print the prompt and ask nobody")
    boolean render;

    @Override
    public Integer call() {
        AgentType type = AgentType.of(name).orElseThrow(() -> new Invalid("there is no agent \"" + name + "\"; see mlestar agents"));
        ObjectNode given = Files.map(input);
        Agent<?> agent = Agents.ALL.fromUser(type, given);
        PipelineConfig config = PipelineConfig.resolve(settings.alone(), System.getenv());
        // As in a task file, a relative folder is meant from where the file lies.
        Path base = Objects.requireNonNullElse(input.toAbsolutePath().getParent(), Path.of("/"));
        Brief brief = Door.alone(Agents.task(given).map(task -> task.withDataDir(base.resolve(task.dataDir()).normalize().toString())),
                config, Machine.detect());
        Prompts prompts = Prompts.load(System.getenv());
        if (render) {
            System.out.println(prompts.render(agent, brief));
            return 0;
        }
        Vertx vertx = Vertx.vertx();
        try {
            ToolSessions workshop = new ToolSessions(() -> {
                Conduct.checkWall(config, System.getenv());
                return Sandbox.of(Python.of(System.getenv()));
            },
                    Web.of(vertx), new McpServers(System.getenv()), System.getenv(), new ToolFailures());
            System.out.println(Json.text(Door.output(new AgentCaller(new Models(System.getenv()), prompts, workshop, new DataSets(System.getenv())), agent, brief)));
            return 0;
        } catch (StepFailed | UnreadableAnswer e) {
            System.err.println("mlestar: agent " + name + ": " + e.getMessage());
            return 1;
        } finally {
            vertx.close();
        }
    }
}
