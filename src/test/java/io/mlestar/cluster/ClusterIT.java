package io.mlestar.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.adapter.broker.EmbeddedBroker;
import io.mlestar.adapter.bucket.Meddler;
import io.mlestar.adapter.bucket.S3Server;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.ProgramVersion;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Invocations;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.Store;
import module java.base;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The manifests' own functions as processes, each with its own export, chained by events: killed
/// at random, with events that are lost, doubled and overtaken, a run ends as it does in one
/// process.
///
/// `-Dcluster.example=true` takes the bird strikes, whose scripts really train.
@Tag("deployed")
class ClusterIT {
    private static final int SEEDS = Integer.getInteger("cluster.seeds", 1);
    static final Duration STANDSTILL = Duration.ofMinutes(10);
    private static final int MOST_STEPS_BETWEEN_KILLS = 8;
    private static final List<String> ROLLED_OUT = List.of("evaluation", "coder", "pipeline", "planner");
    private static final String NEXT = "9.9.9+next";
    /// Longer than the sweep's patience, so that a step may have two Jobs.
    private static final int MOST_PENDING_SECONDS = 60;
    private static final int REQUESTS_PER_FAULT = 200;
    /// No script hangs here, and none shall time out where the machine is busy: then the two runs
    /// would differ.
    private static final Map<String, Object> SMALLER =
            Map.of("num_retrieved_models", 3, "outer_loop_steps", 1, "inner_loop_steps", 2,
                    "ensemble_rounds", 1, "script_timeout_seconds", 600);
    static final Map<String, Object> SMALLEST =
            Map.of("num_retrieved_models", 2, "outer_loop_steps", 1, "inner_loop_steps", 1,
                    "num_parallel_solutions", 1, "script_timeout_seconds", 600);

    private static final Map<String, Object> WHOLE_SCRIPTS =
            Map.of("search", "strong", "num_retrieved_models", 2, "num_parallel_solutions", 2, "attempts", 4,
                    "script_timeout_seconds", 600);

    @TempDir
    private static Path folder;

    @AutoClose
    private static final S3Server S3 = S3Server.start();

    /// The settings that every process of a cluster has in its environment.
    ///
    /// @param bucket where it is reached
    static Map<String, String> settings(String store, URI bucket) {
        Map<String, String> settings = new HashMap<>(S3Server.environment(bucket));
        settings.put("MLE_STAR_STORE", store);
        settings.put("MLE_STAR_PATIENCE", "PT40S");
        settings.put("MLE_STAR_JAVA_OPTS", "-Xmx256m -XX:CICompilerCount=1");
        return settings;
    }

