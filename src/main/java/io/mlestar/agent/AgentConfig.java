package io.mlestar.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.mlestar.step.Agent;
import io.mlestar.task.AgentType;
import io.mlestar.task.Answers.DataContaminationResult;
import io.mlestar.task.Answers.ExtractorOutput;
import io.mlestar.task.Answers.LeakageDetectionOutput;
import io.mlestar.task.Answers.RetrieverOutput;
import io.mlestar.task.Invalid;
import io.mlestar.task.PipelineConfig;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// How an agent is offered to a model (REQ-DM-036).
///
/// @param description one line; null becomes the agent's own
/// @param systemPrompt null means the agent's prompt template
/// @param tools names of the tools that each call gets; null is none
/// @param model null means the run's model
/// @param outputSchema record type of the structured answer; null is free text
/// @param maxTurns most rounds of tool use; null is the default
public record AgentConfig(
        AgentType agentType,
        String description,
        String systemPrompt,
        List<String> tools,
        String model,
        Class<?> outputSchema,
        Integer maxTurns) {
    private static final List<String> WRITE = List.of("Bash", "Edit", "Write", "Read");
    private static final List<String> READ = List.of("Read");
    private static final List<String> WEB = List.of("WebSearch", "WebFetch");
    /// Harmless for everyone: they tell what the program knows anyway (REQ-OR-010).
    private static final List<String> FOR_ALL = List.of("ParseScore", "ListFiles");

    public AgentConfig {
        Objects.requireNonNull(agentType, "agentType");
        description = Objects.requireNonNullElse(description, describe(agentType));
        tools = tools == null ? null : List.copyOf(tools);
        if (maxTurns != null && maxTurns < 1) {
            throw new Invalid("max_turns must be at least 1, but is " + maxTurns);
        }
    }

    public static AgentConfig of(AgentType type) {
        return new AgentConfig(type, null, null, null, null, null, null);
    }

    /// What one call gets in a run of this configuration.
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

    /// A variant is a copy of its agent's configuration (REQ-SF-032, REQ-FN-048).
    static AgentConfig of(Agent<?> agent) {
        AgentConfig config = defaults().get(agent.type());
        return switch (agent) {
            case LeakageCorrection correction -> config.with(config.tools(), null).described("Corrects data leakage in preprocessing code");
            case SubsamplingExtract extract -> config.described("Extracts the code block that subsamples the training data");
            case SubsamplingRemove remove -> config.described("Rewrites the code block so that all training samples are used");
            case ContaminationCheck check -> config.with(null, DataContaminationResult.class)
                    .described("Judges whether a solution was copied from a Kaggle post");
            default -> config;
        };
    }

    public AgentConfig with(List<String> newTools, Class<?> schema) {
        return new AgentConfig(agentType, description, systemPrompt, newTools, model, schema, maxTurns);
    }

    private AgentConfig configured(PipelineConfig run) {
        List<String> allowed = Stream.concat(toolCeiling(agentType).stream(), FOR_ALL.stream()).toList();
        run.toolsOf(agentType).orElse(List.of()).stream().filter(tool -> !allowed.contains(tool)).findFirst().ifPresent(tool -> {
            throw new Invalid("agents." + agentType.id() + ".tools must not hold \"" + tool + "\"; this agent may have "
                    + String.join(", ", allowed));
        });
        return with(run.toolsOf(agentType).orElse(tools), outputSchema);
    }

    private AgentConfig described(String words) {
        return new AgentConfig(agentType, words, systemPrompt, tools, model, outputSchema, maxTurns);
    }

    /// The fourteen agents as the parts define them (REQ-DM-040).
    public static Map<AgentType, AgentConfig> defaults() {
        Map<AgentType, AgentConfig> configs = new EnumMap<>(AgentType.class);
        for (AgentType type : AgentType.values()) {
            configs.put(type, switch (type) {
                case RETRIEVER -> of(type).with(WEB, RetrieverOutput.class);
                case EXTRACTOR -> of(type).with(READ, ExtractorOutput.class);
                case LEAKAGE -> of(type).with(READ, LeakageDetectionOutput.class);
                case DEBUGGER -> of(type).with(List.of("Read", "Bash"), null);
                case INIT, MERGER, ABLATION, ENSEMBLER, DATA, TEST -> of(type).with(READ, null);
                case SUMMARIZE, CODER, PLANNER, ENS_PLANNER -> of(type);
            });
        }
        return configs;
    }

    /// The most that an agent may ever be given, apart from the orchestrator's own tools and those of servers that a user names
    /// (REQ-OR-008).
    public static List<String> toolCeiling(AgentType type) {
        return switch (type) {
            case RETRIEVER -> WEB;
            case INIT, MERGER, ABLATION, CODER, ENSEMBLER, DEBUGGER, TEST -> WRITE;
            case SUMMARIZE, EXTRACTOR, PLANNER, ENS_PLANNER, LEAKAGE, DATA -> READ;
        };
    }

    /// One value of an agents map (REQ-DM-037): exactly `description`, `prompt`, `tools`, `model`.
    public Map<String, Object> toAgentDefinition(Prompts prompts) {
        Map<String, Object> definition = new LinkedHashMap<>();
        definition.put("description", description);
        definition.put("prompt", systemPrompt == null ? prompts.get(agentType).template() : systemPrompt);
        definition.put("tools", tools);
        definition.put("model", model);
        return definition;
    }

    /// The answer's form for the call (REQ-DM-038, REQ-DM-049); empty for free text.
    public Optional<JsonNode> toOutputFormat() {
        return Optional.ofNullable(outputSchema).map(schema -> JsonNodeFactory.instance.objectNode()
                .put("type", "json_schema").set("schema", JsonSchema.of(schema)));
    }

    /// Word for word where a part gives the words.
    private static String describe(AgentType type) {
        return switch (type) {
            case RETRIEVER -> "Searches the web for models that suit the competition";
            case INIT -> "Writes a first solution script with one given model";
            case MERGER -> "Ensembles a reference solution into a base solution";
            case ABLATION -> "Agent that generates ablation study code to identify impactful solution components";
            case SUMMARIZE -> "Agent that summarizes raw ablation study output into a concise textual summary";
            case EXTRACTOR -> "Agent that identifies the most impactful code block and proposes a refinement plan";
            case CODER -> "Agent that implements a refinement plan on a target code block";
            case PLANNER -> "Agent that proposes the next refinement strategy using feedback from previous attempts";
            case ENS_PLANNER -> "Agent that proposes ensemble strategies for combining L solution scripts";
            case ENSEMBLER -> "Agent that implements an ensemble plan on L solution scripts into a single Python program";
            case DEBUGGER -> "Fixes Python execution errors in solution scripts";
            case LEAKAGE -> "Detects data leakage in preprocessing code";
            case DATA -> "Verifies that the solution uses all provided data sources";
            case TEST -> "Turns a validation solution into a submission script";
        };
    }
}
