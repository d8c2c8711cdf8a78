package io.mlestar.web;

import io.mlestar.task.Invalid;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What a request says about who asks: a browser that wants a page, or a program that wants JSON.
final class Asked {
    /// Forms of an answer, the one for those who do not care first.
    enum Form {
        JSON, HTML, EVENTS
    }

    private static final Pattern WEIGHT = Pattern.compile(";\\s*q=([01](?:\\.\\d{0,3})?)");

    private Asked() {}

    /// What is wanted most; what comes first where several are wanted alike.
    static Form form(RoutingContext context) {
        String accept = Objects.requireNonNullElse(context.request().getHeader("Accept"), "*/*");
        return Arrays.stream(accept.toLowerCase(Locale.ROOT).split(","))
                .sorted(Comparator.comparingDouble(type -> -weight(type)))
                .flatMap(type -> switch (type.split(";")[0].strip()) {
                    case "text/html" -> Stream.of(Form.HTML);
                    case "text/event-stream" -> Stream.of(Form.EVENTS);
                    case "application/json", "application/*", "*/*" -> Stream.of(Form.JSON);
                    default -> Stream.empty();
                }).findFirst().orElse(Form.JSON);
    }

    private static double weight(String type) {
        Matcher weight = WEIGHT.matcher(type);
        return weight.find() ? Double.parseDouble(weight.group(1)) : 1;
    }

    /// A whole number of the query; `otherwise` if there is none.
    static int number(RoutingContext context, String name, int otherwise) {
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
