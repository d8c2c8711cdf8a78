package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.MetricCoder;
import io.mlestar.core.agent.SplitCoder;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import io.mlestar.show.report.Report;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs of `strong` whose data have a form that no rule finds, or a metric that the program cannot
/// compute: an agent writes a `split.py` or a `metric.py` in the survey.
class WrittenProgramTest {
    private static final String CONFIG =
            """
                    {"search": "strong", "folds": 3, "num_retrieved_models": 1, "num_parallel_solutions": 1, "attempts": 1, "studies": 0,
                     "agents_look": 0, "max_debug_attempts": 2}""";
    private static final String UNKNOWN = "the program cannot compute glory";
    private static final String FRAMES = "solution:\nid,y\n1,2";
    private static final String NO_FORM = "there is no table for training";
    private static final String REFUSED = "answers has a row twice";
    private static final String RULED =
            "{\"scheme\": \"by split.py\", \"rows\": [100, 100, 100], \"select\": 100, \"files\": []}";
    private final List<Agent<?>> asked = new ArrayList<>();
    private final List<RunScript> tried = new ArrayList<>();
    private Kind written = Kind.SPLIT;
    private String missing = "{\"missing\": \"" + NO_FORM + "\", \"formless\": true}";
    /// Refusals before one is taken.
    private int refusals = 1;
    /// Scores are by the rows as they were kept at last.
    private final FoldedWorld folds = new FoldedWorld("d2");
    private final OneEngine one = new OneEngine(folds.in(new World(1, 0)).asking(question -> {
        if (question.step().inside().startsWith("survey")) {
            asked.add(question.agent());
        }
        return question.answer();
    }).running(this::ran));

    private Execution ran(World.Job job) {
        if (job.script().kind() != Kind.HOLDOUT && job.script().kind() != written) {
            return folds.ran(job);
        }
        if (job.script().kind() == Kind.HOLDOUT) {
            job.begin().attempt();
            return written == Kind.SPLIT ? printed(missing, null, null)
                    : new Execution.Silent(((Execution.Ended) folds.ran(job)).evaluation(),
                            new Execution.Submission("holdouts/d1", 1, 0, UNKNOWN + "\n" + FRAMES));
        }
        job.begin().attempt();
        tried.add(job.script());
        return tried.size() <= refusals
                ? printed("{}", "Traceback (most recent call last):\nWrittenError: " + REFUSED, null)
                : printed(RULED, null, new Execution.Submission("holdouts/d2", 1, 1));
    }

    private static Execution printed(String text, String bug, Execution.Submission kept) {
        return Execution.of(new EvaluationResult(Score.NONE, text, "", bug == null ? 0 : 1, 0.1, bug != null, bug),
                false, kept, bug);
    }

    private Facts facts(String run) {
        return RunContexts.facts(one.records, run).orElseThrow();
    }

    private void run(Kind kind) {
        written = kind;
        one.keepSubmission();
        one.runToTheEnd(CONFIG);
        assertThat(one.records.result(StepPath.root("r")).map(StepResult::status)).contains(StepResult.Status.DONE);
    }

    @ParameterizedTest
    @EnumSource(names = {"SPLIT", "METRIC"})
    void whatAnAgentWroteAndTheDebuggerMendedIsUsedAndAForkPaysForNoneOfIt(Kind kind) {
        run(kind);
        assertThat(asked).hasSize(2).first().isInstanceOfAny(SplitCoder.class, MetricCoder.class);
        assertThat(asked.getFirst()).isEqualTo(asked.getFirst() instanceof SplitCoder coder
                ? new SplitCoder(NO_FORM, coder.data(), coder.libraries())
                : new MetricCoder(UNKNOWN, FRAMES, ((MetricCoder) asked.getFirst()).libraries()));
        assertThat(((Debugger) asked.getLast()).kind()).isEqualTo(kind);
        assertThat(((Debugger) asked.getLast()).bug()).contains(REFUSED);
        assertThat(tried).extracting(RunScript::holdout).as("a metric is tried on the rows that are hidden")
                .containsOnly(kind == Kind.METRIC ? "d1" : null);
        assertThat(facts("r").holdout().digest()).isEqualTo("d2");
        String how = kind == Kind.SPLIT ? "by split.py" : "the metric is computed by the metric.py that an agent wrote";
        assertThat(facts("r").scoredBy()).contains("300 for the search in 3 folds", how);
        assertThat(Report.html(one.records, one.records.header("r").orElseThrow(), World.NOW.plusSeconds(1000)))
                .contains(how);
        assertThat(one.records.request(StepPath.parse("r/phase1/candidate0/evaluation/fold-2"))).isPresent();

        one.engine.start(World.header("f", CONFIG).from(new RunHeader.Origin("r", "finalization",
                one.clock.instant(), RunHeader.Redo.of(List.of("finalization"), false))));
        one.deliverAll();
        assertThat(asked).hasSize(2);
        assertThat(facts("f").holdout()).isEqualTo(facts("r").holdout());
        assertThat(one.world.paid).doesNotContainKey(StepPath.parse("f/phase1/candidate0/init"));
    }

    @ParameterizedTest
    @EnumSource(names = {"SPLIT", "METRIC"})
    void aRunGoesOnByTheScriptsOwnScoresWhereAllAreRefused(Kind kind) {
        refusals = 3;
        run(kind);
        assertThat(tried).hasSize(3);
        assertThat(facts("r").holdout()).isNull();
        assertThat(facts("r").scoredBy()).contains("scores are the scripts' own",
                kind == Kind.SPLIT ? NO_FORM : UNKNOWN, ".py that an agent wrote was refused", REFUSED);
    }

    @Test
    void noneIsAskedForWhereItWouldNotHelp() {
        missing = "{\"missing\": \"ids mean something\", \"formless\": false}";
        run(Kind.SPLIT);
        assertThat(asked).isEmpty();
        assertThat(facts("r").unvalidated()).isEqualTo("ids mean something");
    }

    @Test
    void aSearchByThePaperAsksForNone() {
        one.keepSubmission();
        one.runToTheEnd("{\"num_retrieved_models\": 1, \"num_parallel_solutions\": 1}");
        assertThat(asked).isEmpty();
        assertThat(facts("r").scoredBy()).isEmpty();
    }
}
