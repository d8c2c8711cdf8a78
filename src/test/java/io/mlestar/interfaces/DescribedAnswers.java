package io.mlestar.interfaces;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.mlestar.core.base.Json;
import io.quarkus.test.junit.callback.QuarkusTestBeforeEachCallback;
import io.quarkus.test.junit.callback.QuarkusTestMethodContext;
import io.restassured.RestAssured;
import io.restassured.builder.ResponseBuilder;
import io.restassured.filter.Filter;
import io.restassured.filter.FilterContext;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;
import module java.base;

/// Holds every answer that a test within Quarkus gets by REST Assured against the OpenAPI document:
/// its status, its type and its body. The document leaves out what any operation may answer: that
/// nothing has changed, and that the server has failed. `META-INF/services` names it to Quarkus.
public final class DescribedAnswers implements QuarkusTestBeforeEachCallback, Filter {
    private static final Described DOCUMENT = Described.by("openapi.json");

    @Override
    public void beforeEach(QuarkusTestMethodContext context) {
        if (RestAssured.filters().stream().noneMatch(DescribedAnswers.class::isInstance)) {
            RestAssured.filters(this);
        }
    }

    /// The addresses that a path of the document stands for.
    private static Pattern pattern(String path) {
        return Pattern.compile(path.replace("{path}", ".+").replaceAll("\\{\\w+}", "[^/]+"));
    }

    /// Missing if the document does not describe the request: then it is none of its routes.
    private static JsonNode operation(String method, String path) {
        return DOCUMENT.document().path("paths").properties().stream()
                .filter(known -> pattern(known.getKey()).matcher(path).matches()).map(Map.Entry::getValue)
                .findFirst().orElse(MissingNode.getInstance()).path(method.toLowerCase(Locale.ROOT));
    }

    @Override
    public Response filter(FilterableRequestSpecification request, FilterableResponseSpecification expected,
            FilterContext context) {
        Response sent = context.next(request, expected);
        byte[] body = sent.asByteArray();
        JsonNode operation = operation(request.getMethod(), URI.create(request.getURI()).getPath());
        boolean isOfTheOperation = sent.statusCode() != 304 && sent.statusCode() < 500;
        if (!operation.isMissingNode() && isOfTheOperation) {
            check(operation, sent.statusCode(), Objects.requireNonNullElse(sent.contentType(), ""),
                    new String(body, StandardCharsets.UTF_8));
        }
        // A body can be read once.
        return new ResponseBuilder().clone(sent).setBody(body).build();
    }

    private static void check(JsonNode operation, int status, String contentType, String body) {
        String said = "%s answered %d: %s".formatted(operation.path("operationId").asText(), status, body);
        JsonNode responses = operation.path("responses");
        JsonNode described = responses.path(responses.has("" + status) ? "" + status : status / 100 + "XX");
        assertThat(described.isObject()).as(said).isTrue();
        if (described.has("$ref")) {
            described = DOCUMENT.at(described.path("$ref").asText().substring(1));
        }
        if (!body.isEmpty()) {
            String type = contentType.replaceAll(";.*", "");
            JsonNode content = described.path("content");
            assertThat(content.has(type)).as("%s, with %s", said, type).isTrue();
            if (type.endsWith("json")) {
                assertThat(DOCUMENT.problems(content.path(type).path("schema"), Json.parse(body))).as(said).isEmpty();
            }
        }
    }
}
