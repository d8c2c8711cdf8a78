package io.mlestar.interfaces;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.grade.Grade;
import io.mlestar.core.agent.Agents;
import io.mlestar.core.base.Json;
import io.mlestar.core.phase.Phases;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.result.RunTally;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Note;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.Results;
import module java.base;

/// JSON Schemas (2020-12) of the objects of a store, and which key holds which.
final class StoreSchemas {
    private static final String PLACE = "#/$defs/";
    private final RecordSchemas schemas = new RecordSchemas(PLACE, true);

    static ObjectNode document() {
        return new StoreSchemas().whole();
    }

    private ObjectNode whole() {
        ObjectNode document = Json.object().put("$schema", "https://json-schema.org/draft/2020-12/schema")
                .put("title", "The store of MLE-STAR on Knative")
                .put("description",
                        "Each object is created once and never changed. Records have as their last fields"
                                + " `program`, who wrote it, `format`, which grows when older programs could not read it, and `sha256`, the digest of all bytes"
                                + " before that field; only the result of a step may be without. Whoever reads them must take fields that are not known yet.");
        ObjectNode keys = document.putObject("x-objects");
        keys().forEach((key, schema) -> keys.putObject(key).put("$ref", PLACE + schema));
        List.of(RunHeader.class, StepRequest.class, StepResult.class, Note.class, Extension.class, RunTally.class,
                Results.FinalResult.class, Grade.class)
                .forEach(schemas::reference);
        inputs();
        results();
        ObjectNode all = document.putObject("$defs");
        all.setAll(Interfaces.yaml("store.yaml"));
        all.setAll(schemas.definitions());
        List.of("log_level", "log_file", "log_format")
                .forEach(field -> all.withObject("/PipelineConfig/properties").putObject(field)
                        .put("description", "in runs of version 0.1.0; not heeded any more"));
        return document;
    }

    /// Keys as people write them: a star stands for anything.
    private static Map<String, String> keys() {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("runs/*/run.json", "RunHeader");
        keys.put("runs/*/steps.request.json", "StepRequest");
        keys.put("runs/*/steps.result.json", "StepResult");
        keys.put("runs/*/steps/*.request.json", "StepRequest");
        keys.put("runs/*/steps/*.result.json", "StepResult");
        keys.put("runs/*/steps*.begun-*.json", "Begun");
        keys.put("runs/*/steps*.ended-*.json", "Ended");
        keys.put("runs/*/steps*.memory-*.json", "MemoryShort");
        keys.put("runs/*/steps*.sent-*.json", "Sent");
        keys.put("runs/*/note-*.json", "Note");
        keys.put("runs/*/extension-*.json", "Extension");
        keys.put("runs/*/cancelled.json", "Mark");
        keys.put("runs/*/closed-*.json", "Mark");
        keys.put("runs/*/warned-*.json", "Mark");
        keys.put("runs/*/tally.json", "RunTally");
        keys.put("runs/*/announced.json", "Mark");
        keys.put("runs/*/prompted-*.json", "Mark");
        keys.put("runs/*/halted-*.json", "Halted");
        keys.put("runs/*/refused-*.json", "Refused");
        keys.put("runs/*/trace.json", "TraceContext");
        keys.put("runs/*/result.json", "FinalResult");
        keys.put("runs/*/failed.json", "Failure");
        keys.put("runs/*/grade.json", "Grade");
        keys.put("spending/*/*/*.begun-*", "SpendingBegun");
        keys.put("spending/*/*/*.ended-*", "Mark");
        return keys;
    }

    /// Says what a request asks for, by its kind of work.
    private void inputs() {
        Map<String, List<ObjectNode>> byWork = new TreeMap<>();
        byWork.put("script", List.of(schemas.reference(RunScript.class)));
        Arithmetic.KINDS.forEach(
                (kind, arithmetic) -> byWork.put("arithmetic/" + kind, List.of(schemas.reference(arithmetic))));
        for (AgentType agent : AgentType.values()) {
            byWork.put("agent/" + agent.id(),
                    Inputs.steps(agent).stream().map(step -> schemas.reference(Agents.BY_NAME.get(step))).toList());
        }
        Phases.BY_KIND.forEach((kind, phase) -> byWork.put("phase/" + kind, List.of(schemas.reference(phase))));
        ObjectNode request = schemas.definitions().get("StepRequest");
        ObjectNode work = (ObjectNode) request.path("properties").path("work");
        work.set("enum", Json.tree(byWork.keySet()));
        ArrayNode cases = request.putArray("allOf");
        byWork.forEach((kind, records) -> {
            ObjectNode one = cases.addObject();
            one.putObject("if").putObject("properties").putObject("work").put("const", kind);
            one.putObject("then").putObject("properties").set("input",
                    records.size() == 1 ? records.getFirst() : Json.object().set("anyOf", Json.tree(records)));
        });
    }

    /// Says what came back, of an agent, a script, arithmetic or a phase.
    private void results() {
        ArrayNode either = Json.object().putArray("anyOf");
        either.add(schemas.reference(Answer.class)).add(schemas.reference(StepResult.StoredExecution.class));
        Stream.concat(Arithmetic.KINDS.values().stream(), Phases.BY_KIND.values().stream()).map(StoreSchemas::result)
                .distinct().map(schemas::reference)
                .map(ObjectNode::toString).sorted().map(Json::parse)
                .forEach(either::add);
        either.addObject().put("type", "null");
        ((ObjectNode) schemas.definitions().get("StepResult").path("properties").path("value")).set("anyOf", either);
    }

    /// A phase may be one of a kind, as the first phase of each search is.
    private static Class<?> result(Class<?> step) {
        for (Type type : step.getGenericInterfaces()) {
            if (type instanceof ParameterizedType parameterized) {
                return (Class<?>) parameterized.getActualTypeArguments()[0];
            }
        }
        return result(step.getInterfaces()[0]);
    }
}
