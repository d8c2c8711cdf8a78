package io.mlestar.interfaces;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.event.Functions.FunctionKind;
import io.mlestar.core.event.Functions.Spec;
import io.mlestar.core.event.Functions;
import java.util.List;
import java.util.stream.Stream;

/// AsyncAPI 3 of the CloudEvents: one message for each type, with its attributes as the headers of binary mode.
final class EventInterface {
    private static final int LONGEST = 1_000;
    private final RecordSchemas schemas = new RecordSchemas("#/components/schemas/", false);
    private final ObjectNode document = Json.object();

    static ObjectNode document(String version) {
        return new EventInterface().whole(version);
    }

    private ObjectNode whole(String version) {
        document.put("asyncapi", "3.0.0");
        document.putObject("info").put("title", "Events of MLE-STAR on Knative").put("version", version).put("description",
                "CloudEvents 1.0 with JSON data, binary or structured. Events inside a run are claim checks: they name a step, and what is to be done lies in the"
                        + " store (/schemas.json). They come at least once, in any order; whoever takes one twice does nothing the second time.");
        document.put("defaultContentType", "application/json");
        document.putObject("servers").putObject("local").put("host", "localhost:8080").put("protocol", "http").put("description",
                "where `mlestar serve` listens; on Knative the Broker, whose Triggers lead to the functions");
        document.putObject("channels").putObject("broker").put("address", "/").putObject("messages");
        operation("takeWishes", "receive", "What others ask of the program.", Stream.of(Event.RUN_REQUESTED, Event.RUN_CANCELLED));
        operation("tellEnds", "send", "What the program tells others.", Stream.of(Event.RUN_COMPLETED, Event.RUN_FAILED));
        operation("askForWork", "send", "What functions ask of each other.", inside());
        operation("doWork", "receive", "What functions ask of each other.", inside());
        operation("keepOrder", "receive", "What the clock and the broker send.", Stream.of(Event.SWEEP, Event.DEAD_LETTER));
        message(Event.RUN_REQUESTED, "RunRequested", "Somebody wants a run. Source and id make it idempotent.");
        message(Event.RUN_CANCELLED, "RunCancelled", "Somebody wants a run to finish now.");
        message(Event.RUN_COMPLETED, "RunCompleted", "A run has ended with a result.");
        message(Event.RUN_FAILED, "RunFailed", "A run has ended without a result, or was refused.");
        message(Event.SWEEP, "Sweep", "A PingSource's tick: lost steps are sent again.");
        message(Event.DEAD_LETTER, "DeadLetter", "A step that nobody will do.");
        inside().forEach(type -> message(type, "Work", type.equals(Event.SCRIPT) ? "Run this script." : "Work on this step."));
        headers(Event.SCRIPT).withObject("/properties").putObject("ce-" + Event.HARDWARE).put("type", "string").put("description",
                "kind of machine, by which a Trigger chooses");
        new Inputs(schemas).ofRuns();
        ObjectNode all = document.withObject("/components/schemas");
        all.setAll(Interfaces.yaml("events.yaml"));
        all.setAll(schemas.definitions());
        return document;
    }

    private static Stream<String> inside() {
        return Functions.ALL.stream().filter(function -> function.kind() != FunctionKind.RUN).map(Spec::type);
    }

    private void operation(String name, String action, String summary, Stream<String> types) {
        ObjectNode operation = document.withObject("/operations").putObject(name).put("action", action).put("summary", summary);
        operation.putObject("channel").put("$ref", "#/channels/broker");
        ArrayNode messages = operation.putArray("messages");
        types.forEach(type -> messages.addObject().put("$ref", "#/channels/broker/messages/" + type));
    }

    private ObjectNode headers(String type) {
        return (ObjectNode) document.path("components").path("messages").path(type).path("headers");
    }

    private void message(String type, String data, String summary) {
        ((ObjectNode) document.at("/channels/broker/messages")).putObject(type).put("$ref", "#/components/messages/" + type);
        ObjectNode message = document.withObject("/components/messages").putObject(type).put("name", type).put("summary", summary)
                .put("contentType", "application/json");
        ObjectNode headers = message.putObject("headers").put("type", "object");
        ObjectNode attributes = headers.putObject("properties");
        attributes.putObject("ce-specversion").put("const", "1.0");
        attributes.putObject("ce-type").put("const", type);
        for (String name : List.of("ce-source", "ce-id", "ce-subject")) {
            attributes.putObject(name).put("type", "string").put("minLength", 1).put("maxLength", LONGEST);
        }
        headers.set("required", Json.tree(List.of("ce-specversion", "ce-type", "ce-source", "ce-id")));
        message.set("payload", schemas.named(data));
    }
}
