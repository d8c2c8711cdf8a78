package io.mlestar.interfaces;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Waiting;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A client that knows of a server what its OpenAPI document says, and nothing else. It holds each
/// answer against the document.
final class DescribedClient implements AutoCloseable {
    private final URI server;
    private final Described document;
    private final HttpClient client = HttpClient.newHttpClient();

    private DescribedClient(URI server, Described document) {
        this.server = server;
        this.document = document;
    }

    /// What can be asked, as the document has it.
    record Operation(String path, String method, JsonNode shared, JsonNode said) {
        String id() {
            return said.path("operationId").asText();
        }

        List<JsonNode> parameters(Described document) {
            List<JsonNode> all = new ArrayList<>();
            for (JsonNode some : List.of(shared.path("parameters"), said.path("parameters"))) {
                some.forEach(
                        one -> all.add(one.has("$ref") ? document.at(one.path("$ref").asText().substring(1)) : one));
            }
            return all;
        }

        /// Of the body as JSON; missing if it takes none.
        JsonNode body() {
            return said.path("requestBody").path("content").path("application/json").path("schema");
        }
    }

    /// @param body missing if it is no JSON
    record Answer(int status, HttpResponse<String> response, JsonNode body) {}

    /// Asks the server what it is.
    static DescribedClient of(URI server) throws IOException, InterruptedException {
        try (DescribedClient stranger = new DescribedClient(server, Described.by(Json.object()))) {
            return new DescribedClient(server, Described
                    .by(Json.parse(stranger.send(HttpRequest.newBuilder(server.resolve("/openapi.json"))).body())));
        }
    }

    Described document() {
        return document;
    }

    List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        document.document().path("paths").properties().forEach(path -> path.getValue().properties().stream()
                .filter(operation -> operation.getValue().has("operationId"))
                .forEach(operation -> operations
                        .add(new Operation(path.getKey(), operation.getKey(), path.getValue(), operation.getValue()))));
        return operations;
    }

    Operation operation(String id) {
        return operations().stream().filter(one -> one.id().equals(id)).findFirst()
                .orElseThrow(() -> new AssertionError("no operation " + id));
    }

    /// As a program that takes JSON.
    Answer call(String id, Map<String, String> parameters, @Nullable JsonNode body)
            throws IOException, InterruptedException {
        return call(operation(id), parameters, body == null ? null : body.toString(), "application/json");
    }

    /// @param body null for none
    Answer call(Operation operation, Map<String, String> parameters, @Nullable String body, String accept)
            throws IOException, InterruptedException {
        StringBuilder path = new StringBuilder(operation.path());
        HttpRequest.Builder request = HttpRequest.newBuilder().header("Accept", accept);
        for (JsonNode parameter : operation.parameters(document)) {
            String name = parameter.path("name").asText();
            String value = parameters.get(name);
            if (value != null) {
                String escaped = URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
                switch (parameter.path("in").asText()) {
                    case "path" ->
                        path.replace(path.indexOf("{" + name + "}"), path.indexOf("{" + name + "}") + name.length() + 2,
                                escaped.replace("%2F", "/"));
                    case "query" ->
                        path.append(path.indexOf("?") < 0 ? '?' : '&').append(name).append('=').append(escaped);
                    default -> request.header(name, value.replaceAll("[^ -~]", "?"));
                }
            }
        }
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        HttpResponse<String> response =
                send(request.uri(URI.create(server.toString().replaceAll("/$", "") + path)).method(
                        operation.method().toUpperCase(java.util.Locale.ROOT),
                        body == null ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body)));
        return checked(operation, response);
    }

    /// The answer, which must be one that the document speaks of.
    private Answer checked(Operation operation, HttpResponse<String> response) {
        int status = response.statusCode();
        JsonNode responses = operation.said().path("responses");
        JsonNode described = responses.path(responses.has("" + status) ? "" + status : status / 100 + "XX");
        assertThat(described.isObject()).as("%s answered %d: %s", operation.id(), status, response.body()).isTrue();
        JsonNode content =
                (described.has("$ref") ? document.at(described.path("$ref").asText().substring(1)) : described)
                        .path("content");
        String type = response.headers().firstValue("Content-Type").orElse("").replaceAll(";.*", "");
        JsonNode body = type.endsWith("json") ? json(response.body()) : Json.object().path("");
        if (!response.body().isEmpty()) {
            assertThat(content.has(type)).as("%s answered %d with %s", operation.id(), status, type).isTrue();
        }
        if (!body.isMissingNode()) {
            assertThat(document.problems(content.path(type).path("schema"), body))
                    .as("%s answered %s", operation.id(), response.body()).isEmpty();
        }
        return new Answer(status, response, body);
    }

    private static JsonNode json(String text) {
        try {
            return Json.parse(text);
        } catch (Invalid e) {
            throw new AssertionError("no JSON: " + text, e);
        }
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpRequest sent = request.timeout(Waiting.MOST).build();
        try {
            return client.send(sent, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IOException("no answer to " + sent + " " + sent.headers(), e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
