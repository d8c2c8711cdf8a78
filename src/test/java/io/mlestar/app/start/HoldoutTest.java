package io.mlestar.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.Waiting;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.script.DataViews;
import io.mlestar.adapter.script.MemoryPressure;
import io.mlestar.adapter.script.Sandboxes;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.RunningOutputs;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.Arithmetic.CombineFolds;
import io.mlestar.core.step.Arithmetic.Combined;
import io.mlestar.core.step.Arithmetic.ComparePredictions;
import io.mlestar.core.step.SubmissionComparison;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Window;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.Validation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The rows that the harness hides, with the real programs and sandboxes: 1,000 rows of 100 days, y = x + 1, and a test of other days.
@Timeout(300)
class HoldoutTest {
    private static final StepPath STEP = StepPath.parse("r/phase1/candidate0/evaluation/script");
    private static final int ROWS = 1000;
    private static final int TEST = 60;
    /// Predicts x + OFF for each row that it is shown.
    private static final String PREDICTS = """
            import csv
            rows = list(csv.DictReader(open('input/test.csv')))
            with open('final/submission.csv', 'w') as out:
                out.write('id,y\\n')
                for row in rows:
                    out.write('%s,%f\\n' % (row['id'], float(row['x']) + OFF))
            print('Final Validation Performance: 123')
            """;

    @TempDir
    private Path folder;

    private final DataViews views = new DataViews();
    private final Records records = new Records(new MemoryStore());
    private Path data;
    private RunContext context;

    @BeforeEach
    void makeData() throws IOException {
        data = Files.createDirectories(folder.resolve("data"));
        StringBuilder train = new StringBuilder("id,day,x,y\n");
        IntStream.range(0, ROWS).forEach(i -> train.append("%d,2024-%02d-%02d,%d.5,%d.5\n".formatted(i, 1 + i / 10 / 25, 1 + i / 10 % 25, i % 37, i % 37 + 1)));
        StringBuilder test = new StringBuilder("id,day,x\n");
        StringBuilder sample = new StringBuilder("id,y\n");
        IntStream.range(0, TEST).forEach(i -> test.append("%d,2024-%02d-%02d,%d.5\n".formatted(5000 + i, 1 + i / 20, 26, i)));
        IntStream.range(0, TEST).forEach(i -> sample.append("%d,0\n".formatted(5000 + i)));
        Files.writeString(data.resolve("train.csv"), train);
        Files.writeString(data.resolve("test.csv"), test);
        Files.writeString(data.resolve("sample_submission.csv"), sample);
        Files.writeString(Files.createDirectory(data.resolve("more")).resolve("notes.txt"), "weather");
        TaskDescription made = World.header("r", "{}").task();
        TaskDescription task = new TaskDescription("t", made.taskType(), made.dataModality(), "RMSE", MetricDirection.MINIMIZE, "d",
                data.toString(), null);
        context = new RunContext(task, PipelineConfig.defaults(), "no GPU");
    }

    private ScriptJob job(Isolation isolation) {
        return new ScriptJob(records, new DataSets(Map.of()), () -> new ScriptRunner(Sandboxes.of(isolation), InstantSource.system()), views,
                new MemoryPressure(folder), new RunningOutputs());
    }

    private Execution run(Isolation isolation, RunScript script) {
        Instant end = Instant.now().plus(Waiting.MOST);
        return job(isolation).run(STEP, script, context, new Window(end, end), () -> 1);
    }

    private void hide() {
        assertThat(hide(1)).contains("whole groups of one \\\"day\\\"", "\"rows\": [100], \"select\": 100");
    }

