package io.mlestar.adapter.model;

import io.mlestar.CpuTime;
import io.mlestar.Requirement;
import io.mlestar.adapter.script.Machine;
import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.adapter.tool.ExternalTools;
import io.mlestar.core.agent.Debugger;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.Bench;
import io.mlestar.core.engine.BenchFolder;
import io.mlestar.core.engine.CannedAnswers;
import io.mlestar.core.engine.Performer;
import io.mlestar.core.engine.Throughput;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.Store;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.TaskType;
import module java.base;

/// Measures what an agent call costs beside the model: render the prompt, lay out the tools,
/// request, read the answer, store it in a folder. The model is a server in this process that
/// checks each request and answers at once with a script of 8 KB; its own time, network included,
/// is measured apart. One call after the other. Then what a step costs the processor all told, the
/// start of the JVM aside: engine, broker, HTTP, a store in a folder, and for an agent the call;
/// the model's server is in this process, and in the cost, and scripts are made up.
public final class CallBench {
    private static final int WARM_UP = 1_000;
    private static final int CALLS = 4_000;
    private static final double MOST_CPU_MILLIS = 500;

    static final String MODEL = "anthropic:claude-sonnet-5-5";

    private static final String CONFIG =
            """
                    {"num_parallel_solutions": 4, "outer_loop_steps": 12, "inner_loop_steps": 4, "ensemble_rounds": 5, "model": "%s"}"""
                    .formatted(MODEL);
    private static final double MOST_STEP_MILLIS = 10;
    private static final int MODELS = 3;
    private static final int WARM_UP_RUNS = 5;
    private static final int ROUNDS = 3;

    private CallBench() {}

    /// Asks the server as the program asks a provider.
    private static AgentCaller caller(FakeProvider server) {
        Models models = new Models(Provider.ANTHROPIC.environment(server.url()));
        Sandbox sandbox = Sandbox.of(Python.find("python3"), Map.of());
        return AgentCallerTest.caller(models, () -> sandbox, ExternalTools.NONE);
    }

    /// Prints the table.
    ///
    /// @throws IllegalStateException if a call takes more of the processor than the requirements
    ///   allow
    @Requirement({"REQ-SF-036", "REQ-P2I-039"})
    public static void measureCalls() throws Exception {
        String script = "x = [value * 2 for value in range(1000)]  # a line of a script\n".repeat(128);
        try (FakeProvider server = new AnthropicServer(Answerer.always("```python\n" + script + "```"));
                BenchFolder folder = BenchFolder.make()) {
            AgentCaller asker = caller(server);
            TaskDescription task = new TaskDescription("bench", TaskType.TABULAR, DataModality.TABULAR, "AUC",
                    MetricDirection.MAXIMIZE,
                    "Predict y from x.", folder.path().toString(), null);
            RunContext context =
                    new RunContext(task, PipelineConfig.resolve(Json.object().put("model", MODEL), Map.of()),
                            Machine.detect(Map.of()).describe());
            Debugger agent =
                    new Debugger(script, "ValueError: could not convert string to float", Kind.SOLUTION, null, null);
            Store store = new FolderStore(folder.path().resolve("store"));
            double[] whole = new double[CALLS];
            double[] own = new double[CALLS];
            long cpu = 0;
            for (int i = -WARM_UP; i < CALLS; i++) {
                cpu = i == 0 ? CpuTime.process() : cpu;
                StepPath step = StepPath.root("bench").child("call" + (i + WARM_UP));
                long begin = System.nanoTime();
                Answer answer = asker.ask(Optional.of(step), agent, context, Duration.ofMinutes(1), RetryApproval.FREE,
                        () -> Path.of(context.task().dataDir()));
                int length = answer.readBy(agent).code().length();
                store.create("runs/bench/steps/" + step.inside(), Json.bytes(answer));
                long end = System.nanoTime();
                if (length < 8_000) {
                    throw new IllegalStateException("the answer was not read");
                }
                if (i >= 0) {
                    whole[i] = (end - begin) / 1e6;
                    own[i] = server.lastMillis();
                }
            }
            print(whole, own);
            double cpuMillis = (CpuTime.process() - cpu) / 1e6 / CALLS;
            System.out.printf(Locale.ROOT, "processor time per call, the server's included: %.2f ms%n", cpuMillis);
            Bench.atMost(MOST_CPU_MILLIS, cpuMillis, "ms of processor time per call (REQ-SF-036, REQ-P2I-039)");
        }
    }

    private static void print(double[] whole, double[] own) {
        double[] overhead = new double[whole.length];
        Arrays.setAll(overhead, i -> whole[i] - own[i]);
        System.out.printf(Locale.ROOT,
                "%nagent calls, one after the other: %d                 median ms   99th percentile%n", whole.length);
        line("whole call", whole);
        line("the model's server", own);
        line("overhead", overhead);
        System.out.printf(Locale.ROOT, "overhead against the server's own time, median: %.1f%n",
                at(overhead, 0.5) / at(own, 0.5));
    }

    private static void line(String what, double[] millis) {
        System.out.printf(Locale.ROOT, "%-50s %10.2f %17.2f%n", what, at(millis, 0.5), at(millis, 0.99));
    }

    private static double at(double[] values, double quantile) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) (quantile * (sorted.length - 1))];
    }

    /// @throws IllegalStateException if a step takes more of the processor than it may
    public static void measureSteps() throws Exception {
        Map<StepPath, String> answers = new ConcurrentHashMap<>();
        try (FakeProvider server = new AnthropicServer(
                asked -> Reply.text(Objects.requireNonNull(answers.get(asked.step().orElseThrow()))));
                BenchFolder folder = BenchFolder.make()) {
            AgentCaller caller = caller(server);
            World asking = new World(1, 0).asking(question -> {
                answers.put(question.step(), CannedAnswers.answer(question.agent(), question.step().inside(), MODELS));
                return caller.ask(Optional.of(question.step()), question.agent(), question.context(),
                        question.timeout(), question.second(), () -> Path.of(question.context().task().dataDir()));
            });
            Path data = Files.createDirectory(folder.path().resolve("data"));
            for (int round = 0; round < WARM_UP_RUNS; round++) {
                measure(folder.path().resolve("warm-up-" + round), data, asking);
            }
            Throughput measured = measure(folder.path().resolve("run-0"), data, asking);
            for (int round = 1; round < ROUNDS; round++) {
                Throughput again = measure(folder.path().resolve("run-" + round), data, asking);
                measured = again.cpuSeconds() < measured.cpuSeconds() ? again : measured;
            }
            System.out.printf(Locale.ROOT,
                    "%nall told, agents' calls and the model's server included: %d steps, %.2f ms of processor time per step (at most %.0f)%n",
                    measured.steps(), measured.cpuMillisPerStep(), MOST_STEP_MILLIS);
            Bench.atMost(MOST_STEP_MILLIS, measured.cpuMillisPerStep(), "ms of processor time per step, all told");
        }
    }

    private static Throughput measure(Path store, Path data, Performer performer) throws InterruptedException {
        RunHeader made = Throughput.header("bench", CONFIG);
        TaskDescription task = made.task();
        TaskDescription there = new TaskDescription(task.competitionId(), task.taskType(), task.dataModality(),
                task.evaluationMetric(), task.metricDirection(), task.description(), data.toString(), null);
        return Throughput.of(new FolderStore(store), performer,
                List.of(new RunHeader(made.runId(), there, made.config(), made.hardware(), made.version(),
                        made.promptsDigest(), made.startedAt(), made.deadline(), null, null)));
    }
}
