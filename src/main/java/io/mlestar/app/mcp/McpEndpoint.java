package io.mlestar.app.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.http.Envelope;
import io.mlestar.app.http.HttpError;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;
import jakarta.enterprise.event.Observes;

/// Refuses what is no message of MCP, before and after the library reads it: the library answers
/// 500 to JSON that is no message, trusts the types of a message's fields, and fails to check a
/// call whose arguments are missing or are no object.
class McpEndpoint {
    private static final int BEFORE_THE_LIBRARY = -940;
    private static final int BEFORE_THE_ANSWER = -1001;
    /// The error code of JSON-RPC 2.0, 5.1.
    private static final int INVALID_PARAMS = -32602;

    void install(@Observes Router router) {
        router.post("/mcp").order(BEFORE_THE_LIBRARY).handler(context -> {
            JsonNode said = Envelope.json("the message", context.body().buffer());
            if (!said.isObject()
                    && !(said.isArray() && !said.isEmpty()
                            && said.valueStream().allMatch(JsonNode::isObject))) {
                throw new HttpError(400, "a message must be a JSON object");
            }
            if (said.path("params") instanceof ObjectNode call && call.has("name")
                    && !call.path("arguments").isObject()) {
                if (call.has("arguments")) {
                    refuse(context, said,
                            "arguments must be a JSON object, e.g. {\"run_id\": \"titanic-7\"}");
                    return;
                }
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

    private static void refuse(RoutingContext context, JsonNode message, String reason) {
        ObjectNode answer = Json.object()
                .put("jsonrpc", "2.0")
                .set("id",
                        message.path("id").isValueNode() ? message.get("id") : null);
        answer.putObject("error").put("code", INVALID_PARAMS).put("message", reason);
        context.response().putHeader("Content-Type", "application/json").end(Json.line(answer));
    }
}
