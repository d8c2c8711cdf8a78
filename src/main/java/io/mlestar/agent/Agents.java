package io.mlestar.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.step.Agent;
import io.mlestar.task.AgentType;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.TaskDescription;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The catalogue: which record asks which agent, by step name.
public final class Agents {
    /// Records by the name of their step; the name's first part is the agent's type.
    public static final Map<String, Class<? extends Agent<?>>> BY_NAME = Map.ofEntries(
            Map.entry("retriever", Retriever.class),
            Map.entry("init", Init.class),
            Map.entry("merger", Merger.class),
            Map.entry("ablation", Ablation.class),
            Map.entry("summarize", Summarize.class),
            Map.entry("extractor", Extractor.class),
            Map.entry("coder", Coder.class),
            Map.entry("planner", Planner.class),
            Map.entry("ens_planner", EnsPlanner.class),
            Map.entry("ensembler", Ensembler.class),
            Map.entry("debugger", Debugger.class),
            Map.entry("leakage", Leakage.class),
            Map.entry("leakage-correction", LeakageCorrection.class),
            Map.entry("data", Data.class),
            Map.entry("test", Test.class),
            Map.entry("test-subsampling_extract", SubsamplingExtract.class),
            Map.entry("test-subsampling_remove", SubsamplingRemove.class),
            Map.entry("test-contamination_check", ContaminationCheck.class));

    private Agents() {}

    /// The task that the input names for its prompts (metric, direction, description); empty if it names none.
    ///
    /// @throws Invalid naming the field of the task that is missing, wrong or unknown
    public static Optional<TaskDescription> task(JsonNode input) {
        return Optional.ofNullable(input.get("task")).map(task -> Json.readStrictly(task, TaskDescription.class));
    }

    /// Reads an agent's input as a user gives it: the record's fields, `variant` for another than the main one, and `task`, which
    /// [#task] reads.
    ///
    /// @throws Invalid naming the field that is missing, wrong or unknown
    public static Agent<?> fromUser(AgentType type, JsonNode input) {
        if (!(input instanceof ObjectNode object)) {
            throw new Invalid("the input of agent " + type.id() + " must be a JSON object");
        }
        ObjectNode fields = object.deepCopy();
        fields.remove("task");
        JsonNode variant = fields.remove("variant");
        boolean main = variant == null || type == AgentType.LEAKAGE && variant.asText().equals("detection");
        String name = main ? type.id() : type.id() + "-" + variant.asText();
        if (!BY_NAME.containsKey(name)) {
            throw new Invalid("variant must be one of " + Stream.concat(Stream.of("none"), BY_NAME.keySet().stream()
                    .filter(known -> known.startsWith(type.id() + "-")).map(known -> known.substring(type.id().length() + 1)))
                    .sorted().collect(Collectors.joining(", ")) + ", but is " + variant);
        }
        return Json.readStrictly(fields, BY_NAME.get(name));
    }
}