    private String hide(int folds) {
        Execution.Ended hid = (Execution.Ended) run(strongest(), new RunScript(SurveyScripts.holdout(60, folds), Kind.HOLDOUT, 60));
        String key = hid.submission().key();
        List<Integer> rows = new ArrayList<>();
        Json.parse(hid.evaluation().stdout()).path("rows").forEach(count -> rows.add(count.asInt()));
        Holdout holdout =
                new Holdout(key.substring(key.lastIndexOf('/') + 1), "days", rows, 100, false, List.of("train.csv", "test.csv", "sample_submission.csv"), null);
        context = new RunContext(context.task(), context.config(), "no GPU", new Facts(null, null, holdout, null));
        return hid.evaluation().stdout();
    }

    /// A script that learns how much y lies above x: each fold's run from the other rows, and none of them from a row that it is scored by.
    @Test
    void eachFoldIsPredictedByARunThatDidNotSeeIt() throws IOException {
        hide(3);
        assertThat(context.facts().holdout().foldRows()).hasSize(3);
        String learns = """
                import csv
                train = {row['id'] for row in csv.DictReader(open('input/train.csv'))}
                rows = list(csv.DictReader(open('input/test.csv')))
                with open('final/submission.csv', 'w') as out:
                    out.write('id,y\\n')
                    for row in rows:
                        out.write('%s,%f\\n' % (row['id'], float(row['x']) + (1 if row['id'] not in train else 1000)))
                print('of', len(train))
                """;

        List<Execution.Scored> ran = IntStream.range(0, 3)
                .mapToObj(fold -> (Execution.Scored) run(strongest(), new RunScript(learns, Kind.SOLUTION, 60, context.holdoutDigest(), fold, null))).toList();
        Combined combined = job(strongest()).harness(STEP, context).compute(
                new CombineFolds(ran.stream().map(one -> one.evaluation().validation().predictions()).toList(), context.holdoutDigest()));

        int hidden = context.facts().holdout().foldRows().stream().mapToInt(rows -> rows).sum() + context.facts().holdout().selectRows();
        assertThat(combined.validation().search()).isCloseTo(0, within(1e-9));
        assertThat(text(combined.validation().predictions()).lines().count()).as("each row once, and a header").isEqualTo(TEST + hidden + 1);
        assertThat(text(combined.submission().key()).lines().count()).isEqualTo(TEST + 1);
        assertThat(ran.getFirst().submission()).isNotNull();
        assertThat(ran.getLast().submission()).as("that of all folds is their mean").isNull();
        List<Path> shown = IntStream.range(0, 2).mapToObj(fold -> job(strongest()).shown(STEP, context, fold)).toList();
        assertThat(Files.isSameFile(shown.getFirst().resolve("more/notes.txt"), shown.getLast().resolve("more/notes.txt"))).as("no second copy").isTrue();
        assertThat(shown.getFirst().resolve("train.csv")).content().isNotEqualTo(Files.readString(shown.getLast().resolve("train.csv")));
    }

    private static Isolation strongest() {
        return Isolation.strongest(Sandboxes.PYTHON);
    }

    private RunScript solution(String content) {
        return new RunScript(content, Kind.SOLUTION, 60, context.holdoutDigest());
    }

    @Test
    void predictionsForHiddenRowsGiveTheScoreAndNotWhatTheScriptPrints() {
        hide();

        Execution.Scored ran = (Execution.Scored) run(strongest(), solution(PREDICTS.replace("OFF", "1.25")));

        Validation validation = ran.evaluation().validation();
        assertThat(ran.score()).isCloseTo(0.25, within(1e-9));
        assertThat(validation.search()).isEqualTo(ran.score());
        assertThat(validation.select()).isCloseTo(0.25, within(1e-9));
        assertThat(validation.searchError()).as("every row is wrong by as much").isCloseTo(0, within(1e-6));
        assertThat(text(validation.predictions()).lines().count()).as("all rows and a header").isEqualTo(TEST + 200 + 1);
        assertThat(text(ran.submission().key()).lines().count()).as("the task's rows and a header").isEqualTo(TEST + 1);
        assertThat(ran.submission().wrong()).isNull();
        assertThat(text(ran.submission().key())).startsWith("id,y").contains("5000,1.75").doesNotContain("\n7,");
    }

