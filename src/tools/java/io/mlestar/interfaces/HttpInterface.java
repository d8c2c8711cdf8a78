package io.mlestar.interfaces;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Functions.Spec;
import io.mlestar.core.event.Functions;
import io.mlestar.core.task.AgentType;
import io.mlestar.show.view.Comparison;
import io.mlestar.show.view.RunState;
import io.mlestar.show.view.StepDetail;
import io.mlestar.show.view.StepRow;
import module java.base;

/// OpenAPI 3.1 of all routes and events: those of `openapi.yaml`, and one route for each function.
final class HttpInterface {
    private static final String PLACE = "#/components/schemas/";
    private static final Set<String> METHODS = Set.of("get", "post", "delete");
    private final RecordSchemas schemas = new RecordSchemas(PLACE, false);
    private final Inputs inputs = new Inputs(schemas);
    private final ObjectNode document = Interfaces.yaml("openapi.yaml");

    static ObjectNode document(String version) {
        return new HttpInterface().whole(version);
    }

    private ObjectNode whole(String version) {
        document.withObject("/info").put("version", version);
        inputs.ofRuns();
        Functions.ALL.forEach(this::function);
        List.of(RunState.class, Comparison.class, StepRow.class, StepDetail.class).forEach(schemas::reference);
        ObjectNode all = document.withObject("/components/schemas");
        all.setAll(Interfaces.yaml("events.yaml"));
        ArrayNode types = all.putObject("EventType").put("description", "which function takes the event")
                .put("type", "string").putArray("enum");
        Functions.ALL.forEach(function -> types.add(function.type()));
        all.setAll(schemas.definitions());
        // An agent's answer stands in its reply.
        String said = document.toString();
        List.copyOf(schemas.definitions().keySet()).stream().filter(name -> !said.contains("\"" + PLACE + name + "\""))
                .forEach(all::remove);
        document.path("paths")
                .forEach(path -> path.properties().stream().filter(operation -> METHODS.contains(operation.getKey()))
                        .forEach(operation -> common(operation.getKey(), (ObjectNode) operation.getValue())));
        return document;
    }

    /// Adds what all operations have.
    private static void common(String method, ObjectNode operation) {
        ArrayNode security = operation.putArray("security");
        if (method.equals("get")) {
            security.addObject();
        }
        security.addObject().putArray("token");
        ObjectNode responses = operation.withObject("/responses");
        for (String status : List.of("4XX", "501", "503")) {
            if (!responses.has(status)) {
                responses.putObject(status).put("$ref", "#/components/responses/Problem");
            }
        }
    }

    private void function(Spec function) {
        ObjectNode operation = Json.object();
        String name = Arrays.stream(function.export().split("[-_]"))
                .map(part -> part.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + part.substring(1))
                .collect(Collectors.joining());
        switch (function.kind()) {
            case AGENT ->
                agent(operation.put("operationId", "ask" + name), AgentType.of(function.export()).orElseThrow());
            case PHASE -> event(operation.put("operationId", "goOnWith" + name).put("summary",
                    "Lets a phase of this kind go on as far as what is known reaches."),
                    "Work");
            case SCRIPT ->
                event(operation.put("operationId", "begin" + name).put("summary",
                        "Takes a script. It is answered before the script has run."), "Work");
            case RUN -> run(operation, function.export());
        }
        document.withObject("/paths").putObject("/" + function.export()).set("post", operation);
    }

    private void agent(ObjectNode operation, AgentType agent) {
        operation.put("summary", "One question to this agent, and its answer with what it cost.").putArray("tags")
                .add("agents");
        List<String> steps = Inputs.steps(agent);
        body(operation, oneOf(steps.stream().map(step -> inputs.asked(agent, step)).toList()));
        ObjectNode responses = operation.putObject("responses");
        responses.putObject("200").put("description", "the answer").withObject("/content").putObject("application/json")
                .set("schema", anyOf(steps.stream().map(inputs::answered).distinct().toList()));
        responses.putObject("204").put("description", "The request was an event, and its step has been done.");
        responses.putObject("502")
                .put("description", "The model gave nothing that can be read as an answer of this agent.").setAll(
                        (ObjectNode) Json.object().set("content",
                                document.at("/components/responses/Problem/content")));
    }

    private void run(ObjectNode operation, String export) {
        switch (export) {
            case "run-requested" -> {
                event(operation.put("operationId", "startRun").put("summary",
                        "Starts a run; one that has been started by this name is not started again."),
                        "RunRequested");
                operation.putObject("responses").putObject("202").put("$ref", "#/components/responses/Started");
            }
            case "run-cancelled" -> event(
                    operation.put("operationId", "stopRun").put("summary", "As `/runs/{run}/cancel`."), "RunCancelled");
            case "sweep" -> {
                event(operation.put("operationId", "sweep").put("summary", "Sends again what was lost."), "Work");
                operation.remove("requestBody");
            }
            case "dead-letter" -> event(operation.put("operationId", "failStep").put("summary",
                    "Fails a step that nobody will do. As an event of any type: what a broker could not deliver."),
                    "DeadLetter");
            default -> throw new IllegalArgumentException("say in HttpInterface what POST /" + export + " takes");
        }
    }

    private void event(ObjectNode operation, String data) {
        operation.putArray("tags").add("events");
        body(operation, schemas.named(data));
        operation.putObject("responses").putObject("204").put("description", "it is done, or will be");
    }

    private static void body(ObjectNode operation, JsonNode schema) {
        operation.putObject("requestBody").put("required", true).withObject("/content").putObject("application/json")
                .set("schema", schema);
    }

    private static ObjectNode oneOf(List<ObjectNode> schemas) {
        return several("oneOf", schemas);
    }

    private static ObjectNode anyOf(List<ObjectNode> schemas) {
        return several("anyOf", schemas);
    }

    private static ObjectNode several(String how, List<ObjectNode> schemas) {
        return schemas.size() == 1 ? schemas.getFirst() : Json.object().set(how, Json.tree(schemas));
    }
}
