package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Json;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.DataCard;
import io.mlestar.core.step.DataTables;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.MachineFacts;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What agents are told where the harness scores scripts by rows that it hides.
class ValidationRulesTest {
    private static final Holdout HOLDOUT =
            new Holdout("d1", "whole days of \"date\", since the test has other ones", List.of(900), 1_000, false,
                    List.of("train.csv"),
                    "what tells the target: \"y.csv\"");

    private static final PipelineConfig STRONG =
            PipelineConfig.resolve(Json.tree(Map.of("search", "strong")), Map.of());

    private static RunContext harness() {
        RunContext context = Given.context(MetricDirection.MAXIMIZE);
        return new RunContext(context.task(), STRONG, context.hardware(),
                new Facts(MachineFacts.UNKNOWN, DataCard.NONE, HOLDOUT, null));
    }

    private static String prompt(Agent<?> agent) {
        return Given.PROMPTS.render(agent, harness(), Abilities.NONE).text();
    }

    @Test
    void theSystemPromptSaysWhatIsHiddenAndWhatCounts() {
        assertThat(Prompts.system(harness())).contains("1900 rows of the training data are hidden",
                "```\n" + HOLDOUT.scheme() + "\nPrograms do not see what tells the target: \"y.csv\"\n```\n",
                "stand among the rows of the test table", "sees fewer training rows and more to predict",
                "loads the test data, predicts all rows of the sample submission, and writes them to",
                "computed from 900 of the hidden rows", "What it prints does not count, but guides",
                "as the hidden rows were made",
                "Train for the metric and predict what it rewards",
                "A\ndifference below its own is noise", "Train on all rows of the training table", "standard error")
                .doesNotContain("seed 42");
    }

    @Test
    void noPromptForAScriptForbidsTheTestTableOrAsksForAHoldOut() {
        assertThat(Stream.of(Given.INIT, Given.SCRIPT_CODER, Given.DEBUGGER, Given.ENSEMBLER)
                .map(ValidationRulesTest::prompt))
                .noneMatch(prompt -> prompt.contains("Do not load the test data") || prompt.contains("hold-out"));
        assertThat(Stream.of(Given.INIT, Given.ENSEMBLER).map(ValidationRulesTest::prompt))
                .allMatch(prompt -> prompt.contains("`./final/submission.csv`")
                        && prompt.contains("folds of the training data"));
    }

    @Test
    void theTaskStandsOnceInAShortRun() {
        RunContext context = Given.context(MetricDirection.MAXIMIZE);
        RunContext brief = new RunContext(context.task(), STRONG, context.hardware());
        String task = context.task().description().strip();
        assertThat(Stream.of(new Init(task, "m", "c", null), new Retriever(task, 4, null))
                .map(agent -> Given.PROMPTS.render(agent, brief, Abilities.NONE).text()))
                .noneMatch(prompt -> prompt.contains(task) || prompt.contains("task_description"));
        assertThat(Prompts.system(brief)).contains(task);
        assertThat(Given.prompt(new Init(task, "m", "c", null))).contains(task);
    }

    @Test
    void whereTheHarnessCutsFoldsProgramsHoldOutRowsOnlyToTellWhereTheyErr() {
        Holdout folds = new Holdout("d1", "at random", List.of(90, 100, 95), 50, false, List.of("train.csv"), null);
        RunContext context =
                new RunContext(harness().task(), harness().config(), harness().hardware(),
                        new Facts(MachineFacts.UNKNOWN, DataCard.NONE, folds, null));

        assertThat(Prompts.system(context)).contains(
                "One fold of 3 (90 rows or more) and 50 other rows of the training data are hidden from a program when it runs",
                "It is run up to 3 times, each time with another fold hidden", "no average over them is needed");
        assertThat(Stream.of(Given.INIT, Given.ENSEMBLER)
                .map(agent -> Given.PROMPTS.render(agent, context, Abilities.NONE).text()))
                .allMatch(prompt -> prompt.contains("`./final/submission.csv`") && prompt.contains("one fifth of it")
                        && !prompt.contains("share the same folds"));
    }

    @Test
    void aFirstSolutionIsAmbitiousWhereNoAgentLooksForUnusedDataLater() {
        RunContext context = Given.context(MetricDirection.MAXIMIZE);
        RunContext brief = new RunContext(context.task(), STRONG, context.hardware());
        assertThat(Stream.of(harness(), brief).map(run -> Given.PROMPTS.render(Given.INIT, run, Abilities.NONE).text()))
                .allMatch(prompt -> prompt.contains("features from every table")
                        && !prompt.contains("keep the design simple"));
        assertThat(Given.prompt(Given.INIT)).contains("keep the design simple")
                .doesNotContain("features from every table");
    }

    @Test
    void studiesHaveTheFoldsOfTheHarnessWhereThereAreSome() {
        Holdout folds = new Holdout("d1", "at random", List.of(90, 100, 95), 50, false, List.of("train.csv"), null);
        assertThat(studies(folds))
                .contains("`./input/study_folds.csv`", "all of the training data but 50 rows", "a line for each row")
                .doesNotContain("hash", "latest", "in the column `file`");
        assertThat(studies(folds, new DataTables("train.csv", null, null))).contains("in the column `file`");
        assertThat(studies(new Holdout("d1", "by date", List.of(90, 100), 50, true, List.of("train.csv"), null)))
                .contains("Fold 0 is the latest");
        assertThat(studies(HOLDOUT)).contains("by a hash of the row's number", "Which of the three is right")
                .doesNotContain("study_folds");
    }

    private static String studies(Holdout holdout) {
        return studies(holdout, new DataTables("train.csv", "test.csv", null));
    }

    private static String studies(Holdout holdout, DataTables tables) {
        RunContext context = harness();
        return ValidationRules.studies(
                new RunContext(context.task(), context.config(), context.hardware(),
                        new Facts(MachineFacts.UNKNOWN, DataCard.NONE, holdout, null, tables)));
    }
}