    private String text(String key) {
        return new String(records.store().read(key).orElseThrow(), StandardCharsets.UTF_8);
    }

    @Test
    void aScriptWithoutPredictionsForTheHiddenRowsIsTheDebuggersAndLearnsNoLabel() {
        hide();

        Execution.Failed none = (Execution.Failed) run(strongest(), solution("print('Final Validation Performance: 0.1')"));
        Execution.Failed few = (Execution.Failed) run(strongest(), solution("open('final/submission.csv', 'w').write('id,y\\n5000,1\\n')"));
        Execution.Failed words = (Execution.Failed) run(strongest(), solution(PREDICTS.replace("'%s,%f", "'%s,nan%f").replace("OFF", "1")));

        Execution.Failed many =
                (Execution.Failed) run(strongest(), solution(PREDICTS.replace("OFF", "1") + "open('final/submission.csv', 'a').write('9,1\\n' * 2000)\n"));
        Execution.Failed bytes = (Execution.Failed) run(strongest(), solution("open('final/submission.csv', 'wb').write(bytes(range(32)))"));

        assertThat(many.error()).startsWith("SubmissionError: ./final/submission.csv cannot be scored: there are more than 1520 rows; there must be 260");
        assertThat(bytes.error()).isEqualTo("SubmissionError: ./final/submission.csv cannot be scored: the submission is no text");
        assertThat(none.error()).isEqualTo("SubmissionError: ./final/submission.csv was not created or is empty");
        assertThat(few.error()).startsWith("SubmissionError: ./final/submission.csv cannot be scored: rows: 1; there must be 260");
        assertThat(words.error()).startsWith("SubmissionError: ./final/submission.csv cannot be scored: 260 values of y are not finite numbers");
        assertThat(none.evaluation().score()).isNull();
    }

    /// Behind each wall also what lies around the view. Without a wall a script reads what it likes, but no link leads it there.
    @ParameterizedTest
    @MethodSource("io.mlestar.adapter.script.Sandboxes#isolations")
    void noPathOfTheWorkspaceLeadsToALabelOfAHiddenRow(Isolation isolation) {
        hide();
        String looks = """
                import csv, os
                root = os.path.realpath('input')
                seen = []
                for start in STARTS:
                    for base, folders, files in os.walk(start):
                        seen += [os.path.realpath(os.path.join(base, file)) for file in files]
                trained = {row['id'] for path in seen if path.endswith('train.csv') for row in csv.DictReader(open(path))}
                tested = {row['id'] for row in csv.DictReader(open('input/test.csv'))}
                print('shown', len(trained), 'asked', len(tested), 'both', len(trained & tested), 'notes', open('input/more/notes.txt').read())
                try:
                    open('input/train.csv', 'a').write('x')
                    print('written')
                except OSError:
                    print('kept')
                """.replace("STARTS", isolation == Isolation.SESSION ? "[root]" : "[root, os.path.dirname(root)]");

        Execution looked = run(isolation, new RunScript(looks, Kind.ABLATION, 60, context.holdoutDigest()));

        assertThat(looked.evaluation().stdout()).contains("shown 800 asked 260 both 0 notes weather");
        assertThat(data.resolve("train.csv")).as("the task's own").content().hasLineCount(ROWS + 1);
    }

    @Test
    void agentsSeeWhatScriptsSeeWhereNoPythonIs() {
        hide();
        ScriptJob job = new ScriptJob(records, new DataSets(Map.of()), () -> {
            throw new AssertionError("functions that ask models have no Python");
        }, views, new MemoryPressure(folder), new RunningOutputs());

        Path seen = job.shown(STEP, context, 0);

        assertThat(seen.resolve("train.csv")).content().hasLineCount(ROWS - 200 + 1);
        assertThat(job.shown(StepPath.parse("r/phase2-path0/coder"), context, 0)).as("made once").isEqualTo(seen);
    }

