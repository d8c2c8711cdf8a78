package io.mlestar.core.engine;

import io.mlestar.adapter.model.ModelRequest;
import io.mlestar.adapter.script.Evaluator;
import io.mlestar.app.start.JobPerformer;
import io.mlestar.core.records.Invocations;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Window;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import module java.base;

/// Models and scripts that take their time, by the virtual clock, and notes of all that is paid
/// for.
final class SimulatedWork {
    private static final double ESTIMATE = 0.02;

    private final VirtualTime time;
    private final Weather weather;
    private final Records records;
    private final World world;
    private final Random random;
    final Slots slots;
    private final Set<StepPath> paid = new HashSet<>();
    private int contenders;
    /// The cost of an answer, by its step.
    ToDoubleFunction<StepPath> price;
    /// The time that a call waits for a model that is away.
    Duration patience = Duration.ofSeconds(7);
    /// True if every third solution that scores writes a submission, too.
    boolean writes = true;
    double spent;
    double dearest;
    int submissions;

    SimulatedWork(VirtualTime time, Weather weather, Records records, World world, long seed) {
        this.time = time;
        this.weather = weather;
        this.records = records;
        this.world = world;
        this.random = new Random(seed);
        this.price = step -> ESTIMATE * (0.2 + random.nextDouble());
        this.slots = new Slots(time, weather.slots());
    }

    /// @param worker who does the work: a host, or the event that a Job was made for
    /// @param ends the process, as a container does that takes more memory than it has
    Performer performer(String worker, Runnable ends) {
        return new Performer() {
            @Override
            public String promptDigest(AgentType agent) {
                return world.promptDigest(agent);
            }

            @Override
            public String worker() {
                return worker;
            }

            @Override
            public OptionalDouble estimate(Agent<?> agent, RunContext context) {
                return OptionalDouble.of(ESTIMATE);
            }

            @Override
            public Answer ask(StepPath step, Agent<?> agent, RunContext context, Duration timeout,
                    RetryApproval second) {
                return answer(step, agent, context,
                        timeout.compareTo(ModelRequest.LONGEST) < 0 ? timeout : ModelRequest.LONGEST);
            }

            @Override
            public Execution run(StepPath step, RunScript script, RunContext context, Window window, Begin begin) {
                return weather.cluster() ? execute(step, script, context, window, begin, ends)
                        : inSlot(step, script, context, window, begin);
            }

            @Override
            public Harness harness(StepPath step, RunContext context) {
                return world.harness(step, context);
            }

            @Override
            public Optional<Execution> verdict(RunScript script, List<Invocations.Invocation> deaths) {
                return weather.cluster() ? new JobPerformer(null, time, worker, null).verdict(script, deaths)
                        : Optional.empty();
            }
        };
    }

    private Answer answer(StepPath step, Agent<?> agent, RunContext context, Duration timeout) {
        mustBeUnknown(step);
        if (weather.models().holds(time.instant())) {
            time.sleep(min(patience, timeout));
            throw new ModelUnavailable("connection refused");
        }
        Duration takes = Duration.ofMillis((long) (weather.modelSeconds() * Weather.between(random, 0.25, 4) * 1000));
        time.sleep(min(takes, timeout));
        if (takes.compareTo(timeout) > 0) {
            throw new ModelUnavailable("it did not answer in time", ESTIMATE);
        }
        Answer made = world.ask(step, agent, context, timeout, RetryApproval.FREE);
        double cost = price.applyAsDouble(step);
        // An event that comes to two pods at once is paid for twice; a run knows of the first only.
        if (paid.add(step)) {
            spent += cost;
            dearest = Math.max(dearest, cost);
        }
        return new Answer(made.text(), new Answer.Usage("made:up", 1, 1, 0, cost, 0), null, "", "");
    }

    private Execution inSlot(StepPath step, RunScript script, RunContext context, Window window,
            Performer.Begin begin) {
        contenders++;
        try {
            if (!slots.take(window.latestStart())) {
                throw new StepStopped("there was no slot in time");
            }
            try {
                // ScriptJob does the same before a script begins.
                if (records.result(step).isPresent()) {
                    throw new StepStopped("the step has ended without it");
                }
                return execute(step, script, context, window, begin, null);
            } finally {
                slots.give();
            }
        } finally {
            contenders--;
        }
    }

    /// @param ends the process with the script that takes too much memory; null if the process
    ///   outlives it
    private Execution execute(StepPath step, RunScript script, RunContext context, Window window, Performer.Begin begin,
            Runnable ends) {
        mustBeUnknown(step);
        Instant now = time.instant();
        Duration share = script.kind() == RunScript.Kind.SUBMISSION || weather.cluster() ? window.left(now)
                : window.share(now, weather.slots(), contenders);
        Duration timeout = min(share, Duration.ofSeconds(script.timeoutSeconds()));
        begin.attempt();
        Random fate = new Random(script.content().hashCode() + 31L * weather.limitSeconds());
        boolean endless = fate.nextInt(100) < weather.endless();
        // A probe does no work; a machine can keep it all the same.
        double typical = script.kind().isProbe() ? Math.min(1, weather.scriptSeconds()) : weather.scriptSeconds();
        Duration takes = endless ? Duration.ofDays(400)
                : Duration.ofMillis((long) (typical * Weather.between(fate, 0.25, 4) * 1000));
        if (fate.nextInt(100) < weather.hungry()) {
            time.sleep(min(takes.dividedBy(2), timeout));
            if (ends != null) {
                ends.run();
            }
            return Evaluator.killed("the script was killed for memory", 1);
        }
        time.sleep(min(takes, timeout));
        if (takes.compareTo(timeout) > 0) {
            String bug = "TimeoutError: the script was stopped after " + timeout.toSeconds() + " seconds";
            return Execution.of(new EvaluationResult(Score.NONE, "", "", -1, timeout.toSeconds(), true, bug), true,
                    null, bug);
        }
        Execution made = world.run(step, script, context, window, () -> 0);
        boolean wrote = writes && script.kind() == RunScript.Kind.SOLUTION && made instanceof Execution.Scored
                && fate.nextInt(3) == 0;
        submissions += made instanceof Execution.Ended ended && ended.submission() != null || wrote ? 1 : 0;
        return wrote ? Execution.of(made.evaluation(), false, new Execution.Submission("kept", 10, 1), null) : made;
    }

    /// Nothing that is finished may be paid for again.
    private void mustBeUnknown(StepPath step) {
        if (records.result(step).isPresent()) {
            throw new AssertionError(step + " is done again though its result is known");
        }
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
