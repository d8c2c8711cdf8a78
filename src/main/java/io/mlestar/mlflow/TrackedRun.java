package io.mlestar.mlflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.mlflow.RunSamples.Sample;
import io.mlestar.records.Published;
import io.mlestar.records.Records;
import io.mlestar.records.RunHeader;
import io.mlestar.records.StepResult;
import io.mlestar.report.Report;
import io.mlestar.step.StepPath;
import io.mlestar.store.Sealed;
import io.mlestar.task.Json;
import io.mlestar.task.Sha256;
import io.mlestar.view.LiveRun;
import io.mlestar.view.RunFigures;
import io.mlestar.view.RunStatus;
import io.mlestar.view.StepFigures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

/// One run as a run of MLflow. Telling it again changes nothing, whichever process does it: which run of MLflow it is, is a record in the
/// store that is created once, and only what MLflow lacks is sent.
///
/// @param experiment its name
record TrackedRun(TrackingServer server, String experiment, Records records, RunHeader run) {
    /// What has ended so long ago is on record, whoever did it.
    private static final Duration SETTLED = Duration.ofSeconds(5);
    private static final int POINTS_AT_ONCE = 900;
    private static final int PARAMETERS_AT_ONCE = 100;
    private static final int LONGEST_TAG = 500;
    private static final String MARK = "mlestar.mark";
    private static final String SERVED = "mlflow-artifacts:";

    /// Brings MLflow up to date.
    ///
    /// @return what could not be sent, in a sentence; empty if all was
    Optional<String> tell(Instant now) throws IOException {
        String id = id();
        JsonNode there = server.get("runs/get", Map.of("run_id", id)).path("run");
        if (!there.path("data").path("params").elements().hasNext()) {
            parameters(id);
        }
        boolean ended = records.hasEnded(run.runId());
        List<StepFigures> steps = new ArrayList<>();
        RunFigures figures = LiveRun.read(records, run, step -> StepFigures.ofRun(run.runId(), step).ifPresent(steps::add)).figures();
        metrics(id, there, RunSamples.points(run, steps, ended ? now : now.minus(SETTLED)));
        tag(id, there, "mlestar.phase", figures.currentPhase());
        tag(id, there, "mlestar.status", figures.state().toString());
        if (!ended) {
            return Optional.empty();
        }
        Optional<String> unsent = artefacts(there);
        end(id, figures.state());
        return unsent;
    }

    /// A run of the same name in another store, or of another time, is another one.
    private String mark() {
        return Sha256.hex((run.runId() + " " + run.startedAt()).getBytes(StandardCharsets.UTF_8)).substring(0, 32);
    }

    /// The run of MLflow: the one on record, or one that a process made which died before it could say so, or a new one.
    private String id() throws IOException {
        String key = Records.key(run.runId(), "mlflow-" + Sha256.hex(server.toString().getBytes(StandardCharsets.UTF_8)).substring(0, 12) + ".json");
        Optional<String> known = kept(key);
        if (known.isPresent()) {
            return known.get();
        }
        String made = found().orElse(null);
        if (made == null) {
            made = create();
        }
        if (!records.store().create(key, Sealed.bytes(Json.object().put("server", server.toString()).put("run_id", made)))) {
            String first = kept(key).orElseThrow();
            if (!first.equals(made)) {
                server.post("runs/delete", Json.object().put("run_id", made));
            }
            return first;
        }
        return made;
    }

    private Optional<String> kept(String key) {
        return Sealed.read(records.store(), key, JsonNode.class).map(known -> known.path("run_id").asText());
    }

    private Optional<String> found() throws IOException {
        ObjectNode search = Json.object().put("filter", "tags.`" + MARK + "` = '" + mark() + "'").put("max_results", 1);
        search.putArray("experiment_ids").add(experimentId());
        return StreamSupport.stream(server.post("runs/search", search).path("runs").spliterator(), false)
                .map(found -> found.path("info").path("run_id").asText()).findFirst();
    }

    private String create() throws IOException {
        ObjectNode body = Json.object().put("experiment_id", experimentId()).put("run_name", run.runId()).put("start_time", run.startedAt().toEpochMilli());
        ArrayNode tags = body.putArray("tags");
        Map<String, String> all = new LinkedHashMap<>();
        all.put(MARK, mark());
        all.put("mlestar.run_id", run.runId());
        all.put("mlestar.task", run.task().competitionId());
        all.put("mlestar.model", run.config().model());
        all.put("mlestar.version", run.version());
        all.put("mlestar.folder", records.store().address(Records.key(run.runId(), "")));
        all.put("mlflow.source.name", "mlestar");
        all.forEach((name, value) -> tags.addObject().put("key", name).put("value", RunSamples.cut(value, LONGEST_TAG)));
        return server.post("runs/create", body).path("run").path("info").path("run_id").asText();
    }

