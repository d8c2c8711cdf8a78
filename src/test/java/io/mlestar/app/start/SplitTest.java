package io.mlestar.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Json;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.survey.HoldoutReading;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a task's own `split.py` may do, and for what it is refused. Good ones are played to their
/// scores in [LiteFormsTest].
class SplitTest extends HeldOutDays {
    private static final Path GOOD = Path.of("src/test/resources/holdout/split-pages.py");
    private static final String HEADER = "P2 1 1 1 ";
    private static final int PAGES = 40;

    /// Stained pages of two points, whose clean ones are the labels; and a text that names what
    /// they cost.
    @BeforeEach
    void makePages() throws IOException {
        data = Files.createDirectories(folder.resolve("task/input"));
        for (String place : List.of("train", "train_cleaned", "test")) {
            Files.createDirectories(data.resolve(place));
        }
        StringBuilder sample = new StringBuilder("id,value\n");
        StringBuilder costs = new StringBuilder("page,cost\n");
        for (int page = 0; page < PAGES; page++) {
            Files.writeString(data.resolve("train/" + (100 + page) + ".pgm"), HEADER + "0 0 stained " + page % 3);
            Files.writeString(data.resolve("train_cleaned/" + (100 + page) + ".pgm"),
                    HEADER + page * 37 % 41 + " " + page * 11 % 13);
            Files.writeString(data.resolve("test/" + page + ".pgm"), HEADER + "0 0 stained " + page % 3);
            sample.append("%d_0,1\n%d_1,1\n".formatted(page, page));
            costs.append("%d,%d\n%d,%d\n".formatted(100 + page, page % 5, page, page % 5));
        }
        Files.writeString(data.resolve("sampleSubmission.csv"), sample);
        Files.writeString(data.resolve("costs.csv"), costs);
        TaskDescription given = context.task();
        context = new RunContext(
                new TaskDescription("t", given.taskType(), given.dataModality(), "RMSE", MetricDirection.MINIMIZE,
                        "Clean them.",
                        data.toString(), null),
                PipelineConfig.resolve(Json.object().put("search", "strong").put("folds", 2), Map.of()), "no GPU");
    }

    private String changed(String line, String into) throws IOException {
        String good = Files.readString(GOOD);
        assertThat(good).contains(line);
        return good.replace(line, into.replace("¶", "\n"));
    }

    private Execution written(String split, int seconds) {
        return run(strongest(), new RunScript(split, Kind.SPLIT, seconds));
    }

    @Test
    void aGoodOneIsUsedByWhoeverWroteIt() throws IOException {
        Execution byAgent = written(Files.readString(GOOD), 120);
        assertThat(byAgent).as(byAgent.toString()).isInstanceOf(Execution.Silent.class);
        HoldoutReading read = HoldoutReading.of(new Outcome.Done<>(byAgent));
        assertThat(read.holdout().foldRows()).containsExactly(30, 30);
        assertThat(read.holdout().selectRows()).isEqualTo(20);
        assertThat(read.holdout().scheme()).isEqualTo("examples at random in 2 folds, by split.py: 40 examples of 40");

        Files.copy(GOOD, folder.resolve("task/split.py"));
        Execution own = run(strongest(), new RunScript(SurveyScripts.holdout(120, 2, ""), Kind.HOLDOUT, 120));
        assertThat(HoldoutReading.of(new Outcome.Done<>(own)).holdout()).as("the same rows").isEqualTo(read.holdout());
    }

