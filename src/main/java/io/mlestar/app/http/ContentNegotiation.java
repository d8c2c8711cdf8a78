package io.mlestar.app.http;

import io.mlestar.core.base.Invalid;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.stream.Stream;

/// What a request says about who asks: a browser that wants a page, or a program that wants JSON.
public final class ContentNegotiation {
    /// Forms of an answer, the one for those who do not care first.
    public enum MediaType {
        JSON, HTML, EVENTS
    }

    private ContentNegotiation() {}

    /// What is wanted most; what comes first where several are wanted alike.
    public static MediaType form(RoutingContext context) {
        return context.parsedHeaders().accept().stream().flatMap(type -> switch (type.value().strip().toLowerCase(Locale.ROOT)) {
            case "text/html" -> Stream.of(MediaType.HTML);
            case "text/event-stream" -> Stream.of(MediaType.EVENTS);
            case "application/json", "application/*", "*/*" -> Stream.of(MediaType.JSON);
            default -> Stream.empty();
        }).findFirst().orElse(MediaType.JSON);
    }

    /// A whole number of the query; `otherwise` if there is none.
    public static int number(RoutingContext context, String name, int otherwise) {
        String text = context.request().getParam(name);
        if (text == null) {
            return otherwise;
        }
        if (!text.matches("\\d{1,9}")) {
            throw new Invalid(name + " must be a whole number");
        }
        return Integer.parseInt(text);
    }
}
