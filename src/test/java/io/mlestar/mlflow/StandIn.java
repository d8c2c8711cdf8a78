package io.mlestar.mlflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.mlestar.task.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/// Stands where an MLflow tracking server stands, and keeps what it is told. At its worst it answers nothing but errors, and like the file
/// store of MLflow (`mlflow/store/tracking/file_store.py`, `_log_run_metric`) it keeps a point twice that it is told twice. A parameter
/// that is told another value is refused (REST API, "Log Param": "can be logged only once for a run").
public final class StandIn implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, ObjectNode> runs = new LinkedHashMap<>();
    private final Map<String, List<JsonNode>> points = new LinkedHashMap<>();
    private final Map<String, byte[]> artefacts = new TreeMap<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    private volatile boolean broken;
    private boolean experiment;
    private int made;

    public StandIn() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/2.0/", this::take);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /// From now on it answers errors only, or as it should.
    void setBroken(boolean broken) {
        this.broken = broken;
    }

    public synchronized List<ObjectNode> runs() {
        return List.copyOf(runs.values());
    }

    /// Steps of the points of a metric, as they came.
    public synchronized List<Integer> steps(String run, String metric) {
        return points.get(run).stream().filter(point -> point.path("key").asText().equals(metric)).map(point -> point.path("step").asInt()).toList();
    }

    /// By their paths.
    public synchronized Map<String, byte[]> artefacts() {
        return Map.copyOf(artefacts);
    }

    List<String> authorizations() {
        return authorizations;
    }

    /// Tags or parameters by their names.
    public static Map<String, String> named(ObjectNode run, String kind) {
        Map<String, String> named = new LinkedHashMap<>();
        run.path("data").path(kind).forEach(one -> named.put(one.path("key").asText(), one.path("value").asText()));
        return named;
    }

    private synchronized void take(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        String path = exchange.getRequestURI().getPath().replaceFirst("^/api/2.0/(mlflow/)?", "");
        int status = 200;
        JsonNode answer = Json.object();
        if (broken) {
            status = 500;
            answer = Json.object().put("error_code", "INTERNAL_ERROR").put("message", "the disk is full\nTraceback");
        } else if (path.startsWith("mlflow-artifacts/artifacts/")) {
            artefacts.put(path.substring("mlflow-artifacts/artifacts/".length()), body);
        } else if (path.equals("experiments/get-by-name") && !experiment) {
            status = 404;
            answer = Json.object().put("error_code", "RESOURCE_DOES_NOT_EXIST").put("message", "no such experiment");
        } else {
            answer = answer(path, body.length == 0 ? Json.object() : Json.parse(new String(body, StandardCharsets.UTF_8)), exchange);
            status = answer.has("error_code") ? 400 : 200;
        }
        byte[] said = Json.bytes(answer);
        exchange.sendResponseHeaders(status, said.length);
        exchange.getResponseBody().write(said);
        exchange.close();
    }

    private JsonNode answer(String path, JsonNode body, HttpExchange exchange) {
        ObjectNode run = runs.get(body.path("run_id").asText());
        switch (path) {
            case "experiments/create" -> experiment = true;
            case "runs/create" -> {
                return Json.object().set("run", create(body));
            }
            case "runs/search" -> {
                ObjectNode found = Json.object();
                String mark = body.path("filter").asText().replaceAll(".*'(.*)'", "$1");
                ArrayNode all = found.putArray("runs");
                runs.values().stream().filter(one -> mark.equals(named(one, "tags").get("mlestar.mark"))).forEach(all::add);
                return found;
            }
            case "runs/get" -> {
                return Json.object().set("run", runs.get(exchange.getRequestURI().getQuery().replaceFirst("^run_id=", "")));
            }
            case "runs/delete" -> runs.remove(body.path("run_id").asText());
            case "runs/set-tag" -> set(run, "tags", body);
            case "runs/update" -> ((ObjectNode) run.path("info")).put("status", body.path("status").asText()).set("end_time", body.path("end_time"));
            case "runs/log-batch" -> {
                return batch(run, body);
            }
            default -> {}
        }
        return Json.object().set("experiment", Json.object().put("experiment_id", "1"));
    }

    private ObjectNode create(JsonNode body) {
        String id = "made" + ++made;
        ObjectNode run = Json.object();
        run.putObject("info").put("run_id", id).put("status", "RUNNING").put("artifact_uri", "mlflow-artifacts:/1/" + id + "/artifacts");
        run.putObject("data").set("tags", body.path("tags"));
        runs.put(id, run);
        points.put(id, new CopyOnWriteArrayList<>());
        return run;
    }

    private JsonNode batch(ObjectNode run, JsonNode body) {
        for (JsonNode one : body.path("params")) {
            String before = named(run, "params").get(one.path("key").asText());
            if (before != null && !before.equals(one.path("value").asText())) {
                return Json.object().put("error_code", "INVALID_PARAMETER_VALUE").put("message", "Changing param values is not allowed");
            }
            set(run, "params", one);
        }
        for (JsonNode one : body.path("metrics")) {
            points.get(run.path("info").path("run_id").asText()).add(one);
            set(run, "metrics", one);
        }
        return Json.object();
    }

    private static void set(ObjectNode run, String kind, JsonNode one) {
        ArrayNode all = ((ObjectNode) run.path("data")).withArray(kind);
        for (int i = all.size() - 1; i >= 0; i--) {
            if (all.get(i).path("key").equals(one.path("key"))) {
                all.remove(i);
            }
        }
        all.add(one);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