    /// @param line of the good one
    /// @param into what stands in its place
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~',
            textBlock = """
                    return sorted(             | return 2 * sorted(                              | examples() names some example twice
                    return sorted(             | return ['x'] + sorted(                          | No such file or directory: './input/train_cleaned/
                    'moves': moves             | 'moves': moves or {'test/1.pgm': None}          | hide() moves files or gives answers where no example is hidden
                    return {'files'            | return []; {'files'                             | hide() must give a dictionary with files
                    SAMPLE: asked}             | SAMPLE: asked, 'costs.csv': 'page\\n' * 81}     | "costs.csv" lacks the column "cost"
                    SAMPLE: asked}             | SAMPLE: asked, 'more.csv': ''}                  | files has "more.csv", which the data have not
                    SAMPLE: asked}             | SAMPLE: read(data, SAMPLE)}                     | names 80 rows; it must name the 80 of the test and the
                    asked = read(              | asked = '#' + read(                             | lacks the column "id"
                    ',1\\n' for row            | ',' + row.split(',')[1] + '\\n' for row         | "sampleSubmission.csv" tells the answers of the hidden rows
                    ',1\\n' for row in answers | ',1\\n' for row in answers[1:]                  | it must name the 80 of the test
                    'id,value,example          | 'id,value,page                                  | answers must have the columns "id", "value", "example"
                    for page in hidden:        | for page in hidden[1:]:                         | answers has no row of
                    enumerate(clean)]          | enumerate(clean)] * 2                           | answers has a row twice
                    (page, point, value, page) | (page, point, value + str(len(hidden)), page)   | are not the same in each view
                    = None                     | = 'train_cleaned/%s.pgm' % page                 | only training has such files
                    = None                     | = '../%s.pgm' % page                            | where the data have no folder
                    = None                     | = 'test/%s.pgm' % page                          | two files would stand at "test/
                    'moves': moves             | 'moves': {**moves, 'costs.csv': None} if len(hidden) > 10 else moves | moves has "costs.csv" where quite other examples are hidden
                    SAMPLE: asked}             | SAMPLE: asked, 'costs.csv': 'page,cost\\n' + ''.join('%s,0\\n' % page for page in range(40)) + ''.join('%s,%s\\n' % (page, read(data, 'train_cleaned/%s.pgm' % page).split()[4]) for page in examples(data))} | "costs.csv" tells the answers of hidden examples
                    answers, moves =           | import random¶    answers, moves =              | SplitError: two runs of it gave different answers
                    def examples(data):        | def example(data):                              | AttributeError
                    """)
    void whatBreaksTheContractIsRefused(String line, String into, String why) throws IOException {
        String split = changed(line, into);
        if (into.startsWith("import random")) {
            split = split.replace("for page in hidden:", "for page in sorted(hidden, key=lambda _: random.random()):");
        }
        Execution ran = written(split, 120);
        assertThat(ran).as(ran.toString()).isInstanceOf(Execution.Failed.class);
        assertThat(((Execution.Failed) ran).bug()).contains(why);
        HoldoutReading read = HoldoutReading.of(new Outcome.Done<>(ran));
        assertThat(read.holdout()).isNull();
        assertThat(read.missing()).startsWith("split.py: ").doesNotContain("\n");
    }

    private String acting(String act) throws IOException {
        return changed("answers, moves =", act + "\n    answers, moves =");
    }

    @Test
    void oneThatHangsIsStopped() throws IOException {
        Execution ran = written(acting("import time; time.sleep(600)"), 9);
        assertThat(ran).isInstanceOf(Execution.TimedOut.class);
        assertThat(ran.ending(Kind.SPLIT)).contains("timed out after");
    }

    @Test
    void itsAnswerIsAFileAndNoLink() throws IOException {
        Execution ran = written(
                acting("if not os.path.islink('final/split.json'): os.symlink('../kept.json', 'final/split.json')"),
                120);
        assertThat(((Execution.Failed) ran).error()).contains("it ended without an answer");
    }

    @Test
    void itFillsNoDisk() throws IOException {
        Execution ran = written(acting("open('final/large', 'wb').truncate(1 << 40)"), 120);
        assertThat(((Execution.Failed) ran).error()).contains("File too large");
    }

    @Test
    void aProcessThatStaysBehindIsGone() throws IOException {
        Execution ran =
                written(acting("import subprocess; subprocess.Popen(['sleep', '600'], start_new_session=True)"), 120);
        assertThat(HoldoutReading.of(new Outcome.Done<>(ran)).holdout()).as(ran.toString()).isNotNull();
    }

    @Test
    void withoutAMetricRowsAreHiddenAndItIsSaidThatNoScoreCanBeComputed() throws IOException {
        TaskDescription given = context.task();
        context = new RunContext(new TaskDescription("t", given.taskType(), given.dataModality(), "beauty",
                MetricDirection.MAXIMIZE, "Clean them.",
                data.toString(), null), context.config(), "no GPU");
        HoldoutReading read = HoldoutReading.of(new Outcome.Done<>(written(Files.readString(GOOD), 120)));
        assertThat(read.holdout().foldRows()).containsExactly(30, 30);
        assertThat(read.reason()).isEqualTo(
                "the program cannot compute beauty where a higher one is better, and there is no metric.py beside the data");
        assertThat(read.frames()).startsWith("solution:\nid,value\n").contains("\n\nsubmission:\nid,value\n", "_0,1\n");
    }

    @Test
    void anOwnOneWithoutItsFunctionsIsNamed() throws IOException {
        Files.writeString(folder.resolve("task/split.py"), "def examples(data):\n    return []\n");
        assertThatThrownBy(() -> run(strongest(), new RunScript(SurveyScripts.holdout(60, 2, ""), Kind.HOLDOUT, 60)))
                .hasMessageContaining("split.py must have the function hide(data, hidden)");
    }
}
