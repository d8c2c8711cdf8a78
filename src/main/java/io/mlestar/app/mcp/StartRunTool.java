package io.mlestar.app.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.app.start.Launch;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.JsonSchema;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// `start_run`: what the event `io.mlestar.run.requested` does, with the same data and the same rules.
///
/// @param begin sets the run going
record StartRunTool(Records records, Launch launch, Consumer<RunHeader> begin) implements Tool {
    private static final Set<String> DEFAULTED = Set.of("data_dir", "output_dir");

    @Override
    public String name() {
        return "start_run";
    }

    @Override
    public String description() {
        return "Starts a run of the whole pipeline, which asks models (that costs money) and trains scripts for minutes to hours; run_status follows it. "
                + "With a run_id, asking again starts nothing new. Either task or fork is needed.";
    }

    @Override
    public JsonNode parameters() {
        ObjectNode schema = Json.object().put("type", "object").put("additionalProperties", false);
        ObjectNode properties = schema.putObject("properties");
        ObjectNode task = JsonSchema.of(TaskDescription.class);
        ArrayNode required = Json.object().arrayNode();
        task.path("required").forEach(field -> {
            if (!DEFAULTED.contains(field.asText())) {
                required.add(field);
            }
        });
        task.set("required", required);
        properties.set("task", task.put("description", "what is to be solved; data_dir is an absolute path on the server's machine"));
        List<String> settings = new ArrayList<>();
        Json.tree(PipelineConfig.defaults()).fieldNames().forEachRemaining(settings::add);
        properties.putObject("config").put("type", "object").put("description",
                "settings that differ from the defaults, e.g. {\"max_budget_usd\": 2, \"time_limit_seconds\": 3600}; known are " + String.join(", ", settings));
        properties.putObject("model").put("type", "string").put("description", "provider:name; the server's own if left out");
        properties.putObject("run_id").put("type", "string").put("description", "a name of its own for the run");
        ObjectNode fork = properties.putObject("fork").put("type", "object").put("additionalProperties", false).put("description",
                "in place of a task: another run, whose finished steps this one shares");
        fork.putObject("properties").putObject("run").put("type", "string");
        fork.withObject("/properties").putObject("at").put("type", "string").put("description", "step at which the new run goes its own way");
        fork.putArray("required").add("run");
        schema.putArray("required");
        return schema;
    }

    @Override
    public String call(JsonNode wish) {
        Instant now = Instant.now();
        RunHeader run = launch.requested(records, wish, "mcp " + now, Path.of(""), now);
        begin.accept(run);
        return Json.line(Json.object().put("run_id", run.runId()).put("page", "/runs/" + run.runId()).put("model", run.config().model())
                .put("deadline", run.deadline().toString()));
    }
}
