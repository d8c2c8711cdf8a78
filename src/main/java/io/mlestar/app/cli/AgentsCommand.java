package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.core.agent.AgentConfig;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.PipelineConfig;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The fourteen agents as data.
@Command(name = "agents", description = "Print the definitions of the 14 agents as JSON.", mixinStandardHelpOptions = true)
final class AgentsCommand implements Callable<Integer> {
    @Option(names = "--config", paramLabel = "FILE", description = "show the agents as this configuration wants them, YAML or JSON")
    @Nullable
    Path config;

    @Mixin
    SettingsOption settings;

    @Override
    public Integer call() {
        CompositionRoot root = CompositionRoot.ofProcess();
        PipelineConfig run = root.config(settings.over(config));
        Prompts prompts = root.prompts();
        ObjectNode agents = Json.object();
        AgentConfig.of(run).forEach((type, agent) -> {
            ObjectNode definition = agents.putObject(type.id());
            definition.setAll((ObjectNode) Json.tree(agent.toAgentDefinition(prompts)));
            definition.set("output_format", agent.toOutputFormat().orElse(Json.tree(null)));
            definition.set("tool_ceiling", Json.tree(AgentConfig.toolCeiling(type)));
        });
        System.out.println(Json.text(agents));
        return 0;
    }
}
