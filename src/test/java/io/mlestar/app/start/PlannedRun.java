package io.mlestar.app.start;

import io.mlestar.app.start.Forecast.CallSize;
import io.mlestar.app.start.Forecast.RunDurations;
import io.mlestar.core.engine.CannedAnswers;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.engine.Harness;
import io.mlestar.core.engine.Performer;
import io.mlestar.core.engine.Slots;
import io.mlestar.core.engine.VirtualTime;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.result.RunFiles;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Window;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Price;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.TaskDescription;
import module java.base;
import org.jspecify.annotations.Nullable;

/// A whole run in memory: one process with the real engine and the real phases, on the virtual
/// clock.
///
/// @param cut why something was left out, or the run failed; null if it went its whole way
record PlannedRun(Duration took, int calls, int scripts, @Nullable Double costUsd, @Nullable String cut) {
    static final String PROMPTS = "none";
    private static final String RUN = "plan";
    /// The time of an event from one function to the next; measured, it is less (`make bench`).
    private static final Duration DELIVERY = Duration.ofMillis(10);

    static PlannedRun play(TaskDescription task, PipelineConfig config, RunDurations durations, int slots,
            BiFunction<String, Long, Optional<Price>> prices) {
        VirtualTime time = new VirtualTime(Instant.EPOCH);
        VirtualTime.SimulatedProcess program = time.process();
        MemoryStore store = new MemoryStore();
        store.create(PlannedWork.SUBMISSION, "id\n".getBytes(StandardCharsets.UTF_8));
        Records records = new Records(store);
        Engine[] engine = new Engine[1];
        engine[0] = new Engine(records, event -> {
            if (!event.endsRun()) {
                program.after(DELIVERY, () -> engine[0].work(Event.stepOf(event.data())));
            }
        }, new PlannedWork(time, durations, slots, config, task.metricDirection(), prices), time, new Watcher() {});
        Instant deadline = Instant.EPOCH.plusSeconds(config.limits().timeLimitSeconds());
        program.after(Duration.ZERO, () -> engine[0].start(
                new RunHeader(RUN, task, config, "made up", "plan", PROMPTS, Instant.EPOCH, deadline, null,
                        new RunHeader.Environment("", "", ""))));
        time.play(() -> records.hasEnded(RUN));
        return played(records);
    }

    private static PlannedRun played(Records records) {
        StepResult end =
                records.result(StepPath.root(RUN)).orElseThrow(() -> new AssertionError("the run stands still"));
        Optional<FinalResult> published = RunFiles.result(records, RUN);
        List<KnownStep> done = Walk.READABLE.steps(records, RUN)
                .filter(step -> !step.request().isPhase() && step.done().isPresent()).toList();
        int calls = (int) done.stream().filter(step -> step.request().isAgent()).count();
        int scripts = (int) done.stream().filter(step -> step.request().isScript() && step.step().isReusable()).count();
        return new PlannedRun(Duration.between(Instant.EPOCH, end.endedAt()), calls, scripts, end.costUsd(),
                published.isPresent() ? published.get().stopReason() : end.reason());
    }

    /// Models and scripts that take as long as they are said to, by the virtual clock. No script
    /// crashes, each scores better than all before it, and every answer can be read, so a run goes
    /// its whole way.
    private static final class PlannedWork implements Performer {
        static final String SUBMISSION = "planned-submission";
        /// The time of a script that looks at machine or data.
        private static final Duration PROBE = Duration.ofSeconds(2);
        /// An ablation study is written to end within its own limit.
        private static final double STUDY_SECONDS = 600;

        private final VirtualTime time;
        private final RunDurations durations;
        private final Slots slots;
        private final PipelineConfig config;
        private final BiFunction<String, Long, Optional<Price>> prices;
        private final double better;
        private int scores;

        /// @param prices of a model, by its name and the input tokens of a call
        PlannedWork(VirtualTime time, RunDurations durations, int machines, PipelineConfig config,
                MetricDirection direction,
                BiFunction<String, Long, Optional<Price>> prices) {
            this.time = time;
            this.durations = durations;
            this.slots = new Slots(time, machines);
            this.config = config;
            this.prices = prices;
            this.better = direction.isImprovement(1, 0) ? 1 : -1;
        }

        @Override
        public String promptDigest(AgentType agent) {
            return PROMPTS;
        }

        @Override
        public String worker() {
            return "paper";
        }

        @Override
        public OptionalDouble estimate(Agent<?> agent, RunContext context) {
            return OptionalDouble.of(cost(agent.type()));
        }

        @Override
        public Harness harness(StepPath step, RunContext context) {
            throw new StepFailed("no rows are hidden");
        }

        private double cost(AgentType agent) {
            CallSize size = CallSize.of(agent);
            return prices.apply(config.models().modelOf(agent), size.inputTokens()).orElseThrow().of(size.inputTokens(),
                    size.outputTokens(), 0, 0);
        }

        @Override
        public Answer ask(StepPath step, Agent<?> agent, RunContext context, Duration timeout, RetryApproval second) {
            time.sleep(seconds(durations.callSeconds()));
            CallSize size = CallSize.of(agent.type());
            return new Answer(CannedAnswers.answer(agent, step.inside(), config.search().numRetrievedModels()),
                    new Answer.Usage(config.models().modelOf(agent.type()),
                            size.inputTokens(), size.outputTokens(), 0, cost(agent.type()), durations.callSeconds()),
                    null,
                    "", "");
        }

        private static Duration seconds(double seconds) {
            return Duration.ofMillis(Math.round(seconds * 1000));
        }

        @Override
        public Execution run(StepPath step, RunScript script, RunContext context, Window window, Begin begin) {
            if (!slots.take(window.latestStart())) {
                throw new StepStopped("there was no slot for it in time");
            }
            try {
                begin.attempt();
                Duration takes = switch (script.kind()) {
                    case MACHINE, DATA_CARD, HOLDOUT, SPLIT, METRIC -> PROBE;
                    case SOLUTION, SUBMISSION -> seconds(durations.scriptSeconds());
                    case ABLATION, STUDY -> seconds(Math.min(STUDY_SECONDS, durations.scriptSeconds()));
                };
                time.sleep(takes);
                Double score = script.kind() == RunScript.Kind.SOLUTION ? Double.valueOf(better * ++scores) : null;
                EvaluationResult result =
                        new EvaluationResult(Score.printed(score), CannedAnswers.printed(script.kind()), "", 0,
                                takes.toMillis() / 1000.0, false, null);
                Execution.Submission submission =
                        script.kind() == RunScript.Kind.SUBMISSION ? new Execution.Submission(SUBMISSION, 1, 1) : null;
                return Execution.of(result, false, submission, null);
            } finally {
                slots.give();
            }
        }
    }
}
