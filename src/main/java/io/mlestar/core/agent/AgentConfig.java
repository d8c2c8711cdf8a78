package io.mlestar.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.JsonSchema;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer.DataLook;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.PipelineConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The offer of an agent to a model (REQ-DM-036).
///
/// @param description one line; null becomes the agent's own
/// @param systemPrompt null means the agent's prompt template
/// @param tools names of the tools that each call gets; null is none
/// @param model null means the run's model
/// @param outputSchema record type of the structured answer; null is free text
/// @param maxTurns most rounds of tool use; null is the default
public record AgentConfig(
        AgentType agentType,
        @Nullable String description,
        @Nullable String systemPrompt,
        @Nullable List<String> tools,
        @Nullable String model,
        @Nullable Class<?> outputSchema,
        @Nullable Integer maxTurns) {
    /// Harmless: they show what the program knows anyway (REQ-OR-010).
    private static final List<String> FOR_ALL = List.of("ParseScore", "ListFiles");

    public AgentConfig {
        Objects.requireNonNull(agentType, "agentType");
        description = description == null ? Agents.ALL.of(agentType).description() : description;
        tools = tools == null ? null : List.copyOf(tools);
        if (maxTurns != null && maxTurns < 1) {
            throw new Invalid("max_turns must be at least 1, but is " + maxTurns);
        }
    }

    /// The configuration of one call in a run of this configuration.
    ///
    /// @throws Invalid if the configuration gives the agent a tool that it must not have
    public static AgentConfig of(Agent<?> agent, PipelineConfig run) {
        return of(agent).configured(run);
    }

    /// The fourteen agents as this configuration wants them.
    ///
    /// @throws Invalid if it gives an agent a tool that it must not have
    public static Map<AgentType, AgentConfig> of(PipelineConfig run) {
        Map<AgentType, AgentConfig> configs = defaults();
        configs.replaceAll((type, config) -> config.configured(run));
        return configs;
    }

    /// A variant has a configuration of its own, of the same agent (REQ-SF-032, REQ-FN-048).
    static AgentConfig of(Agent<?> agent) {
        return Agents.ALL.of(agent.name()).config();
    }

    AgentConfig with(@Nullable List<String> newTools) {
        return new AgentConfig(agentType, description, systemPrompt, newTools, model, outputSchema,
                maxTurns);
    }

    private AgentConfig configured(PipelineConfig run) {
        List<String> allowed =
                Stream.concat(toolCeiling(agentType).stream(), FOR_ALL.stream()).toList();
        for (String tool : run.models().toolsOf(agentType).orElse(List.of())) {
            if (!allowed.contains(tool)) {
                throw new Invalid("agents." + agentType.id() + ".tools must not hold \"" + tool
                        + "\"; this agent may have " + String.join(", ", allowed));
            }
        }
        return with(run.models()
                .toolsOf(agentType)
                .orElse(run.search().agentsLook() > 0 ? withLooks() : tools));
    }

    private @Nullable List<String> withLooks() {
        return toolCeiling(agentType).contains(DataLook.TOOL)
                ? Stream.concat(Objects.requireNonNullElse(tools, List.<String>of()).stream(),
                        Stream.of(DataLook.TOOL)).toList()
                : tools;
    }

    /// The fourteen agents as the requirements define them (REQ-DM-040).
    public static Map<AgentType, AgentConfig> defaults() {
        return Agents.ALL.configs();
    }

    /// The most that an agent may ever be given, apart from the orchestrator's own tools and those
    /// of servers that a user names (REQ-OR-008).
    public static List<String> toolCeiling(AgentType type) {
        return Agents.ALL.of(type).ceiling();
    }

    /// One value of an agents map (REQ-DM-037): exactly `description`, `prompt`, `tools`, `model`.
    public Map<String, Object> toAgentDefinition(Prompts prompts) {
        Map<String, Object> definition = new LinkedHashMap<>();
        definition.put("description", description);
        definition.put("prompt",
                systemPrompt == null ? prompts.get(agentType).template() : systemPrompt);
        definition.put("tools", tools);
        definition.put("model", model);
        return definition;
    }

    /// The answer's form for the call (REQ-DM-038, REQ-DM-049); empty for free text.
    public Optional<JsonNode> toOutputFormat() {
        return Optional.ofNullable(outputSchema)
                .map(schema -> JsonNodeFactory.instance.objectNode()
                        .put("type", "json_schema")
                        .set("schema", JsonSchema.of(schema)));
    }
}
