package io.mlestar.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.agent.Agents;
import io.mlestar.agent.Prompts;
import io.mlestar.function.Door;
import io.mlestar.llm.Models;
import io.mlestar.llm.Question;
import io.mlestar.sandbox.Machine;
import io.mlestar.step.Agent;
import io.mlestar.step.Answer;
import io.mlestar.step.Brief;
import io.mlestar.step.StepFailed;
import io.mlestar.step.UnreadableAnswer;
import io.mlestar.task.AgentType;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.PipelineConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// One agent alone, without a run.
@Command(name = "agent", description = "Ask one agent, or show what it would be asked.", mixinStandardHelpOptions = true)
final class AgentCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    @Parameters(paramLabel = "NAME", description = "agent type, e.g. planner")
    String name;

    @Option(names = "--input", required = true, paramLabel = "FILE", description = "the agent's input, JSON or YAML")
    Path input;

    @Option(names = "--model", paramLabel = "PROVIDER:NAME")
    String model;

    @Option(names = "--render", description = "print the prompt and ask nobody")
    boolean render;

    @Override
    public Integer call() {
        AgentType type = AgentType.of(name).orElseThrow(() -> new Invalid("there is no agent \"" + name + "\"; see mlestar agents"));
        ObjectNode given = Files.map(input);
        Agent<?> agent = Agents.fromUser(type, given);
        ObjectNode explicit = Json.object();
        if (model != null) {
            explicit.put("model", model);
        }
        PipelineConfig config = PipelineConfig.resolve(explicit, System.getenv());
        Brief brief = Door.alone(Agents.task(given), config, Machine.detect());
        Prompts prompts = Prompts.load(System.getenv());
        if (render) {
            System.out.println(prompts.render(agent, brief));
            return 0;
        }
        try {
            Answer answer = new Models(System.getenv()).get(config.modelOf(type))
                    .ask(Question.of(Optional.empty(), agent, prompts, brief, TIMEOUT, names -> List.of()));
            ObjectNode output = (ObjectNode) Json.tree(agent.read(answer.text()));
            System.out.println(Json.text(output.set("usage", Json.tree(answer.usage()))));
            return 0;
        } catch (StepFailed | UnreadableAnswer e) {
            System.err.println("mlestar: agent " + name + ": " + e.getMessage());
            return 1;
        }
    }
}
