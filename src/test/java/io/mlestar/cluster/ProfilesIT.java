package io.mlestar.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.FreePort;
import io.mlestar.ProjectFiles;
import io.mlestar.Waiting;
import io.mlestar.adapter.bucket.S3Server;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.deploy.Kustomize;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The profiles of a cluster, `one`, `small` and `full`: one program, one store.
@Tag("deployed")
class ProfilesIT {
    static final Duration TICK = Duration.ofSeconds(3);

    @TempDir
    private static Path folder;

    @AutoClose
    private static final S3Server S3 = S3Server.start();

    private final HttpClient client = HttpClient.newHttpClient();

    private static Map<String, String> settings(String store) {
        Map<String, String> settings = ClusterIT.settings(store, S3.endpoint());
        settings.put("MLE_STAR_PATIENCE", "PT15S");
        return settings;
    }

    private static Cluster cluster(List<JsonNode> manifests, String logs, String store) throws IOException {
        return new Cluster(manifests, folder.resolve(logs), List.of(settings(store)), Cluster.Fates.KIND,
                new Random(1));
    }

    private static List<JsonNode> small() {
        return ProjectFiles.documents(Kustomize.overlay("dev", "small"));
    }

    @Test
    void aRunInSmallEndsAsInOneProcess() throws Exception {
        JsonNode wanted = ClusterIT.inOneProcess(folder, Program.MINI, ClusterIT.SMALLEST);
        String store = S3.freshAddress();
        try (Cluster cluster = cluster(small(), "small", store)) {
            Event end = cluster.run(ClusterIT.request("small", Program.MINI, ClusterIT.SMALLEST), ClusterIT.STANDSTILL,
                    TICK, Cluster.Disturbance.NONE);
            ClusterIT.assertSame(S3.store(store), "small", end, wanted);
        }
        assertThat(ProjectFiles.below(folder.resolve("small"), ".log")).as("pods")
                .extracting(log -> log.getParent().getFileName().toString()).contains("agents", "phases")
                .doesNotContain("planner", "pipeline");
    }

    @Test
    void aRunThatOneBeganIsTakenOverBySmallAndEndedByFull() throws Exception {
        JsonNode wanted = ClusterIT.inOneProcess(folder, Program.MINI, ClusterIT.SMALLEST);
        String store = S3.freshAddress();
        Records records = new Records(S3.store(store));
        Process one = one(store);
        try {
            assertThat(requested(ClusterIT.request("moved", Program.MINI, ClusterIT.SMALLEST))).isEqualTo(202);
            Waiting.until("a candidate was evaluated",
                    () -> records.result(new StepPath("moved", "phase1/candidate0")).isPresent());
            // As its Deployment is deleted. A script of a process that is killed counts as running
            // for all the time that it may take.
            Pod.end(one);
        } finally {
            Pod.kill(one);
        }
        try (Cluster cluster = cluster(small(), "moved-small", store)) {
            assertThat(cluster.goOn("moved", ClusterIT.STANDSTILL, TICK, Cluster.Disturbance.NONE,
                    () -> records.result(new StepPath("moved", "phase2-path0")).isPresent())).isEmpty();
        }
        try (Cluster cluster = cluster(Cluster.FULL, "moved-full", store)) {
            Event end = cluster.goOn("moved", ClusterIT.STANDSTILL, TICK, Cluster.Disturbance.NONE, () -> false)
                    .orElseThrow();
            ClusterIT.assertSame(S3.store(store), "moved", end, wanted);
        }
    }

    private URI server;

    /// The container of the Deployment, with this store.
    private Process one(String store) throws IOException, InterruptedException {
        server = URI.create("http://127.0.0.1:" + FreePort.any() + "/");
        List<String> command = new ArrayList<>(Program.COMMAND);
        ProjectFiles.manifests(Path.of("k8s/one")).stream()
                .filter(manifest -> manifest.path("kind").asText().equals("Deployment"))
                .flatMap(manifest -> manifest.at("/spec/template/spec/containers/0/args").valueStream())
                .map(JsonNode::asText).forEach(command::add);
        Map<String, String> environment = new HashMap<>(settings(store));
        environment.put("MLE_STAR_TOKEN", Program.TOKEN);
        environment.put("QUARKUS_HTTP_PORT", String.valueOf(server.getPort()));
        Path logs = Files.createDirectories(folder.resolve("moved-one"));
        Process process = Pod.program(command, logs.resolve("pod.log"), environment);
        Waiting.until("it is ready", () -> {
            assertThat(process.isAlive()).as(Files.readString(logs.resolve("pod.log"))).isTrue();
            try {
                return client
                        .send(HttpRequest.newBuilder(server.resolve("q/health/ready")).build(),
                                HttpResponse.BodyHandlers.discarding())
                        .statusCode() == 200;
            } catch (ConnectException e) {
                return false;
            }
        });
        return process;
    }

    private int requested(JsonNode request) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(server).header("Authorization", "Bearer " + Program.TOKEN)
                        .header("ce-specversion", "1.0")
                        .header("ce-type", Event.RUN_REQUESTED).header("ce-id", "1").header("ce-source", "test")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(request))).build(),
                HttpResponse.BodyHandlers.discarding()).statusCode();
    }
}
