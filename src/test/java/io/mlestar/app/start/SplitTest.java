package io.mlestar.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.ProjectFiles;
import io.mlestar.core.agent.CardFolder;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Arithmetic.CombineFolds;
import io.mlestar.core.step.Arithmetic.CombinedFolds;
import io.mlestar.core.step.Arithmetic.ComparePredictions;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.survey.HoldoutReading.FoundHoldout;
import io.mlestar.core.survey.HoldoutReading.NoRows;
import io.mlestar.core.survey.HoldoutReading;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.Validation;
import module java.base;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/// A task's own `split.py`: what it may do, and for what it is refused; and two layouts that no
/// other rule covers, to a score.
class SplitTest extends HeldOutDays {
    private static final Path LAYOUTS = Path.of("src/test/resources/holdout/split-layouts.py");
    private static final Path PREDICTS = Path.of("src/test/resources/holdout/predicts.py");

    /// Stained pages; and a text that names what they cost.
    @BeforeEach
    void makePages() throws IOException {
        StringBuilder costs = new StringBuilder("page,cost\n");
        for (int page = 0; page < 40; page++) {
            costs.append("%d,%d\n%d,%d\n".formatted(100 + page, page % 5, page, page % 5));
        }
        data = StainedPages.in(folder.resolve("task")).with("costs.csv", costs.toString()).data();
        task("RMSE", true, "Clean them.", twoFolds());
    }

    private String changed(String line, String into) throws IOException {
        String good = Files.readString(StainedPages.SPLIT);
        assertThat(good).contains(line);
        return good.replace(line, into.replace("¶", "\n"));
    }

    private Execution written(String split, int seconds) {
        return run(strongest(), new RunScript(split, Kind.SPLIT, seconds));
    }

    @Test
    void aGoodOneIsUsedByWhoeverWroteIt() throws IOException {
        Execution byAgent = written(Files.readString(StainedPages.SPLIT), 120);
        assertThat(byAgent).as(byAgent.toString()).isInstanceOf(Execution.Silent.class);
        FoundHoldout read = reading(byAgent);
        assertThat(read.holdout().foldRows()).containsExactly(30, 30);
        assertThat(read.holdout().selectRows()).isEqualTo(20);
        assertThat(read.holdout().scheme()).isEqualTo("examples at random in 2 folds, by split.py: 40 examples of 40");

        Files.copy(StainedPages.SPLIT, folder.resolve("task/split.py"));
        Execution own = run(strongest(), new RunScript(SurveyScripts.holdout(120, 2, ""), Kind.HOLDOUT, 120));
        assertThat(reading(own).holdout()).as("the same rows").isEqualTo(read.holdout());
    }

