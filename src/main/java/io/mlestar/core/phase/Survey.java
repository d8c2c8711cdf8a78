package io.mlestar.core.phase;

import io.mlestar.core.agent.MetricCoder;
import io.mlestar.core.agent.Reply;
import io.mlestar.core.agent.SplitCoder;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.DataCard;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.MachineFacts;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Scheduling;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Steps;
import io.mlestar.core.survey.DataReading;
import io.mlestar.core.survey.HoldoutReading.FoundHoldout;
import io.mlestar.core.survey.HoldoutReading.NoRows;
import io.mlestar.core.survey.HoldoutReading;
import io.mlestar.core.survey.MachineReading;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.StrongSearch;
import java.util.ArrayList;
import java.util.List;

/// Looks at the machine and the data before any agent is asked, with two or three scripts side by
/// side where all scripts run. Where rows are to be hidden and no rule finds the form of the data,
/// an agent writes a `split.py`, and where the program cannot compute the metric, a `metric.py`. It
/// never fails: it ends with what they found.
public record Survey() implements Phase<Facts> {
    public static final String NAME = "survey";
    private static final int LONGEST_SECONDS = 60;
    private static final int PART_OF_LIMIT = 10;
    private static final int LONGEST_WRITTEN_SECONDS = 600;
    private static final String PANDAS = "pandas";
    private static final double TIME_SHARE = 0.05;

    @Override
    public Facts run(Steps steps) {
        PipelineConfig config = steps.context().config();
        int seconds = seconds(steps.context());
        boolean hides = config.search() instanceof StrongSearch;
        List<RunScript> scripts = new ArrayList<>(
                List.of(new RunScript(SurveyScripts.MACHINE, Kind.MACHINE, seconds)));
        if (config.dataCard()) {
            scripts.add(new RunScript(SurveyScripts.dataCard(seconds), Kind.DATA_CARD, seconds));
        }
        if (hides) {
            scripts.add(hiding(steps.context()));
        }
        List<Outcome<Execution>> looked = steps.callAll(scripts);
        Facts facts = Facts.NONE.on(MachineReading.read(SurveyScripts.output(looked.getFirst())));
        if (config.dataCard()) {
            Outcome<Execution> card = looked.get(1);
            facts = facts.with(card(card), DataReading.tables(SurveyScripts.output(card)));
        }
        return hides
                ? completed(HoldoutReading.of(looked.getLast()), facts, steps).in(facts)
                : facts;
    }

    /// Completes the hold-out with the programs that agents write for it.
    private static HoldoutReading completed(
            HoldoutReading read,
            Facts facts,
            Steps steps) {
        HoldoutReading holdout = read;
        MachineFacts machine = facts.machine();
        boolean isRefused =
                steps.context().config().stopsWithoutLibraries() && machine.refusal().isPresent();
        List<String> libraries = List.copyOf(machine.libraries().keySet());
        if (read instanceof NoRows none && none.isFormless() && !isRefused) {
            SplitCoder coder = new SplitCoder(none.why(), facts.data().lines(), libraries);
            Outcome<Execution> split = written(coder, Kind.SPLIT, facts, steps);
            holdout = none.or(HoldoutReading.of(split), why(split, Kind.SPLIT));
        }
        if (holdout instanceof FoundHoldout hidden && hidden.needsMetric()) {
            MetricCoder coder = new MetricCoder(hidden.reason(), hidden.frames(), libraries);
            Outcome<Execution> metric = isRefused || machine.missing().contains(PANDAS)
                    ? new Outcome.Failed<>("a metric.py needs " + PANDAS)
                    : written(coder, Kind.METRIC, hidden.in(facts), steps);
            holdout = hidden.measured(metric, why(metric, Kind.METRIC));
        }
        return holdout;
    }

    private static int seconds(RunContext context) {
        return Math.clamp(context.limits().timeLimitSeconds() / PART_OF_LIMIT, 1, LONGEST_SECONDS);
    }

    /// The script that hides rows.
    public static RunScript hiding(RunContext context) {
        int seconds = seconds(context);
        return new RunScript(
                SurveyScripts.holdout(seconds, context.search().mostFolds(),
                        context.task().description()),
                Kind.HOLDOUT, seconds);
    }

    /// A forecast of how the scores of a run would be computed, by the outcome of that script.
    public static Facts planned(Outcome<Execution> hid) {
        return HoldoutReading.of(hid).planned().in(Facts.NONE);
    }

    /// Lets an agent write a program of the harness, and the debugger mend it.
    ///
    /// @param facts with the rows that it is tried on, if any
    private static Outcome<Execution> written(
            Agent<Reply.Code> coder,
            Kind kind,
            Facts facts,
            Steps steps) {
        int seconds = Math.clamp(steps.context().limits().timeLimitSeconds() / PART_OF_LIMIT, 1,
                LONGEST_WRITTEN_SECONDS);
        try {
            SolutionScript first =
                    SolutionScript.unscored(steps.call(coder).code(), SolutionPhase.INIT);
            return new Outcome.Done<>(
                    DebugLoop.run(first, new RunScript(first.content(), kind, seconds,
                            facts.hiddenRows(), 0, null, null), steps).execution());
        } catch (StepFailed | StepStopped e) {
            return new Outcome.Failed<>(
                    "no agent could write a " + file(kind) + ": " + e.getMessage());
        }
    }

    private static String why(Outcome<Execution> written, Kind kind) {
        return switch (written) {
            case Outcome.Done<Execution>(Execution ran) ->
                "the " + file(kind) + " that an agent wrote was refused: " + ran.reason(kind);
            case Outcome.NoResult<Execution> missed -> missed.reason();
        };
    }

    private static String file(Kind kind) {
        return kind == Kind.SPLIT ? "split.py" : "metric.py";
    }

    /// Its output counts, however it ended. The reason for no output holds none of its words, which
    /// may quote the data.
    private static DataCard card(Outcome<Execution> looked) {
        DataCard card = DataReading.read(SurveyScripts.output(looked));
        return card.isKnown() ? card : new DataCard(List.of(), SurveyScripts.why(looked));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "Survey";
    }

    /// A cluster may have no node for it, and the run must not wait until its time is over.
    @Override
    public Scheduling scheduling(RunContext context) {
        return Scheduling.once(TIME_SHARE);
    }

    /// Shown as part of Phase 1.
    @Override
    public String part() {
        return "phase1";
    }

    @Override
    public boolean isReusable() {
        return false;
    }

    @Override
    public PhaseReport report(Facts facts) {
        return PhaseReport.NONE.saying(String.join("; ", facts.warnings()));
    }
}