    /// This program, and the same told that it is another version.
    private static List<Map<String, String>> versions(Map<String, String> settings) throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve("next")).resolve("mlestar-version"),
                NEXT.replace('+', ' '));
        Map<String, String> next = new HashMap<>(settings);
        next.merge("MLE_STAR_JAVA_OPTS", " -Xbootclasspath/a:" + folder.resolve("next"), String::concat);
        return List.of(settings, next);
    }

    static ObjectNode request(String run, Path example, Map<String, Object> size) throws IOException {
        YAMLMapper yaml = new YAMLMapper();
        ObjectNode task = (ObjectNode) yaml.readTree(example.resolve("task.yaml").toFile());
        task.put("data_dir", example.resolve(task.path("data_dir").asText("input")).normalize().toString());
        ObjectNode config = Files.exists(example.resolve("config.yaml"))
                ? (ObjectNode) yaml.readTree(example.resolve("config.yaml").toFile()) : Json.object();
        size.forEach((field, value) -> config.set(field, Json.tree(value)));
        ObjectNode request = Json.object().put("run_id", run).put("model", "recorded:" + example.resolve("answers"));
        request.set("task", task);
        request.set("config", config);
        return request;
    }

    static JsonNode inOneProcess(Path folder, Path example, Map<String, Object> size) throws Exception {
        Program program = new Program(Files.createTempDirectory(folder, "calm"));
        List<String> settings = new ArrayList<>(List.of("--json"));
        size.forEach((field, value) -> settings.addAll(List.of("--set", field + "=" + value)));
        String[] more = settings.toArray(String[]::new);
        Program.Ended ended =
                program.run(example.equals(Program.MINI) ? Program.mini("calm", more) : Program.example("calm", more));
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        return Json.parse(ended.out());
    }

    static void assertSame(Store store, String run, Event end, JsonNode wanted) throws IOException {
        assertThat(end.type()).as(end.data().toString()).isEqualTo(Event.RUN_COMPLETED);
        JsonNode result = Json.parse(store.read("runs/" + run + "/result.json").orElseThrow());
        assertThat(Program.solution(result)).isEqualTo(Program.solution(wanted));
        assertThat(result.path("best_score")).isEqualTo(wanted.path("best_score"));
        // Every agent receives what the survey found, and a Job's pod is not the machine of the one
        // process: the prompts differ a little.
        assertThat(result.path("total_cost_usd").asDouble()).isCloseTo(wanted.path("total_cost_usd").asDouble(),
                withinPercentage(15));
        assertThat(new String(store.read("runs/" + run + "/submission.csv").orElseThrow(), StandardCharsets.UTF_8))
                .isEqualTo(Files.readString(Path.of(wanted.path("submission_path").asText())));
    }

    @Tag("long")
    @Test
    void aRunOverManyProcessesThatAreKilledAtRandomEndsAsInOneProcess() throws Exception {
        Path example = Boolean.getBoolean("cluster.example") ? Program.EXAMPLE : Program.MINI;
        JsonNode wanted = inOneProcess(folder, example, SMALLER);
        long first = Long.getLong("cluster.seed", 1);
        System.out.printf("cluster: seeds %d to %d (-Dcluster.seed=N and -Dcluster.seeds=N try others)%n", first,
                first + SEEDS - 1);
        for (long seed = first; seed < first + SEEDS; seed++) {
            String store = S3.freshAddress();
            Random random = new Random(seed);
            List<String> killed = new ArrayList<>();
            long begin = System.nanoTime();
            Cluster.Fates fates = new Cluster.Fates(mischief(seed), pending(seed));
            try (Meddler bucket = new Meddler(S3.endpoint()).oneIn(REQUESTS_PER_FAULT, new Random(seed + 2));
                    Cluster cluster = new Cluster(folder.resolve("pods-" + seed),
                            versions(settings(store, bucket.endpoint())), fates, random)) {
                AtomicInteger next = new AtomicInteger(random.nextInt(MOST_STEPS_BETWEEN_KILLS));
                Event end = cluster.run(request("run", example, SMALLER), STANDSTILL, Duration.ofSeconds(3),
                        (disturbed, asked) -> {
                            if (asked >= next.get()) {
                                killed.add(disturbed.killOne(random));
                                disturbed.rollOut(ROLLED_OUT.get(random.nextInt(ROLLED_OUT.size())));
                                next.set(asked + 1 + random.nextInt(MOST_STEPS_BETWEEN_KILLS));
                            }
                        });
                System.out.printf("cluster: seed %d ended after %.0f s, killed %s%n", seed,
                        (System.nanoTime() - begin) / 1e9, killed);
                assertSame(S3.store(store), "run", end, wanted);
                assertThat(killed).as("kills").hasSizeGreaterThan(5);
                Records records = new Records(S3.store(store));
                assertThat(Walk.READABLE.steps(records, "run").map(step -> records.endedBy(step.path()).orElseThrow())
                        .distinct()).as("versions at work")
                        .containsExactlyInAnyOrder(NEXT, ProgramVersion.HERE.toString());
            }
        }
    }

    /// One pod of a Job in five waits for a node.
    private static Supplier<Duration> pending(long seed) {
        Random random = new Random(seed + 1);
        return () -> {
            synchronized (random) {
                return Duration.ofSeconds(random.nextInt(5) == 0 ? random.nextInt(MOST_PENDING_SECONDS) : 0);
            }
        };
    }

    /// One event in two hundred is lost, one in ten comes twice, one in five is late. The event
    /// that asks for the run is never lost: of a run without a record nothing can be found.
    private static EmbeddedBroker.Fate mischief(long seed) {
        Random random = new Random(seed);
        return (trigger, event) -> {
            synchronized (random) {
                Duration late = Duration.ofMillis(random.nextInt(5) == 0 ? random.nextInt(400) : 0);
                int fate = random.nextInt(200);
                boolean mayBeLost = !event.type().equals(Event.RUN_REQUESTED);
                return fate == 0 && mayBeLost ? List.of()
                        : fate <= 20 ? List.of(late, Duration.ofMillis(random.nextInt(400))) : List.of(late);
            }
        };
    }

    /// A first study, a study on a path, edits and whole scripts, each a call of `coder` and a Job.
    @Tag("long")
    @Test
    void attemptsOnWholeScriptsEndAsInOneProcess() throws Exception {
        JsonNode wanted = inOneProcess(folder, Program.MINI, WHOLE_SCRIPTS);
        String store = S3.freshAddress();
        try (Cluster cluster = new Cluster(folder.resolve("pods-scripts"), List.of(settings(store, S3.endpoint())),
                Cluster.Fates.KIND, new Random(1))) {
            Event end = cluster.run(request("scripts", Program.MINI, WHOLE_SCRIPTS), STANDSTILL, Duration.ofMinutes(5),
                    Cluster.Disturbance.NONE);
            assertSame(S3.store(store), "scripts", end, wanted);
        }
        Records records = new Records(S3.store(store));
        assertThat(wanted.path("best_score").asDouble()).isEqualTo(0.83);
        assertThat(Stream.of("phase1/study", "phase2/leg0/path0-attempt0", "phase2/leg0/path1-attempt1")
                .map(step -> new StepPath("scripts", step)))
                .allSatisfy(step -> assertThat(records.result(step)).isPresent());
        assertThat(records.request(StepPath.parse("scripts/phase2/leg0/path1-attempt1")).orElseThrow().input()
                .at("/others").toString())
                .contains("line 0.61", "all 0.70; without x 0.52");
    }

    /// Whenever a pod of its Job is about to say what came of the script of the first candidate, it
    /// ends, for the first three times.
    private static Event endingJobs(String run, String store, JobSink.PodEnd how) throws Exception {
        StepPath step = script(run);
        try (Meddler bucket = new Meddler(S3.endpoint());
                Cluster cluster = new Cluster(folder.resolve("pods-" + run),
                        List.of(settings(store, bucket.endpoint())), Cluster.Fates.KIND, new Random(1))) {
            Meddler.Fault end = new Meddler.Fault.Instead(() -> cluster.endJob(step.toString(), how));
            bucket.with("PUT " + store.replaceFirst("s3:/", "") + "/runs/" + run + "/steps/" + step.inside()
                    + ".result.json", end, end, end);
            return cluster.run(request(run, Program.MINI, SMALLEST), STANDSTILL, Duration.ofSeconds(3),
                    Cluster.Disturbance.NONE);
        }
    }

    private static StepPath script(String run) {
        return new StepPath(run, "phase1/candidate0/evaluation/script");
    }

    /// The fourth pod finds three dead predecessors.
    @Tag("long")
    @Test
    void aScriptWhoseJobIsKilledForMemoryIsToldToTheDebugger() throws Exception {
        String store = S3.freshAddress();
        endingJobs("memory", store, JobSink.PodEnd.OUT_OF_MEMORY);
        Records records = new Records(S3.store(store));
        assertThat(records.known(script("memory")).orElseThrow().done().orElseThrow().execution())
                .isInstanceOfSatisfying(Execution.Failed.class, killed -> assertThat(killed.bug())
                        .contains("killed with its container 3 times, probably for memory"));
        assertThat(records.request(StepPath.parse("memory/phase1/candidate0/evaluation/debugger")).orElseThrow().input()
                .toString()).contains("probably for memory");
    }

    @Tag("long")
    @Test
    void aScriptWhoseNodeIsDrainedBeginsAgainAndIsNotToBlame() throws Exception {
        JsonNode wanted = inOneProcess(folder, Program.MINI, SMALLEST);
        String store = S3.freshAddress();
        assertSame(S3.store(store), "drained", endingJobs("drained", store, JobSink.PodEnd.DRAINED), wanted);
        assertThat(new Records(S3.store(store)).invocations().of(script("drained"))).hasSize(4)
                .extracting(pod -> pod.aborted().map(Invocations.Abort::reason).orElse("it ended well"))
                .containsExactly("the pod was stopped", "the pod was stopped", "the pod was stopped", "it ended well");
    }
}
