package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.program.ExitCode;
import io.mlestar.app.program.OneShot;
import io.mlestar.app.start.SingleCall;
import io.mlestar.app.start.YamlFile;
import io.mlestar.core.agent.Abilities;
import io.mlestar.core.agent.AgentConfig;
import io.mlestar.core.agent.Agents;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.PipelineConfig;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The commands about agents without a run.
final class AgentCommands {
    private AgentCommands() {}

    @Command(name = "agents", description = "Print the definitions of the 14 agents as JSON.",
            mixinStandardHelpOptions = true)
    static final class AgentsCommand implements Callable<Integer> {
        @Option(names = "--config", paramLabel = "FILE",
                description = "show the agents as this configuration wants them, YAML or JSON")
        @Nullable
        Path config;

        @Mixin
        SettingsOption settings;

        @Override
        public Integer call() {
            CompositionRoot root = CompositionRoot.ofProcess();
            PipelineConfig run = settings.config(root, config);
            run.models().used().forEach(root.models()::check);
            Prompts prompts = root.prompts();
            ObjectNode agents = Json.object();
            AgentConfig.of(run).forEach((type, agent) -> {
                ObjectNode definition = agents.putObject(type.id());
                definition.setAll((ObjectNode) Json.tree(agent.toAgentDefinition(prompts)));
                definition.set("output_format", Json.tree(agent.toOutputFormat()));
                definition.set("tool_ceiling", Json.tree(AgentConfig.toolCeiling(type)));
            });
            System.out.println(Json.text(agents));
            return 0;
        }
    }

    @Command(name = "agent", description = "Ask one agent, or show what it would be asked.",
            mixinStandardHelpOptions = true)
    static final class AgentCommand implements Callable<Integer> {
        @Parameters(paramLabel = "NAME", description = "agent type, e.g. planner")
        String name;

        @Option(names = "--input", required = true, paramLabel = "FILE",
                description = "the agent's input, JSON or YAML")
        Path input;

        @Mixin
        SettingsOption settings;

        @Option(names = "--render", description = "print the prompt and ask no model")
        boolean render;

        @Override
        public Integer call() {
            AgentType type =
                    AgentType.of(name)
                            .orElseThrow(() -> new Invalid(
                                    "there is no agent \"" + name + "\"" + AgentType.meant(name)
                                            + "; see mlestar agents"));
            ObjectNode given = YamlFile.map(input);
            Agent<?> agent = Agents.ALL.fromUser(type, given);
            CompositionRoot root = CompositionRoot.ofProcess();
            PipelineConfig config = settings.config(root, null);
            // A relative folder counts from where the file lies, as in a task file.
            Path base = YamlFile.folder(input);
            SingleCall question = SingleCall.of(agent,
                    Agents.task(given)
                            .map(task -> task.withDataDir(
                                    base.resolve(task.dataDir()).normalize().toString())),
                    config, root.machine());
            Prompts prompts = root.prompts();
            if (render) {
                System.out.println(
                        prompts.render(agent, question.context(),
                                Abilities.of(AgentConfig.of(agent, config))).text());
                return 0;
            }
            try {
                System.out.println(Json.text(new OneShot(root).ask(question, prompts)));
                return 0;
            } catch (StepFailed | UnreadableAnswer e) {
                return ExitCode.said("agent " + name + ": " + e.getMessage(), ExitCode.FAILED);
            }
        }
    }
}
