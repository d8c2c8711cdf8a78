package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.MetricCoder;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import io.mlestar.show.report.Report;
import io.mlestar.show.view.StepDetail;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Runs of `strong` with a metric that the program cannot compute: an agent writes a `metric.py` in
/// the survey.
class MetricRunTest {
    private static final String CONFIG =
            """
                    {"search": "strong", "folds": 3, "num_retrieved_models": 1, "num_parallel_solutions": 1, "attempts": 1, "studies": 0,
                     "agents_look": 0, "max_debug_attempts": 2}""";
    private static final String UNKNOWN = "the program cannot compute glory";
    private static final String FRAMES = "solution:\nid,y\n1,2";
    private static final String REFUSED = "labels in a wrong order have the score of the right ones, 1.0";

    private final List<Agent<?>> asked = new ArrayList<>();
    private final List<RunScript> tried = new ArrayList<>();
    /// Scores are by the rows as they were kept with the metric.
    private final FoldedWorld folds = new FoldedWorld("d2");
    /// Refusals before one is taken.
    private int refusals = 1;
    private final OneEngine one = new OneEngine(folds.in(new World(1, 0)).asking(question -> {
        if (question.step().inside().startsWith("survey")) {
            asked.add(question.agent());
        }
        return question.answer();
    }).running(this::ran));

    private Execution ran(World.Job job) {
        if (job.script().kind() == Kind.HOLDOUT) {
            job.begin().attempt();
            return new Execution.Silent(((Execution.Ended) folds.ran(job)).evaluation(),
                    new Execution.Submission("holdouts/d1", 1, 0, UNKNOWN + "\n" + FRAMES));
        }
        if (job.script().kind() != Kind.METRIC) {
            return folds.ran(job);
        }
        job.begin().attempt();
        tried.add(job.script());
        String bug = tried.size() > refusals ? null : "Traceback (most recent call last):\nMetricError: " + REFUSED;
        EvaluationResult result = new EvaluationResult(Score.NONE, "", "", bug == null ? 0 : 1, 0.1, bug != null, bug);
        return Execution.of(result, false, bug == null ? new Execution.Submission("holdouts/d2", 1, 0) : null, bug);
    }

    private Facts facts(String run) {
        return RunContexts.facts(one.records, run).orElseThrow();
    }

    private void run() {
        one.keepSubmission();
        one.runToTheEnd(CONFIG);
        assertThat(one.records.result(StepPath.root("r")).map(StepResult::status)).contains(StepResult.Status.DONE);
    }

    @Test
    void whatAnAgentWroteAndTheDebuggerMendedScoresTheScripts() {
        run();

        MetricCoder coder = (MetricCoder) asked.getFirst();
        assertThat(coder.missing()).isEqualTo(UNKNOWN);
        assertThat(coder.form()).isEqualTo(FRAMES);
        assertThat(((Debugger) asked.getLast()).kind()).isEqualTo(Kind.METRIC);
        assertThat(((Debugger) asked.getLast()).bug()).contains(REFUSED);
        assertThat(asked).hasSize(2);
        assertThat(tried).extracting(RunScript::holdout).as("it is tried on the rows that are hidden")
                .containsExactly("d1", "d1");
        assertThat(facts("r").holdout().digest()).isEqualTo("d2");
        assertThat(one.records.request(StepPath.parse("r/phase1/candidate0/evaluation/fold-2"))).isPresent();
    }

    @Test
    void peopleSeeWhoWroteItAndWhatItIs() {
        run();

        String said =
                "300 for the search in 3 folds, 100 for the final choice; at random; the metric is computed by the metric.py that an agent wrote";
        assertThat(facts("r").scoredBy()).contains(said);
        assertThat(Report.html(one.records, one.records.header("r").orElseThrow(), World.NOW.plusSeconds(1000)))
                .contains(said);
        StepDetail detail = StepDetail.of(one.records, StepPath.parse("r/survey/coder-metric")).orElseThrow();
        assertThat(detail.toString()).contains(Objects.requireNonNull(tried.getFirst().content()));
    }

    @Test
    void aRunGoesOnByTheScriptsOwnScoresWhereAllAreRefused() {
        refusals = 3;
        run();

        assertThat(tried).hasSize(3);
        assertThat(facts("r").holdout()).isNull();
        assertThat(facts("r").scoredBy()).contains("scores are the scripts' own", UNKNOWN,
                "the metric.py that an agent wrote was refused", REFUSED);
    }

    @Test
    void aForkScoresByTheSameAndPaysForNoneOfIt() {
        run();
        int before = asked.size();
        tried.clear();
        one.engine.start(World.header("f", CONFIG)
                .from(new RunHeader.Origin("r", "finalization", one.clock.instant(),
                        RunHeader.Redo.of(List.of("finalization"), false))));
        one.deliverAll();

        assertThat(asked).hasSize(before);
        assertThat(facts("f").holdout()).isEqualTo(facts("r").holdout());
    }

    @Test
    void aSearchByThePaperAsksForNone() {
        one.keepSubmission();
        one.runToTheEnd("{\"num_retrieved_models\": 1, \"num_parallel_solutions\": 1}");

        assertThat(asked).isEmpty();
        assertThat(facts("r").scoredBy()).isEmpty();
    }
}