    /// @param line of the good one
    /// @param into what stands in its place
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~',
            textBlock = """
                    return sorted(             | return ['x'] + sorted(                          | No such file or directory: './input/train_cleaned/
                    SAMPLE: asked}             | SAMPLE: asked, 'more.csv': ''}                  | files has "more.csv", which the data have not
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
        NoRows read = (NoRows) HoldoutReading.of(new Outcome.Done<>(ran));
        assertThat(read.why()).startsWith("split.py: ").doesNotContain("\n");
    }

    /// By the programs that the sandbox of the others runs.
    @ParameterizedTest
    @CsvFileSource(resources = "/cases/refused-splits.csv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '~')
    void noAnswerThatBreaksTheContractIsBelieved(String line, String into, String why) throws IOException {
        CardFolder pages = new CardFolder(data);
        Path home = folder.resolve("task");
        Files.writeString(home.resolve("split.py"), changed(line, into));
        Path answer = Files.createDirectory(home.resolve("final")).resolve("split.json");
        pages.printed(SurveyScripts.splitViews(2));
        Files.move(answer, home.resolve("split.json"));
        assertThat(SurveyScripts.missing(pages.printed(SurveyScripts.holdout(CardFolder.PATIENT, 2, ""))))
                .hasValueSatisfying(missing -> assertThat(missing).contains(why).doesNotContain("\n"));
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
        assertThat(reading(ran).holdout()).as(ran.toString()).isNotNull();
    }

    @Test
    void withoutAMetricRowsAreHiddenAndItIsSaidThatNoScoreCanBeComputed() throws IOException {
        task("beauty", false, "Clean them.", twoFolds());
        FoundHoldout read = reading(written(Files.readString(StainedPages.SPLIT), 120));
        assertThat(read.holdout().foldRows()).containsExactly(30, 30);
        assertThat(read.reason()).isEqualTo(
                "the program cannot compute beauty where a higher one is better, and there is no metric.py beside the data");
        assertThat(read.frames()).startsWith("solution:\nid,value\n").contains("\n\nsubmission:\nid,value\n", "_0,1\n");
    }

    @Test
    void anOwnOneWithoutItsFunctionsIsNamed() throws IOException {
        Files.writeString(folder.resolve("task/split.py"), "def examples(data):\n    return []\n");
        assertThatThrownBy(() -> run(SurveyScripts.holdout(60, 2, ""), Kind.HOLDOUT))
                .hasMessageContaining("split.py must have the function hide(data, hidden)");
    }

    /// The features tell the label, so a script that finds what belongs to a row of the sample
    /// scores perfectly, and one whose files or rows are mixed up does not.
    @ParameterizedTest
    @CsvSource({"recordings, split-recordings.py, 0", "stained_pages, split-pages.py, 165"})
    void hiddenRowsAreScoredBySplit(String layout, String split, int answers) throws IOException, InterruptedException {
        Path home = folder.resolve(layout);
        data = Files.createDirectories(home.resolve("input"));
        JsonNode made = python(LAYOUTS, new byte[0], layout, data.toString());
        task(made.path("metric").asText(), made.path("minimize").asBoolean(),
                made.path("description").asText() + "Predict.", twoFolds());
        JsonNode refused = Json.parse(run(SurveyScripts.holdout(60, 2, ""), Kind.HOLDOUT).evaluation().stdout());
        assertThat(refused.path("formless").asBoolean()).as(refused.toString()).isTrue();
        Files.copy(LAYOUTS.resolveSibling(split), home.resolve("split.py"));

        assertThat(Json.parse(hide(2)).path("scheme").asText()).contains("by split.py: 300 examples of 300");

        eachFileIsShownOnce(answers);
        scoresPerfectly(made,
                ProjectFiles.text(PREDICTS)
                        .replace("[], []",
                                "[], ['%s']".formatted(layout.equals("recordings") ? "Probability" : "value"))
                        .replace("predicted(TOLD)", made.path("predicts").asText()));
    }

    private void scoresPerfectly(JsonNode made, String predicts) throws IOException {
        double best = made.path("minimize").asBoolean() ? 0 : 1;
        List<String> kept = new ArrayList<>();
        for (int fold = 0; fold < 2; fold++) {
            Validation validation = scored(predicts, fold).evaluation().score().validation();
            assertThat(validation.search()).isCloseTo(best, within(1e-9));
            assertThat(validation.select()).isCloseTo(best, within(1e-9));
            kept.add(validation.predictions());
            assertThat(longestRun(text(validation.predictions()))).as("rows of one label in a row").isLessThan(40);
        }
        CombinedFolds all = harness().compute(new CombineFolds(kept, context.hiddenRows()));
        assertThat(all.validation().search()).isCloseTo(best, within(1e-9));
        Execution.Ended last = (Execution.Ended) run(predicts, Kind.SUBMISSION);
        assertThat(harness().compute(new ComparePredictions(all.validation().predictions(), last.submission().key(),
                context.hiddenRows())).distance()).isZero();
        assertThat(last.submission().wrong()).isNull();
    }
}
