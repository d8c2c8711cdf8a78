package io.mlestar.app.http;

import io.mlestar.core.base.Invalid;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.stream.Stream;

/// Tells browsers, which want a page, from programs, which want JSON.
public final class ContentNegotiation {
    /// Forms of an answer. The first is for clients that name none.
    public enum MediaType {
        JSON, HTML
    }

    private ContentNegotiation() {}

    /// The form that the client prefers; of several equal ones the first.
    public static MediaType form(RoutingContext context) {
        return context.parsedHeaders()
                .accept()
                .stream()
                .flatMap(type -> switch (type.value().strip().toLowerCase(Locale.ROOT)) {
                    case "text/html" -> Stream.of(MediaType.HTML);
                    case "application/json", "application/*", "*/*" -> Stream.of(MediaType.JSON);
                    default -> Stream.empty();
                })
                .findFirst()
                .orElse(MediaType.JSON);
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
