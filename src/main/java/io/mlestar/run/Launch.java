package io.mlestar.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.agent.Prompts;
import io.mlestar.llm.Models;
import io.mlestar.sandbox.Machine;
import io.mlestar.step.StepPath;
import io.mlestar.task.AgentType;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.PipelineConfig;
import io.mlestar.task.TaskDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Checks all that a run is started with, before anything is paid for (REQ-OR-002).
public record Launch(Models models, Prompts prompts, Machine machine, String version, Map<String, String> environment) {
    /// @param runId chosen by the user; empty for one made from `origin`
    /// @param origin what makes a run id unique, e.g. the id of the event that asked for the run
    /// @param task as the user wrote it; a relative `data_dir` is looked for in `base`
    /// @throws Invalid naming what is wrong
    public RunHeader header(Optional<String> runId, String origin, JsonNode task, JsonNode config, Path base, Instant now) {
        TaskDescription described = Json.readStrictly(task, TaskDescription.class);
        String id = StepPath.root(runId.orElseGet(() -> described.competitionId().replaceAll("[^A-Za-z0-9._-]", "-") + "-"
                + HexFormat.of().toHexDigits(origin.hashCode()))).run();
        Path data = base.resolve(described.dataDir()).toAbsolutePath().normalize();
        checkData(data);
        PipelineConfig resolved = PipelineConfig.resolve(config, environment);
        for (AgentType agent : AgentType.values()) {
            models.get(resolved.modelOf(agent));
        }
        return new RunHeader(id, described.withDataDir(data.toString()), resolved, machine.describe(), version, prompts.digest(), now,
                now.plusSeconds(resolved.timeLimitSeconds()));
    }

    /// What an event asks for: `{"run_id"?, "task", "config"?, "model"?}`.
    public RunHeader header(JsonNode requested, String origin, Path base, Instant now) {
        if (!requested.path("task").isObject()) {
            throw new Invalid("task is required");
        }
        ObjectNode config = requested.path("config").isObject() ? requested.path("config").deepCopy() : Json.object();
        if (requested.hasNonNull("model")) {
            config.set("model", requested.get("model"));
        }
        Optional<String> runId = Optional.ofNullable(requested.get("run_id")).filter(JsonNode::isTextual).map(JsonNode::asText);
        return header(runId, origin, requested.get("task"), config, base, now);
    }

    private static void checkData(Path data) {
        if (!Files.isDirectory(data)) {
            throw new Invalid("data_dir " + data + " is not a folder");
        }
        try (Stream<Path> files = Files.walk(data)) {
            if (files.noneMatch(Files::isRegularFile)) {
                throw new Invalid("data_dir " + data + " holds no file");
            }
        } catch (IOException e) {
            throw new Invalid("data_dir " + data + " cannot be read: " + e.getMessage());
        }
    }
}
