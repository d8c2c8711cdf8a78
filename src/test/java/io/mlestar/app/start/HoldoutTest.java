package io.mlestar.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.script.MemoryPressure;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.RunningOutputs;
import io.mlestar.core.step.Arithmetic.ComparePredictions;
import io.mlestar.core.step.SubmissionComparison;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.Validation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
/// The rows that the harness hides, with the real programs and sandboxes.
class HoldoutTest extends HeldOutDays {
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

    private RunScript solution(String content) {
        return new RunScript(content, Kind.SOLUTION, 60, context.hiddenRows(), 0, null);
    }

    @Test
    void predictionsForHiddenRowsGiveTheScoreAndNotWhatTheScriptPrints() {
        hide();

        Execution.Scored ran = (Execution.Scored) run(strongest(), solution(PREDICTS.replace("OFF", "1.25")));

        Validation validation = ran.evaluation().score().validation();
        assertThat(ran.evaluation().score().value()).isCloseTo(0.25, within(1e-9));
        assertThat(validation.search()).isEqualTo(ran.evaluation().score().value());
        assertThat(validation.select()).isCloseTo(0.25, within(1e-9));
        assertThat(validation.searchError()).as("every row is wrong by as much").isCloseTo(0, within(1e-6));
        assertThat(text(validation.predictions()).lines().count()).as("all rows and a header")
                .isEqualTo(TEST + 200 + 1);
        assertThat(text(ran.submission().key()).lines().count()).as("the task's rows and a header").isEqualTo(TEST + 1);
        assertThat(ran.submission().wrong()).isNull();
        assertThat(text(ran.submission().key())).startsWith("id,y").contains("5000,1.75").doesNotContain("\n7,");
    }

    @Test
    void aScriptWithoutPredictionsForTheHiddenRowsIsTheDebuggersAndLearnsNoLabel() {
        hide();

        Execution.Failed none =
                (Execution.Failed) run(strongest(), solution("print('Final Validation Performance: 0.1')"));
        Execution.Failed many =
                (Execution.Failed) run(strongest(), solution(
                        PREDICTS.replace("OFF", "1") + "open('final/submission.csv', 'a').write('9,1\\n' * 2000)\n"));
        Execution.Failed bytes = (Execution.Failed) run(strongest(),
                solution("open('final/submission.csv', 'wb').write(bytes(range(32)))"));

        assertThat(many.error()).startsWith(
                "SubmissionError: ./final/submission.csv cannot be scored: there are more than 1520 rows; there must be 260");
        assertThat(bytes.error())
                .isEqualTo("SubmissionError: ./final/submission.csv cannot be scored: the submission is no text");
        assertThat(none.error()).isEqualTo("SubmissionError: ./final/submission.csv was not created or is empty");
        assertThat(none.evaluation().score()).isEqualTo(Score.NONE);
    }

    /// Behind each wall also what lies around the view. Without a wall a script reads what it
    /// likes, but no link leads it there.
    @ParameterizedTest
    @MethodSource("io.mlestar.adapter.script.Sandboxes#isolations")
    void noPathOfTheWorkspaceLeadsToALabelOfAHiddenRow(Isolation isolation) {
        hide();
        String looks =
                """
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
                        """
                        .replace("STARTS", isolation == Isolation.SESSION ? "[root]" : "[root, os.path.dirname(root)]");

        Execution looked = run(isolation, new RunScript(looks, Kind.STUDY, 60, context.hiddenRows(), 0, null));

        assertThat(looked.evaluation().stdout()).contains("shown 800 asked 260 both 0 notes weather");
        assertThat(data.resolve("train.csv")).as("the task's own").content().hasLineCount(ROWS + 1);
    }

    @Test
    void agentsSeeWhatScriptsSeeWhereNoPythonIs() {
        hide();
        ScriptJob job = new ScriptJob(records, new DataSets(Map.of()), () -> {
            throw new AssertionError("functions that ask models have no Python");
        }, views, new MemoryPressure(folder), new RunningOutputs());

        Path seen = job.shown(STEP, context, Holdout.FIRST);

        assertThat(seen.resolve("train.csv")).content().hasLineCount(ROWS - 200 + 1);
        assertThat(job.shown(StepPath.parse("r/phase2-path0/coder"), context, Holdout.FIRST)).as("made once")
                .isEqualTo(seen);
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

        Execution looked = run(isolation,
                new RunScript(
                        """
                                import os
                                print(sorted(os.path.relpath(os.path.join(base, file), 'input') for base, _, files in os.walk('input/.') for file in files))
                                print(os.listdir('input/latest'), os.path.samefile('input/self', 'input'), len(open('input/train-link.csv').readlines()))
                                """,
                        Kind.STUDY, 60, context.hiddenRows(), 0, null));

        assertThat(looked.evaluation().stdout()).contains(
                "['more/notes.txt', 'sample_submission.csv', 'test.csv', 'train-link.csv', 'train.csv', 'v1/shops.csv']\n",
                "['shops.csv'] True 801");
    }

    @Test
    void nothingIsHiddenWhereFilesOfTestRowsLieInAFolder() throws IOException {
        Files.writeString(Files.createDirectory(data.resolve("test_images")).resolve("1.png"), "x");

        Execution looked = run(strongest(), new RunScript(SurveyScripts.holdout(60, 1, ""), Kind.HOLDOUT, 60));

        assertThat(Json.parse(looked.evaluation().stdout()).path("missing").asText())
                .isEqualTo(
                        "files of test rows lie in a folder of their own, e.g. \"test_images/1.png\", and no rule tells which are whose");
    }

    @Test
    void aScriptThatDoesSomethingElseWhereNoRowsAreHiddenIsFound() {
        hide();
        String twoFaced = PREDICTS.replace("OFF", "(1 if len(rows) > 60 else -77777)");

        Execution.Scored scored = (Execution.Scored) run(strongest(), solution(twoFaced));
        Execution.Ended last = (Execution.Ended) run(strongest(), new RunScript(twoFaced, Kind.SUBMISSION, 60));
        Execution.Ended honest =
                (Execution.Ended) run(strongest(), new RunScript(PREDICTS.replace("OFF", "1.5"), Kind.SUBMISSION, 60));

        assertThat(compared(scored, last).differs()).isPresent();
        assertThat(compared(scored, honest).distance()).isCloseTo(0.5 / 20, within(0.01));
    }

    /// A script that knows the test's own rows by their values.
    @Test
    void aScriptThatPredictsTheTestsOwnRowsAsNoHiddenRowIsFound() {
        hide();
        String garbage = PREDICTS.replace("float(row['x']) + OFF",
                "(1 if '-26' not in row['day'] else -77777) + float(row['x'])");

        Execution.Scored scored = (Execution.Scored) run(strongest(), solution(garbage));
        Execution.Ended last = (Execution.Ended) run(strongest(), new RunScript(garbage, Kind.SUBMISSION, 60));

        assertThat(compared(scored, last).distance()).isZero();
        assertThat(compared(scored, last).differs())
                .hasValueSatisfying(why -> assertThat(why).contains("unlike those that were scored"));
    }

    private SubmissionComparison compared(Execution.Scored scored, Execution.Ended last) {
        return job(strongest()).harness(STEP, context).compute(
                new ComparePredictions(scored.evaluation().score().validation().predictions(), last.submission().key(),
                        context.hiddenRows()));
    }
}