    /// By content, whatever the name; and a link leads to what is shown in its place.
    @ParameterizedTest
    @MethodSource("io.mlestar.adapter.script.Sandboxes#isolations")
    void scriptsSeeNoFileThatTellsALabelNorOneThatCannotBeRead(Isolation isolation) throws IOException {
        Path version = Files.createDirectory(data.resolve("v1"));
        Files.copy(data.resolve("train.csv"), version.resolve("all.txt"));
        Files.writeString(version.resolve("shops.csv"), "shop,town\n1,A\n2,B\n");
        Files.write(data.resolve("model.bin"), new byte[] {1, 0, 2});
        Files.createSymbolicLink(data.resolve("latest"), Path.of("v1"));
        Files.createSymbolicLink(data.resolve("self"), Path.of("."));
        Files.createSymbolicLink(data.resolve("train-link.csv"), Path.of("train.csv"));
        Files.createSymbolicLink(data.resolve("nowhere"), Path.of("gone"));
        hide();

        Execution looked = run(isolation, new RunScript("""
                import os
                print(sorted(os.path.relpath(os.path.join(base, file), 'input') for base, _, files in os.walk('input/.') for file in files))
                print(os.listdir('input/latest'), os.path.samefile('input/self', 'input'), len(open('input/train-link.csv').readlines()))
                """, Kind.ABLATION, 60, context.holdoutDigest()));

        assertThat(looked.evaluation().stdout()).contains(
                "['more/notes.txt', 'sample_submission.csv', 'test.csv', 'train-link.csv', 'train.csv', 'v1/shops.csv']\n",
                "['shops.csv'] True 801");
    }

    @Test
    void nothingIsHiddenWhereFilesOfTestRowsLieInAFolder() throws IOException {
        Files.writeString(Files.createDirectory(data.resolve("test_images")).resolve("1.png"), "x");

        Execution looked = run(strongest(), new RunScript(SurveyScripts.holdout(60, 1), Kind.HOLDOUT, 60));

        assertThat(Json.parse(looked.evaluation().stdout()).path("missing").asText())
                .isEqualTo("files of test rows lie in a folder of their own, e.g. \"test_images/1.png\"");
    }

    @Test
    void aScriptThatDoesSomethingElseWhereNoRowsAreHiddenIsFound() {
        hide();
        String twoFaced = PREDICTS.replace("OFF", "(1 if len(rows) > 60 else -77777)");

        Execution.Scored scored = (Execution.Scored) run(strongest(), solution(twoFaced));
        Execution.Ended last = (Execution.Ended) run(strongest(), new RunScript(twoFaced, Kind.SUBMISSION, 60));
        Execution.Ended honest = (Execution.Ended) run(strongest(), new RunScript(PREDICTS.replace("OFF", "1.5"), Kind.SUBMISSION, 60));

        assertThat(compared(scored, last).differs()).isPresent();
        assertThat(compared(scored, honest).distance()).isCloseTo(0.5 / 20, within(0.01));
    }

    private SubmissionComparison compared(Execution.Scored scored, Execution.Ended last) {
        return job(strongest()).harness(STEP, context).compute(
                new ComparePredictions(scored.evaluation().validation().predictions(), last.submission().key(), context.holdoutDigest()));
    }

    @Test
    void theLastScriptSeesAllRows() {
        hide();

        Execution.Ended ran = (Execution.Ended) run(strongest(), new RunScript(PREDICTS.replace("OFF", "1"), Kind.SUBMISSION, 60));

        assertThat(text(ran.submission().key()).lines().count()).isEqualTo(TEST + 1);
        assertThat(ran.evaluation().validation()).isNull();
        assertThat(ran.evaluation().score()).as("what it prints is no score").isNull();
    }
}
