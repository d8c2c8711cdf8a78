package io.mlestar.core.agent;

import io.mlestar.core.base.Phrase;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer.DataLook;
import io.mlestar.core.step.RunContext;
import java.util.List;
import java.util.Map;

/// The abilities of an agent while it answers, which depend on where it runs. Its prompt names
/// nothing else.
///
/// @param tools names of those that it is offered
/// @param searches whether its provider searches the web for it
public record Abilities(List<String> tools, boolean searches) {
    public static final Abilities NONE = new Abilities(List.of(), false);

    private static final String HEADING = "# Tools\n\n";

    /// All that the agent's definition gives it.
    public static Abilities of(AgentConfig config) {
        return new Abilities(config.tools() == null ? List.of() : config.tools(), false);
    }

    /// The section behind the prompt; empty if there is nothing to say.
    String section(Agent<?> agent, RunContext context) {
        if (agent instanceof Retriever retriever) {
            if (retriever.isStudied()) {
                return "";
            }
            return searches || tools.contains("WebSearch")
                    ? HEADING + Prompts.part("tool-search")
                    : ProvenModels.section(context.task());
        }
        String said = Phrase.of("\n\n", tools.contains("Read") ? Prompts.part("tool-read") : "",
                tools.contains(DataLook.TOOL) ? looking(agent, context) : "");
        return said.isEmpty() ? "" : HEADING + said;
    }

    private static String looking(Agent<?> agent, RunContext context) {
        return Prompts.part("tool-python",
                Map.of("scripts", Integer.toString(context.search().agentsLook()), "compares",
                        PromptTemplate.when(agent instanceof ScriptCoder)));
    }
}
