package io.mlestar.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.script.MemoryPressure;
import io.mlestar.adapter.script.Sandboxes;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.RunningOutputs;
import io.mlestar.core.engine.World;
import io.mlestar.core.step.Arithmetic.CombineFolds;
import io.mlestar.core.step.Arithmetic.CombinedFolds;
import io.mlestar.core.step.Arithmetic.ComparePredictions;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.SubmissionComparison;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.Validation;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The rows that the harness hides, in one fold and in several, with the real programs and
/// sandboxes.
class HoldoutTest extends HeldOutDays {
    private static final int EXAMPLES = 300;
    private static final Instant LEARNT = Instant.parse("2019-03-01T00:00:00Z");
    private static final Instant TESTED = Instant.parse("2021-03-01T00:00:00Z");
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

    @Test
    void predictionsForHiddenRowsGiveTheScoreAndNotWhatTheScriptPrints() {
        hide();

        Execution.Scored ran = scored(PREDICTS.replace("OFF", "1.25"), 0);

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

        Execution.Failed none = failed("print('Final Validation Performance: 0.1')");
        Execution.Failed many = failed(
                PREDICTS.replace("OFF", "1") + "open('final/submission.csv', 'a').write('9,1\\n' * 2000)\n");
        Execution.Failed bytes = failed("open('final/submission.csv', 'wb').write(bytes(range(32)))");

        assertThat(many.error()).startsWith(
                "SubmissionError: ./final/submission.csv cannot be scored: there are more than 1520 rows; there must be 260");
        assertThat(bytes.error())
                .isEqualTo("SubmissionError: ./final/submission.csv cannot be scored: the submission is no text");
        assertThat(none.error()).isEqualTo("SubmissionError: ./final/submission.csv was not created or is empty");
        assertThat(none.evaluation().score()).isEqualTo(Score.NONE);
    }

    private Execution.Failed failed(String content) {
        return (Execution.Failed) run(strongest(), onHidden(content, Kind.SOLUTION, 0));
    }

