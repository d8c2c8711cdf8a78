package io.mlestar.adapter.model;

import io.mlestar.core.engine.Bench;
import io.mlestar.core.engine.BenchFolder;
import io.mlestar.core.engine.CannedAnswers;
import io.mlestar.core.engine.Performer;
import io.mlestar.core.engine.Throughput;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.task.TaskDescription;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Measures what a step costs the processor all told, the start of the JVM aside: engine, broker,
/// HTTP, a store in a folder, and for an agent the call with its prompt, tools, request and answer.
/// The model's server is in this process, and in the cost; scripts are made up.
public final class StepBench {
    private static final String CONFIG =
            """
                    {"num_parallel_solutions": 4, "outer_loop_steps": 12, "inner_loop_steps": 4, "ensemble_rounds": 5, "model": "%s"}"""
                    .formatted(CallBench.MODEL);
    private static final double MOST_CPU_MILLIS = 10;
    private static final int MODELS = 3;
    private static final int WARM_UP = 5;
    private static final int ROUNDS = 3;

    private StepBench() {}

    /// @throws IllegalStateException if a step takes more of the processor than it may
    public static void measure() throws Exception {
        Map<StepPath, String> answers = new ConcurrentHashMap<>();
        Vertx vertx = Vertx.vertx();
        try (FakeProvider server = new AnthropicServer(
                asked -> Reply.text(Objects.requireNonNull(answers.get(asked.step().orElseThrow()))));
                BenchFolder folder = BenchFolder.make()) {
            AgentCaller caller = CallBench.caller(server, vertx);
            World asking = new World(1, 0).asking(question -> {
                answers.put(question.step(), CannedAnswers.answer(question.agent(), question.step().inside(), MODELS));
                return caller.ask(Optional.of(question.step()), question.agent(), question.context(),
                        question.timeout(), question.second(),
                        () -> Path.of(question.context().task().dataDir()));
            });
            Path data = Files.createDirectory(folder.path().resolve("data"));
            for (int round = 0; round < WARM_UP; round++) {
                measure(folder.path().resolve("warm-up-" + round), data, asking);
            }
            Throughput measured = measure(folder.path().resolve("run-0"), data, asking);
            for (int round = 1; round < ROUNDS; round++) {
                Throughput again = measure(folder.path().resolve("run-" + round), data, asking);
                measured = again.cpuSeconds() < measured.cpuSeconds() ? again : measured;
            }
            if (!server.violations().isEmpty()) {
                throw new IllegalStateException(server.violations().toString());
            }
            System.out.printf(Locale.ROOT,
                    "%nall told, agents' calls and the model's server included: %d steps, %.2f ms of processor time per step (at most %.0f)%n",
                    measured.steps(), measured.cpuMillisPerStep(), MOST_CPU_MILLIS);
            Bench.atMost(MOST_CPU_MILLIS, measured.cpuMillisPerStep(), "ms of processor time per step, all told");
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private static Throughput measure(Path store, Path data, Performer performer) throws InterruptedException {
        RunHeader made = Throughput.header("bench", CONFIG);
        TaskDescription task = made.task();
        TaskDescription there = new TaskDescription(task.competitionId(), task.taskType(), task.dataModality(),
                task.evaluationMetric(), task.metricDirection(),
                task.description(), data.toString(), null);
        return Throughput.of(new FolderStore(store), performer,
                List.of(new RunHeader(made.runId(), there, made.config(), made.hardware(), made.version(),
                        made.promptsDigest(), made.startedAt(), made.deadline(), null, null)));
    }
}
