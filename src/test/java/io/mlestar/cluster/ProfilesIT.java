package io.mlestar.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.ProjectFiles;
import io.mlestar.Waiting;
import io.mlestar.adapter.bucket.S3Server;
import io.mlestar.adapter.model.AnthropicServer;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.StoreUnavailable;
import io.mlestar.deploy.Kustomize;
import module java.base;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The profiles of a cluster, `one`, `small` and `full`: one program, one store. In `small`,
/// strangers send events past the broker, and keys are changed.
@Tag("deployed")
class ProfilesIT {
    static final Duration TICK = Duration.ofSeconds(3);
    private static final String NEW = "the-new-key";
    private static final String OLD_OF_THE_MODEL = "the-old-key-of-the-model";
    private static final int FIRST_CALLS = 3;

    @TempDir
    private static Path folder;

    @AutoClose
    private static final S3Server S3 = S3Server.start();

    private static JsonNode wanted;

    private final String store = S3.freshAddress();
    private final Records records = new Records(S3.store(store));

    @BeforeAll
    static void runInOneProcess() throws Exception {
        wanted = ClusterIT.inOneProcess(folder, Program.MINI, ClusterIT.SMALLEST);
    }

    private static ObjectNode request(String run) throws IOException {
        return ClusterIT.request(run, Program.MINI, ClusterIT.SMALLEST);
    }

    private Map<String, String> settings() {
        Map<String, String> settings = ClusterIT.settings(store, S3.endpoint());
        settings.put("MLE_STAR_PATIENCE", "PT15S");
        return settings;
    }

    private static Cluster cluster(List<JsonNode> manifests, String logs, Map<String, String> settings)
            throws IOException {
        return new Cluster(manifests, folder.resolve(logs), List.of(settings), Cluster.Fates.KIND, new Random(1));
    }

    static List<JsonNode> small() {
        return ProjectFiles.documents(Kustomize.overlay("dev", "small"));
    }

    private static String serviceOf(StepRequest request) {
        if (request.isScript()) {
            return "/jobs/script-cpu";
        }
        return request.isPhase() ? "/services/phases/" : "/services/agents/";
    }

    /// Whatever any pod of the cluster may send past the broker: Knative keeps no sender from a
    /// Service (docs/security.md).
    private final class Forger implements Cluster.Disturbance {
        private final Map<String, Integer> answers = new TreeMap<>();
        private final Map<StepPath, Integer> begun = new HashMap<>();

        private int forge(Cluster cluster, String service, StepRequest request, StepPath step) throws Exception {
            return cluster.post(service, request.event(step, "forged").type(), "forged-" + answers.size() + step,
                    Json.object().put("run_id", step.run()).put("step", step.toString()));
        }

        /// Asks for each step that is done, and for one below it that nobody has asked for.
        @Override
        public void happen(Cluster cluster, int asked) throws Exception {
            for (KnownStep step : Walk.READABLE.steps(records, "small")
                    .filter(known -> records.result(known.path()).isPresent()).toList()) {
                if (begun.putIfAbsent(step.path(), records.invocations().of(step.path()).size()) == null) {
                    String service = serviceOf(step.request());
                    assertThat(forge(cluster, service, step.request(), step.path())).as("%s again", step.path())
                            .isBetween(200, 299);
                    StepPath unknown = step.path().child("made-up");
                    answers.put(service, forge(cluster, service, step.request(), unknown));
                    assertThat(records.request(unknown)).isEmpty();
                }
            }
        }
    }

    @Test
    void aRunInSmallEndsAsInOneProcessWhateverIsSentPastTheBroker() throws Exception {
        Forger forger = new Forger();
        try (Cluster cluster = cluster(small(), "small", settings())) {
            Event end = cluster.run(request("small"), ClusterIT.STANDSTILL, TICK, forger);
            ClusterIT.assertSame(S3.store(store), "small", end, wanted);
        }
        assertThat(forger.begun).hasSizeGreaterThan(15).allSatisfy(
                (step, times) -> assertThat(records.invocations().of(step)).as("%s", step).hasSize(times));
        assertThat(forger.answers).containsOnlyKeys("/jobs/script-cpu", "/services/agents/", "/services/phases/")
                .containsEntry("/services/agents/", 422).containsEntry("/services/phases/", 422);
        assertThat(ProjectFiles.below(folder.resolve("small"), ".log")).as("pods")
                .extracting(log -> log.getParent().getFileName().toString()).contains("agents", "phases")
                .doesNotContain("planner", "pipeline");
    }

