package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Waiting;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.adapter.tool.ToolRefused;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Price;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.TaskType;
import module java.base;

/// Requests of agents, and the same with something changed.
final class Questions {
    static final Price PRICE = new Price(3, 15, 0.3, 3.75);

    private Questions() {}

    /// A tool that says what it was given, and refuses one thing.
    private record Echo() implements Tool {
        @Override
        public String name() {
            return "Read";
        }

        @Override
        public String description() {
            return "Reads a file.";
        }

        @Override
        public JsonNode parameters() {
            return Json.parse("""
                    {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"],
                     "additionalProperties": false}""");
        }

        @Override
        public String call(JsonNode arguments) {
            if (arguments.path("path").asText().equals("secret")) {
                throw new ToolRefused("that is not yours to read");
            }
            return "the content of " + arguments.path("path").asText();
        }
    }

    /// The question of a step of a run.
    static ModelRequest question() {
        return of("Write it.", List.of());
    }

    static ModelRequest withTools() {
        return of("Write it.", List.of(new Echo()));
    }

    static ModelRequest of(String prompt, List<Tool> tools) {
        return new ModelRequest(Optional.of(StepPath.parse("run-7/phase1/candidate0/init")), "init",
                "You are a grandmaster.", prompt, tools, 20, Optional.empty(), Optional.of(PRICE), Waiting.MOST,
                ModelRequest.Traits.NONE);
    }

    /// The question that the agent asks in a run.
    static ModelRequest of(Agent<?> agent, boolean canSearch, Function<List<String>, List<Tool>> tools) {
        TaskDescription task = new TaskDescription("t", TaskType.TABULAR, DataModality.TABULAR, "AUC",
                MetricDirection.MAXIMIZE, "Predict y.", null, null);
        return ModelRequest.of(Optional.empty(), agent, Prompts.load(Map.of()),
                new RunContext(task, PipelineConfig.defaults(), "no GPU"), Waiting.MOST, tools, canSearch);
    }

    static ModelRequest within(Duration timeout, ModelRequest of) {
        return copy(of, of.outputFormat(), of.price(), timeout);
    }

    static ModelRequest at(Price price, ModelRequest of) {
        return copy(of, of.outputFormat(), Optional.ofNullable(price), of.timeout());
    }

    static ModelRequest inForm(Optional<JsonNode> format, ModelRequest of) {
        return copy(of, format, of.price(), of.timeout());
    }

    private static ModelRequest copy(ModelRequest of, Optional<JsonNode> format, Optional<Price> price,
            Duration timeout) {
        return new ModelRequest(of.step(), of.agent(), of.system(), of.prompt(), of.tools(), of.turns(), format, price,
                timeout, of.traits());
    }
}
