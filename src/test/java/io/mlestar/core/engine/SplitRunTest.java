package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.SplitCoder;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Runs of `strong` on data whose form no rule finds: an agent writes a `split.py` in the survey.
class SplitRunTest {
    private static final String CONFIG =
            """
                    {"search": "strong", "folds": 3, "num_retrieved_models": 1, "num_parallel_solutions": 1, "attempts": 1, "studies": 0,
                     "agents_look": 0, "max_debug_attempts": 2}""";
    private static final String NO_FORM = "there is no table for training";

    private final List<Agent<?>> asked = new ArrayList<>();
    private final FoldedWorld folds = new FoldedWorld("d1");
    /// Refusals before one is taken.
    private int refusals = 1;
    private int tries;
    private final OneEngine one = new OneEngine(folds.in(new World(1, 0)).asking(question -> {
        if (question.step().inside().startsWith("survey")) {
            asked.add(question.agent());
        }
        return question.answer();
    }).running(this::ran));

    private Execution ran(World.Job job) {
        if (job.script().kind() == Kind.HOLDOUT) {
            job.begin().attempt();
            return printed("{\"missing\": \"" + NO_FORM + "\", \"formless\": true}", null);
        }
        if (job.script().kind() != Kind.SPLIT) {
            return folds.ran(job);
        }
        job.begin().attempt();
        if (tries++ < refusals) {
            return printed("{\"missing\": \"split.py: answers has a row twice\"}",
                    "Traceback (most recent call last):\nSplitError: answers has a row twice");
        }
        return Execution
                .of(new EvaluationResult(Score.NONE,
                        "{\"scheme\": \"by split.py\", \"rows\": [100, 100, 100], \"select\": 100, \"files\": []}", "",
                        0, 0.1,
                        false, null), false, new Execution.Submission("holdouts/d1", 1, 1), null);
    }

    private static Execution printed(String text, String bug) {
        return Execution.of(new EvaluationResult(Score.NONE, text, "", bug == null ? 0 : 1, 0.1, bug != null, bug),
                false, null, bug);
    }

    private Facts facts(String run) {
        return RunContexts.facts(one.records, run).orElseThrow();
    }

    @Test
    void whatAnAgentWroteAndTheDebuggerMendedHidesRows() {
        one.keepSubmission();
        one.runToTheEnd(CONFIG);

        assertThat(asked).hasSize(2);
        assertThat(((SplitCoder) asked.getFirst()).missing()).isEqualTo(NO_FORM);
        assertThat(((Debugger) asked.getLast()).bug()).contains("answers has a row twice");
        assertThat(((Debugger) asked.getLast()).kind()).isEqualTo(Kind.SPLIT);
        assertThat(facts("r").scoredBy()).contains("300 for the search in 3 folds", "by split.py");
        assertThat(one.records.request(StepPath.parse("r/phase1/candidate0/evaluation/fold-2")))
                .as("it is used like any rule").isPresent();
        assertThat(one.records.result(StepPath.root("r")).map(StepResult::status)).contains(StepResult.Status.DONE);
    }

    @Test
    void aRunGoesOnWithoutHiddenRowsWhereAllAreRefused() {
        refusals = 3;
        one.keepSubmission();
        one.runToTheEnd(CONFIG);

        assertThat(tries).isEqualTo(3);
        assertThat(facts("r").holdout()).isNull();
        assertThat(facts("r").scoredBy()).contains("scores are the scripts' own", NO_FORM,
                "the split.py that an agent wrote was refused",
                "answers has a row twice");
        assertThat(one.records.result(StepPath.root("r")).map(StepResult::status)).contains(StepResult.Status.DONE);
    }

    @Test
    void aForkHidesTheSameRowsAndPaysForNoneOfIt() {
        one.keepSubmission();
        one.runToTheEnd(CONFIG);
        int before = asked.size();
        RunHeader fork = World.header("f", CONFIG)
                .from(new RunHeader.Origin("r", "finalization", one.clock.instant(),
                        RunHeader.Redo.of(List.of("finalization"), false)));
        tries = 0;
        one.engine.start(fork);
        one.deliverAll();

        assertThat(asked).hasSize(before);
        assertThat(facts("f").holdout()).isEqualTo(facts("r").holdout());
        assertThat(one.world.paid).doesNotContainKey(StepPath.parse("f/phase1/candidate0/init"));
    }

    @Test
    void noneIsAskedForWhereItWouldNotHelp() {
        String dates = "{\"missing\": \"ids mean something\", \"formless\": false}";
        OneEngine other = new OneEngine(new World(1, 0).asking(question -> {
            asked.add(question.agent());
            return question.answer();
        }).running(job -> job.script().kind() == Kind.HOLDOUT ? printed(dates, null) : job.execution()));
        other.keepSubmission();
        other.runToTheEnd(CONFIG);

        assertThat(asked).isNotEmpty().noneMatch(SplitCoder.class::isInstance);
        assertThat(Json.read(Json.tree(RunContexts.facts(other.records, "r").orElseThrow()), Facts.class).unvalidated())
                .isEqualTo("ids mean something");
        assertThat(Map.copyOf(other.world.paid)).doesNotContainKey(StepPath.parse("r/survey/coder-split"));
    }
}
