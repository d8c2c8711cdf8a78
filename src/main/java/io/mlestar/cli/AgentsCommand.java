package io.mlestar.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.agent.AgentConfig;
import io.mlestar.agent.Prompts;
import io.mlestar.task.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// The fourteen agents as data.
@Command(name = "agents", description = "Print the definitions of the 14 agents as JSON.", mixinStandardHelpOptions = true)
final class AgentsCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        Prompts prompts = Prompts.load(System.getenv());
        ObjectNode agents = Json.object();
        AgentConfig.defaults().forEach((type, config) -> {
            ObjectNode definition = agents.putObject(type.id());
            definition.setAll((ObjectNode) Json.tree(config.toAgentDefinition(prompts)));
            definition.set("output_format", config.toOutputFormat().orElse(Json.tree(null)));
            definition.set("tool_ceiling", Json.tree(AgentConfig.toolCeiling(type)));
        });
        System.out.println(Json.text(agents));
        return 0;
    }
}
