package io.mlestar.interfaces;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.mlestar.app.cli.Program;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.records.Records;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import jakarta.inject.Inject;
import module java.base;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The program and its OpenAPI document, one held against the other.
@QuarkusTest
@Tag("quarkus")
class DescribedRoutesTest {
    /// Streams, which go on until the client leaves.
    private static final Set<String> STREAMS = Set.of("listenToTools", "listenToToolsAsBefore");

    @Inject
    Records records;

    @Inject
    RouteList routes;

    @Test
    void theProgramGivesAwayItsDescriptions() throws Exception {
        for (String file : List.of("openapi.json", "schemas.json")) {
            given().get("/" + file).then().statusCode(200).contentType("application/json")
                    .body(equalTo(Files.readString(Interfaces.FOLDER.resolve(file))));
        }
    }

    /// A new route is described in `openapi.yaml`, or is that of a function, which describes
    /// itself.
    @Test
    void everyRouteIsDescribed() {
        Set<String> described = new TreeSet<>();
        Described.by("openapi.json").document().path("paths").properties().forEach(path -> path.getValue().properties()
                .forEach(operation -> described
                        .add(operation.getKey() + " " + shape(path.getKey().replaceAll("\\{\\w+}", "*")))));
        Set<String> registered = new TreeSet<>();
        for (Route route : routes.routes()) {
            if (route.getPath() != null && !route.getPath().startsWith("/q/") && !route.getPath().equals("/")) {
                String path = shape(route.getPath());
                Set<String> methods = route.methods() == null ? Set.of()
                        : route.methods().stream().map(HttpMethod::name).collect(Collectors.toSet());
                methods.forEach(method -> registered.add(method.toLowerCase(Locale.ROOT) + " " + path));
                if (methods.isEmpty() && described.stream().noneMatch(one -> one.endsWith(" " + path))) {
                    registered.add(path);
                }
            }
        }
        assertThat(registered).contains("get /runs/*/steps/*", "post /runs/*/cancel", "get /openapi.json");
        registered.removeAll(described);
        assertThat(registered).as("routes that src/test/resources/interfaces/openapi.yaml does not describe").isEmpty();
    }

    private static String shape(String path) {
        return path.replaceAll(":\\w+", "*").replaceAll("/\\*?$", "/*").replaceAll("^/\\*$", "/");
    }

    static Stream<Arguments> operations() {
        return Described.by("openapi.json").document().path("paths").properties().stream()
                .flatMap(path -> path.getValue().properties().stream()
                        .filter(operation -> operation.getValue().has("operationId"))
                        .filter(operation -> !STREAMS.contains(operation.getValue().path("operationId").asText()))
                        .map(operation -> arguments(operation.getKey(), path.getKey())));
    }

    /// [DescribedAnswers] holds what is answered against the document.
    @ParameterizedTest
    @MethodSource("operations")
    void everyOperationAnswersAsTheDocumentSays(String method, String path) {
        if (records.header("made-up").isEmpty()) {
            DrivenRun.start(records.store(), "made-up", Program.SHORT, 0).untilTheEnd();
        }
        String known = path.replace("{run}", "made-up").replace("{path}", "phase1/retriever")
                .replace("{file}", "result.json");
        for (String one : List.of(known, path)) {
            String asked = one.replaceAll("\\{\\w+}", "nobody");
            for (String accept : List.of("application/json", "text/html")) {
                RequestSpecification request = given().header("Accept", accept).redirects().follow(false);
                if (method.equals("post")) {
                    request.contentType("application/json").body("{}");
                }
                assertThat(request.request(method, asked).statusCode()).isLessThan(500);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"GET, /runs/nobody, 404", "GET, /nowhere, 404", "POST, /runs/nobody/cancel, 404", "POST, /planner, 400",
        "POST, /pipeline, 400",
        "POST, /run-requested, 400",
        "POST, /dead-letter, 400", "PUT, /runs, 405", "GET, /planner, 405", "GET, /runs/made-up/files/x, 404",
        "POST, /mcp, 403"})
    void aRefusedRequestGetsAProblemDocument(String method, String path, int status) {
        given().header("Accept", "application/json")
                .header("Sec-Fetch-Site", path.equals("/mcp") ? "cross-site" : "same-origin")
                .contentType("application/json")
                .request(method, path).then().statusCode(status).contentType("application/problem+json")
                .body("status", equalTo(status))
                .body("title", equalTo(io.netty.handler.codec.http.HttpResponseStatus.valueOf(status).reasonPhrase()));
        given().header("Accept", "text/html")
                .header("Sec-Fetch-Site", path.equals("/mcp") ? "cross-site" : "same-origin")
                .contentType("application/json")
                .request(method, path).then().statusCode(status).contentType("text/html");
    }
}
