package io.mlestar.app.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// An event as it came over HTTP, binary or structured, before Funqy has looked at it.
///
/// @param attribute value of an attribute or extension by name; empty text if there is none
/// @param data missing if there is none
public record Envelope(UnaryOperator<String> attribute, JsonNode data) {
    /// Attributes that every event has.
    public static final List<String> REQUIRED = List.of("id", "source", "type", "specversion");
    private static final String STRUCTURED = "application/cloudevents";
    private static final Pattern JSON =
            Pattern.compile("(?i)(application|text)/([\\w.-]+\\+)?json *(;.*)?");

    /// True also for an event that lacks an attribute.
    public static boolean isEvent(HttpServerRequest request) {
        return isStructured(request) || isBinary(request);
    }

    /// True if the content is the whole event. Headers may repeat its attributes then, and do not
    /// count (HTTP Protocol Binding 1.0.2, 3.2.3).
    public static boolean isStructured(HttpServerRequest request) {
        String content = request.getHeader("Content-Type");
        return content != null
                && content.regionMatches(true, 0, STRUCTURED, 0, STRUCTURED.length());
    }

    /// True if the media type is one of JSON. Case does not matter (RFC 9110, 8.3.1).
    static boolean isJson(String mediaType) {
        return JSON.matcher(mediaType).matches();
    }

    /// Says the type of JSON in the words that Funqy knows: it compares them letter by letter.
    static void nameJson(HttpServerRequest request) {
        String content = request.getHeader("Content-Type");
        if (content != null && isJson(content)) {
            request.headers()
                    .set("Content-Type",
                            isStructured(request) ? STRUCTURED + "+json" : "application/json");
        }
    }

    public static boolean isBinary(HttpServerRequest request) {
        return !isStructured(request)
                && REQUIRED.stream().anyMatch(name -> request.getHeader("ce-" + name) != null);
    }

    /// The event as far as it can be read: data other than a JSON object counts as an empty object.
    /// Empty if the request is no event.
    public static Optional<Envelope> of(RoutingContext context) {
        if (!isEvent(context.request())) {
            return Optional.empty();
        }
        Envelope event;
        try {
            event = strictly(context);
        } catch (HttpError e) {
            event = isBinary(context.request())
                    ? new Envelope(headers(context), Json.object())
                    : new Envelope(name -> "", Json.object());
        }
        return Optional.of(
                event.data().isObject() ? event : new Envelope(event.attribute(), Json.object()));
    }

    /// An event with whatever data it has.
    ///
    /// @throws HttpError if the data is not JSON, or the whole of a structured event is not
    public static Envelope strictly(RoutingContext context) {
        Buffer body = context.body() == null ? null : context.body().buffer();
        Optional<Buffer> said = Optional.ofNullable(body).filter(whole -> whole.length() > 0);
        if (isBinary(context.request())) {
            return new Envelope(headers(context),
                    said.map(data -> json("the event's data", data))
                            .orElse(MissingNode.getInstance()));
        }
        JsonNode event = said.map(whole -> json("the event", whole)).orElseGet(Json::object);
        if (event.has("data_base64")) {
            throw new HttpError(400, "send the data as JSON in data, not in data_base64");
        }
        return new Envelope(name -> {
            JsonNode value = event.path(name);
            return value.isTextual() || value.isNumber() && !REQUIRED.contains(name)
                    ? value.asText()
                    : "";
        }, event.path("data"));
    }

    public String type() {
        return attribute.apply("type");
    }

    /// @throws HttpError if it is not JSON, in UTF-8 (RFC 8259, 8.1)
    public static JsonNode json(String what, Buffer body) {
        try {
            return Json.parse(StandardCharsets.UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(body.getBytes()))
                    .toString());
        } catch (CharacterCodingException e) {
            throw new HttpError(400, what + " is not UTF-8");
        } catch (Invalid e) {
            throw new HttpError(400, what + " is " + e.getMessage());
        }
    }

    private static UnaryOperator<String> headers(RoutingContext context) {
        return name -> plain(
                Objects.requireNonNullElse(context.request().getHeader("ce-" + name), ""));
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
