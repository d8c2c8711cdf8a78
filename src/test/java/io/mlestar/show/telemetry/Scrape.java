package io.mlestar.show.telemetry;

import static io.restassured.RestAssured.given;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What `/q/metrics` showed.
///
/// @param values by series, e.g. `mlestar_steps_total{kind="agent",name="init",outcome="done"}`
record Scrape(Map<String, Double> values) {
    private static final Pattern LINE = Pattern.compile("(?m)^([a-zA-Z_:][\\w:]*(?:\\{.*})?) ([-+.\\dEeNaInf]+)$");

    static Scrape now() {
        Map<String, Double> values = new TreeMap<>();
        Matcher line = LINE
                .matcher(given().accept("text/plain").get("/q/metrics").then().statusCode(200).extract().asString());
        while (line.find()) {
            values.put(line.group(1), Double.parseDouble(line.group(2).replace("+Inf", "Infinity")));
        }
        return new Scrape(values);
    }

    Set<String> names() {
        Set<String> names = new TreeSet<>();
        values.keySet().forEach(series -> names.add(series.replaceFirst("\\{.*", "")));
        return names;
    }

    /// Sum over the series of this name that have all these labels, e.g. `kind="agent"`.
    double sum(String name, String... labels) {
        return values.entrySet().stream()
                .filter(entry -> entry.getKey().equals(name) || entry.getKey().startsWith(name + "{"))
                .filter(entry -> Stream.of(labels).allMatch(entry.getKey()::contains))
                .mapToDouble(Map.Entry::getValue).sum();
    }

    /// By how much that sum has grown.
    double since(Scrape earlier, String name, String... labels) {
        return sum(name, labels) - earlier.sum(name, labels);
    }
}