    @Test
    void aRunThatOneBeganIsTakenOverBySmallAndEndedByFull() throws Exception {
        Pod one = one();
        Event asked = new Event(Event.RUN_REQUESTED, "1", "moved", request("moved"));
        Map<String, String> headers = new HashMap<>(asked.headers());
        headers.put("Authorization", "Bearer " + Program.TOKEN);
        try {
            assertThat(one.post("/", headers, Json.bytes(asked.data())).status()).isEqualTo(202);
            Waiting.until("a candidate was evaluated",
                    () -> records.result(new StepPath("moved", "phase1/candidate0")).isPresent());
            // The pod ends as when its Deployment is deleted. A script of a process that is killed
            // counts as running for all the time that it may take.
            one.delete();
        } finally {
            one.kill();
        }
        try (Cluster cluster = cluster(small(), "moved-small", settings())) {
            assertThat(cluster.goOn("moved", ClusterIT.STANDSTILL, TICK, Cluster.Disturbance.NONE,
                    () -> records.result(new StepPath("moved", "phase2-path0")).isPresent())).isEmpty();
        }
        try (Cluster cluster = cluster(Cluster.FULL, "moved-full", settings())) {
            Event end = cluster.goOn("moved", ClusterIT.STANDSTILL, TICK, Cluster.Disturbance.NONE, () -> false)
                    .orElseThrow();
            ClusterIT.assertSame(S3.store(store), "moved", end, wanted);
        }
    }

    /// The container of the Deployment, with this store.
    private Pod one() throws IOException {
        List<String> command = new ArrayList<>(Program.COMMAND);
        ProjectFiles.manifests(Path.of("k8s/one")).stream()
                .filter(manifest -> manifest.path("kind").asText().equals("Deployment"))
                .flatMap(manifest -> manifest.at("/spec/template/spec/containers/0/args").valueStream())
                .map(JsonNode::asText).forEach(command::add);
        Map<String, String> environment = settings();
        environment.put("MLE_STAR_TOKEN", Program.TOKEN);
        Path logs = Files.createDirectories(folder.resolve("moved-one"));
        return new Pod(logs, command, () -> environment, Pod.USUAL_RESPONSE_START);
    }

    /// The recipe of docs/operating/days.md, one line after the other: both keys are good, the
    /// Secret is changed, the pods that have the old one are deleted, the old one is revoked.
    private static final class Recipe implements Cluster.Disturbance {
        private final S3Server bucket;
        private final AnthropicServer model;
        private final Records records;
        private List<StepPath> begun = List.of();
        private boolean changed;
        private long shownWhenRevoked;
        private boolean revoked;

        Recipe(S3Server bucket, AnthropicServer model, Records records) {
            this.bucket = bucket;
            this.model = model;
            this.records = records;
        }

        @Override
        public void happen(Cluster cluster, int asked) throws Exception {
            if (!changed && model.shown(OLD_OF_THE_MODEL) >= FIRST_CALLS) {
                bucket.accept(S3Server.ACCESS_KEY, NEW);
                model.accept(OLD_OF_THE_MODEL, NEW);
                cluster.change(Map.of("AWS_ACCESS_KEY_ID", NEW, "ANTHROPIC_API_KEY", NEW));
                begun = Walk.READABLE.steps(records, "keys").filter(step -> step.request().isScript())
                        .map(KnownStep::path).toList();
                changed = true;
                model.accept(NEW);
                shownWhenRevoked = model.shown(OLD_OF_THE_MODEL);
            } else if (changed && !revoked && begun.stream().allMatch(script -> records.result(script).isPresent())) {
                bucket.accept(NEW);
                revoked = true;
            }
        }
    }

    @Test
    void aRunLosesNothingWhileItsKeysAreChanged() throws Exception {
        try (S3Server bucket = S3Server.start();
                AnthropicServer model = AnthropicServer.recording(Program.MINI.resolve("answers"))) {
            String runs = bucket.freshAddress();
            Map<String, String> settings = ClusterIT.settings(runs, bucket.endpoint());
            settings.put("ANTHROPIC_API_KEY", OLD_OF_THE_MODEL);
            settings.put("ANTHROPIC_BASE_URL", model.url() + "/v1/");
            settings.put("MLE_STAR_MODEL", "anthropic:made-up");
            model.accept(OLD_OF_THE_MODEL);
            ObjectNode request = request("keys").put("model", "anthropic:made-up");
            // A recorded run does not ask for them either.
            request.withObject("/config").put("needs_libraries", false);
            Recipe recipe = new Recipe(bucket, model, new Records(bucket.store(runs)));
            try (Cluster cluster = cluster(small(), "keys", settings)) {
                Event end = cluster.run(request, ClusterIT.STANDSTILL, TICK, recipe);
                assertThat(end.type()).as(end.data().toString()).isEqualTo(Event.RUN_COMPLETED);
            }
            assertThat(recipe.revoked).as("the bucket knows the new key only").isTrue();
            assertThatThrownBy(() -> bucket.store(runs).read("runs/keys/result.json"))
                    .isInstanceOf(StoreUnavailable.class);
            assertThat(model.shown(OLD_OF_THE_MODEL)).as("calls with the old key after it was revoked")
                    .isEqualTo(recipe.shownWhenRevoked).isPositive();
            assertThat(model.shown(NEW)).isPositive();
            bucket.accept(S3Server.ACCESS_KEY);
            assertThat(Walk.READABLE.steps(recipe.records, "keys").filter(step -> step.done().isEmpty())
                    .map(KnownStep::path)).as("steps that failed").isEmpty();
            assertThat(Program.solution(Json.parse(bucket.store(runs).read("runs/keys/result.json").orElseThrow())))
                    .isEqualTo(Program.solution(wanted));
        }
    }
}