    private String experimentId() throws IOException {
        try {
            return existing();
        } catch (TrackingServer.TrackingRefused missing) {
            if (!missing.is("RESOURCE_DOES_NOT_EXIST")) {
                throw missing;
            }
        }
        try {
            return server.post("experiments/create", Json.object().put("name", experiment)).path("experiment_id").asText();
        } catch (TrackingServer.TrackingRefused refusal) {
            // Another process was faster.
            if (refusal.is("RESOURCE_ALREADY_EXISTS")) {
                return existing();
            }
            throw refusal;
        }
    }

    private String existing() throws IOException {
        return server.get("experiments/get-by-name", Map.of("experiment_name", experiment)).path("experiment").path("experiment_id").asText();
    }

    private void parameters(String id) throws IOException {
        List<Map.Entry<String, String>> all = List.copyOf(RunSamples.parameters(run).entrySet());
        // The first ones last: where there are some, all are there.
        for (int from = (all.size() - 1) / PARAMETERS_AT_ONCE * PARAMETERS_AT_ONCE; from >= 0; from -= PARAMETERS_AT_ONCE) {
            ObjectNode batch = Json.object().put("run_id", id);
            ArrayNode params = batch.putArray("params");
            all.subList(from, Math.min(all.size(), from + PARAMETERS_AT_ONCE))
                    .forEach(one -> params.addObject().put("key", one.getKey()).put("value", one.getValue()));
            server.post("runs/log-batch", batch);
        }
    }

    /// Sends what comes after the last step that MLflow knows whole.
    private void metrics(String id, JsonNode there, List<Sample> points) throws IOException {
        int last = StreamSupport.stream(there.path("data").path("metrics").spliterator(), false)
                .filter(metric -> metric.path("key").asText().equals(RunSamples.COST)).mapToInt(metric -> metric.path("step").asInt()).max().orElse(-1);
        List<Sample> news = points.stream().filter(point -> point.step() > last).toList();
        for (int from = 0; from < news.size(); from += POINTS_AT_ONCE) {
            ObjectNode batch = Json.object().put("run_id", id);
            ArrayNode metrics = batch.putArray("metrics");
            news.subList(from, Math.min(news.size(), from + POINTS_AT_ONCE)).forEach(point -> metrics.addObject().put("key", point.key())
                    .put("value", point.value()).put("timestamp", point.at().toEpochMilli()).put("step", point.step()));
            server.post("runs/log-batch", batch);
        }
    }

    private void tag(String id, JsonNode there, String name, String value) throws IOException {
        boolean known = StreamSupport.stream(there.path("data").path("tags").spliterator(), false)
                .anyMatch(tag -> tag.path("key").asText().equals(name) && tag.path("value").asText().equals(value));
        if (!known) {
            server.post("runs/set-tag", Json.object().put("run_id", id).put("key", name).put("value", value));
        }
    }

    private Optional<String> artefacts(JsonNode there) throws IOException {
        String root = there.path("info").path("artifact_uri").asText();
        if (!root.startsWith(SERVED)) {
            return Optional.of("the artefacts of run " + run.runId() + " were not sent: the server does not serve them (mlflow server --serve-artifacts)");
        }
        String folder = root.substring(SERVED.length()).replaceFirst("^//[^/]*", "").replaceFirst("^/+", "");
        for (String name : Published.FILES) {
            Optional<byte[]> content = records.store().read(Records.key(run.runId(), name));
            if (content.isPresent()) {
                server.put(folder + "/" + name, content.get());
            }
        }
        Optional<byte[]> report = Report.of(records, run);
        if (report.isPresent()) {
            server.put(folder + "/report.html", report.get());
        }
        return Optional.empty();
    }

    private void end(String id, RunStatus state) throws IOException {
        Instant at = records.result(StepPath.root(run.runId())).map(StepResult::endedAt).orElseThrow();
        server.post("runs/update", Json.object().put("run_id", id).put("status", state == RunStatus.COMPLETED ? "FINISHED" : "FAILED")
                .put("end_time", at.toEpochMilli()));
    }
}
