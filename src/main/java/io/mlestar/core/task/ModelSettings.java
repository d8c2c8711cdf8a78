package io.mlestar.core.task;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.mlestar.core.base.Invalid;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The models that the agents ask.
///
/// @param model `provider:name` of the model that all agents use unless `agents` says otherwise
/// @param agents settings of single agents, by agent type
/// @param prices by model, as `provider:name`; add to the built-in ones
/// @param providerSearch whether a model's provider may search the web for an agent that may search
public record ModelSettings(
        @JsonProperty(defaultValue = "sonnet") String model,
        @JsonProperty(defaultValue = "{}") Map<String, AgentSettings> agents,
        @JsonProperty(defaultValue = "{}") Map<String, Price> prices,
        @JsonProperty(defaultValue = "true") boolean providerSearch) {

    /// Begins the names of models whose answers come from a folder.
    public static final String RECORDED = "recorded:";

    /// Settings for one agent that differ from the run's.
    ///
    /// @param model null is the run's
    /// @param tools names of the tools in all its calls, in place of its own list; empty is no
    ///   tools at all; null is its own list. Which ones it may have, its definition says
    ///   (REQ-OR-008).
    public record AgentSettings(@Nullable String model, @Nullable List<String> tools) {
        private AgentSettings checked(String field) {
            if (model != null) {
                Invalid.text(field + ".model", model, TaskDescription.LONGEST_PATH);
            }
            if (tools == null) {
                return this;
            }
            Invalid.size(field + ".tools", tools.size(), 100);
            return new AgentSettings(model, Invalid.list(field + ".tools", tools));
        }
    }

    public ModelSettings {
        model = Invalid.text("model", model, TaskDescription.LONGEST_PATH);
        Map<String, AgentSettings> each = new TreeMap<>();
        agents.forEach((agent, settings) -> {
            if (AgentType.of(agent).isEmpty()) {
                throw new Invalid("agents." + agent + " is not the name of an agent"
                        + AgentType.meant(agent));
            }
            each.put(agent,
                    Invalid.required("agents." + agent, settings).checked("agents." + agent));
        });
        agents = Collections.unmodifiableMap(each);
        prices = Map.copyOf(prices);
        Invalid.size("prices", prices.size(), 1_000);
    }

    /// True if a model's answers come from a folder, and no provider is asked.
    ///
    /// @param model its full name
    public static boolean isRecorded(String model) {
        return model.startsWith(RECORDED);
    }

    /// The model that one agent asks.
    public String modelOf(AgentType agent) {
        AgentSettings settings = agents.get(agent.id());
        return settings == null || settings.model() == null ? model : settings.model();
    }

    /// The models of all agents, each once.
    public List<String> used() {
        return Arrays.stream(AgentType.values()).map(this::modelOf).distinct().toList();
    }

    /// The tools that `agents` gives one agent in place of its own; empty leaves them.
    public Optional<List<String>> toolsOf(AgentType agent) {
        return Optional.ofNullable(agents.get(agent.id())).map(AgentSettings::tools);
    }
}
