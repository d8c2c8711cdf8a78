package io.mlestar.function;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.agent.AgentConfig;
import io.mlestar.agent.Agents;
import io.mlestar.engine.Engine;
import io.mlestar.event.Event;
import io.mlestar.llm.AgentCaller;
import io.mlestar.llm.ModelRequest;
import io.mlestar.sandbox.Machine;
import io.mlestar.step.Agent;
import io.mlestar.step.Answer;
import io.mlestar.step.Brief;
import io.mlestar.task.AgentType;
import io.mlestar.task.DataModality;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.MetricDirection;
import io.mlestar.task.PipelineConfig;
import io.mlestar.task.TaskDescription;
import io.mlestar.task.TaskType;
import io.quarkus.funqy.knative.events.CloudEvent;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Optional;

/// What stands behind an agent's function: a step's event is worked on, plain JSON is one question without a run.
@Singleton
public class Door {
    private final Engine engine;
    private final AgentCaller asker;
    private final Machine machine;
    private final CurrentVertxRequest request;

    Door(Engine engine, AgentCaller asker, Machine machine, CurrentVertxRequest request) {
        this.engine = engine;
        this.asker = asker;
        this.machine = machine;
        this.request = request;
    }

    Uni<JsonNode> agent(AgentType type, JsonNode input, CloudEvent<JsonNode> event) {
        if (event == null) {
            return Uni.createFrom().item(ask(type, input));
        }
        engine.work(Event.stepOf(input));
        // Funqy would answer an event with another event, with no data. The broker wants none, so the answer is given here
        // and Funqy never hears of one.
        request.getCurrent().response().setStatusCode(204).end();
        return Uni.createFrom().nothing();
    }

    private JsonNode ask(AgentType type, JsonNode input) {
        if (input == null) {
            throw new Invalid("the input of agent " + type.id() + " must be a JSON object");
        }
        Agent<?> agent = Agents.ALL.fromUser(type, input);
        PipelineConfig config = PipelineConfig.resolve(Json.object(), System.getenv());
        return output(asker, agent, alone(Agents.task(input), config, machine));
    }

    /// Asks an agent outside any run.
    ///
    /// @return the agent's output, and what it cost
    public static ObjectNode output(AgentCaller asker, Agent<?> agent, Brief brief) {
        Answer answer = asker.ask(Optional.empty(), agent, brief, ModelRequest.LONGEST);
        ObjectNode output = (ObjectNode) Json.tree(answer.readBy(agent));
        return output.set("usage", Json.tree(answer.usage()));
    }

    /// The brief of an agent that is asked outside any run.
    ///
    /// @param task that the input named; empty stands for one whose scores are better the higher they are
    /// @throws Invalid if the configuration gives an agent a tool that it must not have
    public static Brief alone(Optional<TaskDescription> task, PipelineConfig config, Machine machine) {
        AgentConfig.of(config);
        return new Brief(task.orElseGet(() -> new TaskDescription("single-call", TaskType.TABULAR, DataModality.MIXED,
                "the task's own metric", MetricDirection.MAXIMIZE, "A single question, outside any competition.", null, null)),
                config, machine.describe());
    }
}
