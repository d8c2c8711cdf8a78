package io.mlestar.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// An event as it came over HTTP, binary or structured, before Funqy has looked at it.
///
/// @param attribute value of an attribute or extension by name; empty text if there is none
/// @param data empty object if there is none, or none that is JSON
record Envelope(UnaryOperator<String> attribute, JsonNode data) {
    private static final String STRUCTURED = "application/cloudevents";

    static boolean isEvent(HttpServerRequest request) {
        String content = request.getHeader("Content-Type");
        return request.getHeader("ce-id") != null || content != null && content.startsWith(STRUCTURED);
    }

    /// Empty if the request is no event.
    static Optional<Envelope> of(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (!isEvent(request)) {
            return Optional.empty();
        }
        JsonNode body = body(context);
        return Optional.of(request.getHeader("ce-id") != null
                ? new Envelope(name -> plain(Optional.ofNullable(request.getHeader("ce-" + name)).orElse("")), body)
                : new Envelope(name -> body.path(name).asText(""), body.path("data").isObject() ? body.get("data") : Json.object()));
    }

    String type() {
        return attribute.apply("type");
    }

    private static JsonNode body(RoutingContext context) {
        Buffer body = context.body() == null ? null : context.body().buffer();
        try {
            JsonNode json = body == null ? Json.object() : Json.parse(body.toString());
            return json.isObject() ? json : Json.object();
        } catch (Invalid e) {
            return Json.object();
        }
    }

    /// Headers carry what is not plain ASCII in percent signs.
    private static String plain(String header) {
        try {
            return URLDecoder.decode(header.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return header;
        }
    }
}
