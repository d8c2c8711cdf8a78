package io.mlestar.app.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.http.Envelope;
import io.mlestar.app.http.HttpError;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.impl.RoutingContextInternal;
import jakarta.enterprise.event.Observes;

/// Refuses what is no message of MCP, before and after the library reads it: the library answers 500 to JSON that is no message, trusts the types
/// of a message's fields, and fails to check a call that has no arguments.
class McpEndpoint {
    private static final int BEFORE_THE_LIBRARY = -940;
    private static final int BEFORE_THE_ANSWER = -1001;

    void install(@Observes Router router) {
        router.post("/mcp").order(BEFORE_THE_LIBRARY).handler(context -> {
            JsonNode said = Envelope.json("the message", context.body().buffer());
            if (!said.isObject() && !(said.isArray() && !said.isEmpty() && said.valueStream().allMatch(JsonNode::isObject))) {
                throw new HttpError(400, "a message must be a JSON object");
            }
            if (said.path("params") instanceof ObjectNode call && call.has("name") && !call.has("arguments")) {
                call.putObject("arguments");
                ((RoutingContextInternal) context).setBody(Buffer.buffer(Json.line(said)));
            }
            context.next();
        });
        router.post("/mcp").order(BEFORE_THE_ANSWER).failureHandler(context -> {
            switch (context.failure()) {
                case Invalid _ -> context.next();
                case ClassCastException _,IllegalArgumentException _,IllegalStateException _,NullPointerException _ ->
                    context.fail(new HttpError(400, "the message is not as MCP has it"));
                case null, default -> context.next();
            }
        });
    }
}
