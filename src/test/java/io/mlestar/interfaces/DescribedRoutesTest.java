package io.mlestar.interfaces;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Waiting;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.records.Records;
import io.mlestar.interfaces.DescribedClient.Answer;
import io.mlestar.interfaces.DescribedClient.Operation;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The program and its OpenAPI document, one held against the other.
@QuarkusTest
@Tag("quarkus")
class DescribedRoutesTest {
    private static final Path MINI = Path.of("src/test/resources/mini").toAbsolutePath();
    private static final String CONFIG =
            "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"num_parallel_solutions\": 1}";
    /// Streams, which go on until the client leaves.
    private static final Set<String> STREAMS = Set.of("listenToTools", "listenToToolsAsBefore");
    private static final long SEED = Long.getLong("requests.seed", 20);
    private static final int REQUESTS = Integer.getInteger("requests.count", 400);

    /// All routes that the program has registered, whichever room did.
    @Singleton
    public static class RouteList {
        private Router router;

        void see(@Observes Router seen) {
            this.router = seen;
        }
    }

    @TestHTTPResource("/")
    URI server;

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
        for (Route route : routes.router.getRoutes()) {
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

    @Test
    void requestsThatAreMadeUpFromTheDocumentFindNoFaultOfTheServer() throws Exception {
        DrivenRun.start(records.store(), "made-up", CONFIG, 0).untilTheEnd();
        DrivenRun.start(records.store(), "made-up-half", CONFIG, 0).until("phase1");
        System.out.println("requests are made up with -Drequests.seed=" + SEED + " -Drequests.count=" + REQUESTS);
        Map<String, Set<Integer>> seen = new HashMap<>();
        try (DescribedClient client = DescribedClient.of(server)) {
            List<Operation> operations =
                    client.operations().stream().filter(operation -> !STREAMS.contains(operation.id())).toList();
            MadeUpValues values = new MadeUpValues(client.document(), new Random(SEED));
            for (int request = 0; request < REQUESTS; request++) {
                Operation operation = operations.get(request % operations.size());
                Map<String, String> parameters = new HashMap<>();
                for (JsonNode parameter : operation.parameters(client.document())) {
                    if (parameter.path("in").asText().equals("path") || values.random().nextInt(4) > 0) {
                        parameters.put(parameter.path("name").asText(), parameter(values, parameter));
                    }
                }
                String body = operation.body().isMissingNode() ? null : values.body(operation.body());
                String accept = operation.said().toString().contains("text/event-stream") ? "application/json"
                        : values.one(List.of("application/json", "*/*", "text/html"));
                Answer answer = client.call(operation, parameters, body, accept);
                seen.computeIfAbsent(operation.id(), id -> new TreeSet<>()).add(answer.status());
            }
        }
        assertThat(seen.values().stream().flatMap(Set::stream).collect(Collectors.toSet())).contains(200, 204, 400,
                404);
    }

    private static String parameter(MadeUpValues values, JsonNode parameter) {
        String name = parameter.path("name").asText();
        if (name.equals("run") && values.random().nextInt(3) > 0) {
            return values.one(List.of("made-up", "made-up-half"));
        }
        if (name.equals("path") && values.random().nextBoolean()) {
            return values.one(List.of("phase1", "phase1/retriever", "phase1/candidate0/evaluation/script", "phase9"));
        }
        return values.word(parameter.path("schema"));
    }

    @Test
    void aClientThatKnowsTheDocumentOnlyStartsTellsWatchesAndCancelsARun() throws Exception {
        try (DescribedClient client = DescribedClient.of(server)) {
            JsonNode plan = client.call("askPlanner", Map.of(),
                    Json.parse("{\"code_block\": \"a\", \"plans\": [\"p\"], \"scores\": [0.5]}")).body();
            assertThat(plan.path("plan").asText()).isNotEmpty();
            ObjectNode wish = (ObjectNode) Json
                    .parse("""
                            {"run_id": "described", "task": {"competition_id": "mini", "task_type": "tabular", "data_modality": "tabular",
                             "evaluation_metric": "AUC", "metric_direction": "maximize", "description": "Predict y.", "data_dir": "%s"},
                             "config": {"outer_loop_steps": 1, "inner_loop_steps": 1, "ensemble_rounds": 1, "num_parallel_solutions": 1}}"""
                            .formatted(MINI.resolve("input")));
            Answer started = client.call("startRun", Map.of(), wish);
            assertThat(started.status()).isEqualTo(202);
            assertThat(started.response().headers().firstValue("x-mlestar-run")).contains("described");
            Map<String, String> run = Map.of("run", "described");
            Waiting.until("the run ends",
                    () -> !client.call("getRun", run, null).body().path("status").asText().equals("running"));
            assertThat(client.call("getRun", run, null).body().path("status").asText()).isEqualTo("completed");
            assertThat(client.call("listSteps", run, null).body()).isNotEmpty();
            assertThat(client.call("getStep", Map.of("run", "described", "path", "phase1/retriever"), null).body()
                    .path("request").path("work").asText())
                    .isEqualTo("agent/retriever");
            assertThat(client.call("tellRun", run, Json.parse("{\"text\": \"too late\"}")).status()).isEqualTo(409);
            assertThat(client.call("cancelRun", run, null).status()).isEqualTo(204);
            assertThat(client.call("getFile", Map.of("run", "described", "file", "result.json"), null).body()
                    .path("run_id").asText()).isEqualTo("described");
        }
        InterfacesTest.areDescribed(records.store(), "runs/described");
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
