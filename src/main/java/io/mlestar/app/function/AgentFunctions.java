package io.mlestar.app.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.task.AgentType;
import io.quarkus.funqy.Context;
import io.quarkus.funqy.Funq;
import io.quarkus.funqy.knative.events.CloudEvent;
import io.quarkus.funqy.knative.events.CloudEventMapping;
import io.smallrye.mutiny.Uni;

/// One function per agent: `POST /<agent>` with the agent's input, or a step's event at `POST /`.
/// `make manifests` writes the methods.
public class AgentFunctions {
    private final AgentEndpoint endpoint;

    AgentFunctions(AgentEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @Funq("retriever")
    @CloudEventMapping(trigger = "io.mlestar.agent.retriever")
    public Uni<JsonNode> retriever(JsonNode input, @Context CloudEvent<JsonNode> event) {
        return endpoint.agent(AgentType.RETRIEVER, input, event);
    }

    @Funq("init")
    @CloudEventMapping(trigger = "io.mlestar.agent.init")
    public Uni<JsonNode> init(JsonNode input, @Context CloudEvent<JsonNode> event) {
        return endpoint.agent(AgentType.INIT, input, event);
    }

    @Funq("merger")
    @CloudEventMapping(trigger = "io.mlestar.agent.merger")
    public Uni<JsonNode> merger(JsonNode input, @Context CloudEvent<JsonNode> event) {
        return endpoint.agent(AgentType.MERGER, input, event);
    }

    @Funq("ablation")
    @CloudEventMapping(trigger = "io.mlestar.agent.ablation")
    public Uni<JsonNode> ablation(JsonNode input, @Context CloudEvent<JsonNode> event) {
        return endpoint.agent(AgentType.ABLATION, input, event);
    }

    @Funq("summarize")
    @CloudEventMapping(trigger = "io.mlestar.agent.summarize")
    public Uni<JsonNode> summarize(JsonNode input, @Context CloudEvent<JsonNode> event) {
        return endpoint.agent(AgentType.SUMMARIZE, input, event);
    }

    @Funq("extractor")
    @CloudEventMapping(trigger = "io.mlestar.agent.extractor")
    public Uni<JsonNode> extractor(JsonNode input, @Context CloudEvent<JsonNode> event) {
        return endpoint.agent(AgentType.EXTRACTOR, input, event);
    }

    @Funq("coder")
    @CloudEventMapping(trigger = "io.mlestar.agent.coder")
    public Uni<JsonNode> coder(JsonNode input, @Context CloudEvent<JsonNode> event) {
        return endpoint.agent(AgentType.CODER, input, event);
    }

    @Funq("planner")
    @CloudEventMapping(trigger = "io.mlestar.agent.planner")
    public Uni<JsonNode> planner(JsonNode input, @Context CloudEvent<JsonNode> event) {
        return endpoint.agent(AgentType.PLANNER, input, event);
    }

    @Funq("ens_planner")
    @CloudEventMapping(trigger = "io.mlestar.agent.ens_planner")
    public Uni<JsonNode> ensPlanner(JsonNode input, @Context CloudEvent<JsonNode> event) {
        return endpoint.agent(AgentType.ENS_PLANNER, input, event);
    }

    @Funq("ensembler")
    @CloudEventMapping(trigger = "io.mlestar.agent.ensembler")
    public Uni<JsonNode> ensembler(JsonNode input, @Context CloudEvent<JsonNode> event) {
        return endpoint.agent(AgentType.ENSEMBLER, input, event);
    }

    @Funq("debugger")
    @CloudEventMapping(trigger = "io.mlestar.agent.debugger")
    public Uni<JsonNode> debugger(JsonNode input, @Context CloudEvent<JsonNode> event) {
        return endpoint.agent(AgentType.DEBUGGER, input, event);
    }

    @Funq("leakage")
    @CloudEventMapping(trigger = "io.mlestar.agent.leakage")
    public Uni<JsonNode> leakage(JsonNode input, @Context CloudEvent<JsonNode> event) {
        return endpoint.agent(AgentType.LEAKAGE, input, event);
    }

    @Funq("data")
    @CloudEventMapping(trigger = "io.mlestar.agent.data")
    public Uni<JsonNode> data(JsonNode input, @Context CloudEvent<JsonNode> event) {
        return endpoint.agent(AgentType.DATA, input, event);
    }

    @Funq("test")
    @CloudEventMapping(trigger = "io.mlestar.agent.test")
    public Uni<JsonNode> test(JsonNode input, @Context CloudEvent<JsonNode> event) {
        return endpoint.agent(AgentType.TEST, input, event);
    }
}