    /// Behind each wall also what lies around the view. Without a wall a script reads what it
    /// likes, but no link leads it there.
    @Test
    void noPathOfTheWorkspaceLeadsToALabelOfAHiddenRow() {
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
                        """;

        Sandboxes.isolations().forEach(isolation -> assertThat(run(isolation, onHidden(
                looks.replace("STARTS", isolation == Isolation.SESSION ? "[root]" : "[root, os.path.dirname(root)]"),
                Kind.STUDY, 0)).evaluation().stdout())
                .as("%s", isolation).contains("shown 800 asked 260 both 0 notes weather"));
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
    @Test
    void scriptsSeeNoFileThatTellsALabelNorOneThatCannotBeRead() throws IOException {
        Path version = Files.createDirectory(data.resolve("v1"));
        Files.copy(data.resolve("train.csv"), version.resolve("all.txt"));
        Files.writeString(version.resolve("shops.csv"), "shop,town\n1,A\n2,B\n");
        Files.write(data.resolve("model.bin"), new byte[] {1, 0, 2});
        Files.createSymbolicLink(data.resolve("latest"), Path.of("v1"));
        Files.createSymbolicLink(data.resolve("self"), Path.of("."));
        Files.createSymbolicLink(data.resolve("train-link.csv"), Path.of("train.csv"));
        Files.createSymbolicLink(data.resolve("nowhere"), Path.of("gone"));
        hide();

        RunScript looks = onHidden(
                """
                        import os
                        print(sorted(os.path.relpath(os.path.join(base, file), 'input') for base, _, files in os.walk('input/.') for file in files))
                        print(os.listdir('input/latest'), os.path.samefile('input/self', 'input'), len(open('input/train-link.csv').readlines()))
                        """,
                Kind.STUDY, 0);
        Sandboxes.isolations().forEach(isolation -> assertThat(run(isolation, looks).evaluation().stdout())
                .as("%s", isolation).contains(
                        "['more/notes.txt', 'sample_submission.csv', 'test.csv', 'train-link.csv', 'train.csv', 'v1/shops.csv']\n",
                        "['shops.csv'] True 801"));
    }

    @Test
    void nothingIsHiddenWhereFilesOfTestRowsLieInAFolder() throws IOException {
        Files.writeString(Files.createDirectory(data.resolve("test_images")).resolve("1.png"), "x");

        Execution looked = run(hiding(1), Kind.HOLDOUT);

        assertThat(Json.parse(looked.evaluation().stdout()).path("missing").asText())
                .isEqualTo(
                        "files of test rows lie in a folder of their own, e.g. \"test_images/1.png\", and no rule tells which are whose");
    }

    @Test
    void aScriptThatDoesSomethingElseWhereNoRowsAreHiddenIsFound() {
        hide();
        String twoFaced = PREDICTS.replace("OFF", "(1 if len(rows) > 60 else -77777)");

        Execution.Scored scored = scored(twoFaced, 0);

        assertThat(compared(scored, twoFaced).differs()).isPresent();
        assertThat(compared(scored, PREDICTS.replace("OFF", "1.5")).distance()).isCloseTo(0.5 / 20, within(0.01));
    }

    /// A script that knows the test's own rows by their values.
    @Test
    void aScriptThatPredictsTheTestsOwnRowsAsNoHiddenRowIsFound() {
        hide();
        String garbage = PREDICTS.replace("float(row['x']) + OFF",
                "(1 if '-26' not in row['day'] else -77777) + float(row['x'])");

        SubmissionComparison compared = compared(scored(garbage, 0), garbage);

        assertThat(compared.distance()).isZero();
        assertThat(compared.differs())
                .hasValueSatisfying(why -> assertThat(why).contains("unlike those that were scored"));
    }

    private SubmissionComparison compared(Execution.Scored scored, String last) {
        Execution.Ended ended = (Execution.Ended) run(last, Kind.SUBMISSION);
        return harness().compute(new ComparePredictions(scored.evaluation().score().validation().predictions(),
                ended.submission().key(), context.hiddenRows()));
    }

    /// A script that learns how much y lies above x: each fold's run from the other rows, and none
    /// of them from a row that it is scored by.
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

        List<Execution.Scored> ran = IntStream.range(0, 3).mapToObj(fold -> scored(learns, fold)).toList();
        CombinedFolds combined = harness().compute(
                new CombineFolds(ran.stream().map(one -> one.evaluation().score().validation().predictions()).toList(),
                        context.hiddenRows()));

        int hidden = context.facts().holdout().foldRows().stream().mapToInt(rows -> rows).sum()
                + context.facts().holdout().selectRows();
        assertThat(combined.validation().search()).isCloseTo(0, within(1e-9));
        assertThat(text(combined.validation().predictions()).lines().count()).as("each row once, and a header")
                .isEqualTo(TEST + hidden + 1);
        assertThat(text(combined.submission().key()).lines().skip(1).map(line -> line.split(",")))
                .as("the task's own ids").hasSize(TEST)
                .allSatisfy(row -> assertThat(Double.parseDouble(row[1]))
                        .isCloseTo(Integer.parseInt(row[0]) - 5000 + 1.5, within(1e-6)));
        assertThat(ran.getFirst().submission()).isNotNull();
        assertThat(ran.getLast().submission()).as("that of all folds is their mean").isNull();
        List<Path> shown = IntStream.range(0, 2)
                .mapToObj(fold -> job(strongest()).shown(STEP, context, Holdout.view(fold))).toList();
        assertThat(
                Files.isSameFile(shown.getFirst().resolve("more/notes.txt"), shown.getLast().resolve("more/notes.txt")))
                .as("no second copy").isTrue();
        assertThat(shown.getFirst().resolve("train.csv")).content()
                .isNotEqualTo(Files.readString(shown.getLast().resolve("train.csv")));
    }

    @Test
    void aStudyLearnsFromAllRowsButThoseForTheFinalChoiceAndKnowsTheirFolds() throws IOException {
        Files.writeString(data.resolve(Holdout.STUDY_FOLDS), "the task's own");
        hide(3);
        context = new RunContext(context.task(), World.header("r", "{\"search\": \"strong\"}").config(), "no GPU",
                context.facts());
        String counts =
                """
                        import csv
                        folds = [row.get('fold') for row in csv.DictReader(open('input/study_folds.csv'))]
                        print(len(list(csv.DictReader(open('input/train.csv')))), len(folds), [folds.count(str(fold)) for fold in range(3)])
                        """;

        Execution studied = run(strongest(), onHidden(counts, Kind.STUDY, 0));
        Execution solved = run(strongest(), onHidden(counts, Kind.SOLUTION, 0));

        assertThat(studied.evaluation().stdout()).contains("900 900 " + context.facts().holdout().foldRows());
        assertThat(solved.evaluation().stdout())
                .contains(900 - context.facts().holdout().foldRows().getFirst() + " 0 [0, 0, 0]");
        assertThat(job(strongest()).toLookAt(STEP, context).resolve("train.csv")).as("a look").content().satisfies(
                train -> assertThat(train.lines().count()).isEqualTo(1 + 900));
        assertThat(data.resolve(Holdout.STUDY_FOLDS)).content().isEqualTo("the task's own");
    }

    /// @param where an example of that name has its file; `SIDE` for folders of training and of the
    ///   test
    private void makeFiles(String where) throws IOException {
        data = Files.createDirectories(folder.resolve("files"));
        StringBuilder labels = new StringBuilder("id,y\n");
        StringBuilder sample = new StringBuilder("id,y\n");
        for (int i = 0; i < EXAMPLES; i++) {
            String name = Integer.toHexString(0x10000 + i * 40503 % 65536);
            boolean isTest = i % 5 == 0;
            Path file = data.resolve(where.replace("SIDE", isTest ? "test" : "train").formatted(name));
            Files.createDirectories(file.getParent());
            Files.writeString(file, "note " + i % 7);
            Instant time = (isTest ? TESTED : LEARNT).plusSeconds(i);
            Files.setLastModifiedTime(file, FileTime.from(time));
            Files.setLastModifiedTime(file.getParent(), FileTime.from(time));
            (isTest ? sample : labels).append("%s,%d%n".formatted(name, isTest ? 0 : i % 2));
        }
        Files.writeString(data.resolve("train.csv"), labels);
        Files.writeString(data.resolve("sample_submission.csv"), sample);
        task("RMSE", true, "d", twoFolds());
    }

    @ParameterizedTest
    @ValueSource(strings = {"SIDE/%s.txt", "SIDE/%s/note.txt", "test/%s.txt"})
    void noTimeTellsAHiddenExample(String where) throws IOException {
        makeFiles(where);
        assertThat(hide(2)).contains("hidden rows have their files in").doesNotContain("time of");

        for (String view : List.of(Holdout.FIRST, Holdout.STUDY)) {
            Path test = job(strongest()).shown(STEP, context, view).resolve("test");
            try (Stream<Path> all = Files.walk(test)) {
                List<Path> shown = all.sorted(Comparator.comparing(Path::toString)).toList();
                assertThat(shown).hasSizeGreaterThan(EXAMPLES / 5 + 10);
                assertThat(shown.stream().map(HoldoutTest::modified).distinct()).as("times in " + view).hasSize(1);
                assertThat(shown.stream().filter(Files::isRegularFile)
                        .map(file -> (FileTime) attribute(file, "unix:ctime"))).as("the order they were made in")
                        .isSorted();
                assertThat(shown.stream().filter(Files::isRegularFile).map(file -> attribute(file, "unix:nlink"))
                        .distinct()).as("links").hasSize(1);
            }
        }
        try (Stream<Path> own = Files.walk(data.resolve("test"))) {
            assertThat(own.map(HoldoutTest::modified).distinct()).as("times of the task's files")
                    .hasSizeGreaterThan(EXAMPLES / 10);
        }
    }

    /// Copies of large data would cost time and room in each view.
    @Test
    void whereFilesAreLinkedTheSchemeSaysThatTimesTell() throws IOException {
        makeFiles("SIDE/%s.txt");
        String hiding = hiding(2);
        assertThat(hiding).contains("COPIED = 256 << 20");
        Execution hid = run(hiding.replace("COPIED = 256 << 20", "COPIED = 0"), Kind.HOLDOUT);
        assertThat(Json.parse(hid.evaluation().stdout()).path("scheme").asText())
                .endsWith("; the time of a file tells hidden rows from those of the test, so do not learn from it");
    }

    private static FileTime modified(Path path) {
        return (FileTime) attribute(path, "lastModifiedTime");
    }

    private static Object attribute(Path path, String name) {
        try {
            return Files.getAttribute(path, name);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
