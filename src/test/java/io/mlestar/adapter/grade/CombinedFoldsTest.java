package io.mlestar.adapter.grade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.World;
import io.mlestar.core.step.Arithmetic.BlendPredictions;
import io.mlestar.core.step.Arithmetic.CombineFolds;
import io.mlestar.core.step.Arithmetic.CombinedFolds;
import io.mlestar.core.step.Arithmetic.ScoredBlend;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.Validation;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two folds of two rows each (a, b and c, d), two rows of select (s, t) and two of the task's own
/// test (x, y).
class CombinedFoldsTest {
    private static final StepPath STEP = StepPath.parse("r/phase1/candidate0/evaluation/combination");
    private static final String CLASSES =
            "id,y,group,part\na,0,0,0\nb,1,1,0\nc,0,2,1\nd,1,3,1\ns,0,4,select\nt,1,5,select\n";
    private static final String LABELS =
            "id,y,group,part\na,1,0,0\nb,2,1,0\nc,3,2,1\nd,4,3,1\ns,5,4,select\nt,6,5,select\n";
    private static final String REST = "s,0\nt,1\nx,0\ny,0\n";

    private static final int FOLDS = 5;
    private static final int SIZE = 10;
    private static final double SECONDS = 0.1;

    @TempDir
    private Path folder;

    private final MemoryStore store = new MemoryStore();
    private RunContext context;
    private boolean inTime;
    private MetricProgram.Runner runner = (_, _, _) -> {
        throw new AssertionError("there is no metric.py");
    };
    private int processes;
    private int scores;

    private HoldoutFiles harness() {
        return new HoldoutFiles(store, STEP, context, () -> folder.resolve("data"), runner);
    }

    private void hold(String metric, MetricDirection direction, String labels) throws IOException {
        hold(metric, direction, labels, Stream.of("a,0\nb,1\n", "c,0\nd,1\n").map(own -> own + REST).toList(), 2);
    }

    /// @param samples rows of the sample submission, by fold
    /// @param size of each fold, and of select
    private void hold(String metric, MetricDirection direction, String labels, List<String> samples, int size)
            throws IOException {
        TaskDescription made = World.header("r", "{}").task();
        TaskDescription task = new TaskDescription("t", made.taskType(), made.dataModality(), metric, direction, "d",
                folder.toString(), null);
        context = new RunContext(task, PipelineConfig.defaults(), "no GPU");
        Path left = Files.createDirectories(folder.resolve("left"));
        Files.writeString(left.resolve("labels.csv"), labels);
        Files.writeString(left.resolve("left-out.json"), "[]");
        for (int fold = 0; fold < samples.size(); fold++) {
            Path tables = Files.createDirectories(left.resolve("fold" + fold));
            Files.writeString(tables.resolve("train.csv"), "id,y\n");
            Files.writeString(tables.resolve("sample_submission.csv"), "id,y\n" + samples.get(fold));
        }
        String key = harness().hold(left).key();
        Holdout holdout = new Holdout(key.substring(key.lastIndexOf('/') + 1), "s",
                Collections.nCopies(samples.size(), size), size, inTime,
                List.of("train.csv", "sample_submission.csv"), null);
        context = new RunContext(task, PipelineConfig.defaults(), "no GPU", Facts.NONE.hiding(holdout));
    }

    /// The validation of what a script left on a fold.
    private Validation validated(int fold, String csv) throws IOException {
        Path submission = Files.writeString(folder.resolve("submission.csv"), csv);
        Validation validation = harness().validate(submission, fold).trusted();
        assertThat(submission).content(StandardCharsets.UTF_8).startsWith("id,y").contains("x,").doesNotContain("\ns,",
                "\na,", "\nc,");
        return validation;
    }

    private CombinedFolds combined(Validation... folds) {
        return harness().compute(
                new CombineFolds(List.of(folds).stream().map(Validation::predictions).toList(), context.hiddenRows()));
    }

    private String text(String key) {
        return new String(store.read(key).orElseThrow(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    }

    @Test
    void aRowOfAFoldIsPredictedByItsOwnRunAndAllOthersByTheMean() throws IOException {
        hold("MAE", MetricDirection.MINIMIZE, LABELS);
        Validation first = validated(0, "id,y\nx,10\na,1.5\nb,2\ns,5\nt,8\ny,1\n");
        Validation second = validated(1, "id,y\nc,4\nd,4\nt,6\ns,6\nx,20\ny,2\n");

        CombinedFolds both = combined(first, second);

        assertThat(text(both.submission().key())).isEqualTo("id,y\nx,15.0\ny,1.5\n");
        assertThat(both.submission().rowCount()).isEqualTo(2);
        assertThat(text(both.validation().predictions()))
                .isEqualTo("id,y\nx,15.0\ns,5.5\nt,7.0\ny,1.5\na,1.5\nb,2\nc,4\nd,4\n");
        assertThat(first.search()).isEqualTo(0.25);
        assertThat(second.search()).isEqualTo(0.5);
        assertThat(both.validation().search()).as("0.5, 0, 1 and 0").isEqualTo(0.375);
        assertThat(both.validation().select()).as("0.5 and 1").isEqualTo(0.75);
        assertThat(both.validation().first().score()).isEqualTo(first.search());
        assertThat(both.validation().first().draws()).as("the resamples of the first fold are those of its own run")
                .isEqualTo(first.searchDraws());
        assertThat(both.validation().first().rows()).isEqualTo(first.rows()).isNotEqualTo(second.rows());
        assertThat(both.validation().folds()).containsExactly(first.search(), second.search());
        assertThat(both.validation().rows()).isEqualTo(context.hiddenRows());
        assertThat(both.validation().searchDraws()).hasSize(50).allMatch(draw -> draw >= 0 && draw <= 0.75);
    }

    /// It has learned from most, and from what is nearest to the test.
    @Test
    void whereFoldsFollowEachOtherInTimeTheRunWithoutTheLatestPredictsAllOthers() throws IOException {
        inTime = true;
        hold("MAE", MetricDirection.MINIMIZE, LABELS);

        CombinedFolds both = combined(validated(0, "id,y\nx,10\na,1.5\nb,2\ns,5\nt,8\ny,1\n"),
                validated(1, "id,y\nc,4\nd,4\nt,6\ns,6\nx,20\ny,2\n"));

        assertThat(text(both.validation().predictions()))
                .isEqualTo("id,y\nx,10.0\ns,5.0\nt,8.0\ny,1.0\na,1.5\nb,2\nc,4\nd,4\n");
        assertThat(both.validation().search()).isEqualTo(0.375);
    }

    @Test
    void runsOfFoldsHaveNoOrderAmongEachOtherSoWhereItCountsTheScoreIsTheMeanOfTheFolds() throws IOException {
        hold("ROC-AUC", MetricDirection.MAXIMIZE, CLASSES);

        CombinedFolds both = combined(validated(0, "id,y\na,0.1\nb,0.2\ns,0\nt,1\nx,0.3\ny,0\n"),
                validated(1, "id,y\nc,0.8\nd,0.9\ns,0\nt,1\nx,0.5\ny,0\n"));

        assertThat(both.validation().search()).as("of all rows together it were 0.75").isEqualTo(1);
    }

    @Test
    void labelsAreChosenByAVote() throws IOException {
        hold("accuracy", MetricDirection.MAXIMIZE, CLASSES);

        CombinedFolds both = combined(validated(0, "id,y\na,0\nb,0\ns,0\nt,1\nx,1\ny,0\n"),
                validated(1, "id,y\nc,0\nd,1\ns,0.0\nt,1\nx,1.0\ny,1\n"));

        assertThat(both.validation().search()).isEqualTo(0.75);
        assertThat(text(both.submission().key())).as("the first of equals").isEqualTo("id,y\nx,1\ny,0\n");
    }

    @Test
    void aBlendIsStoredAsItWasScoredAndSubmitsTheTasksOwnRows() throws IOException {
        hold("MAE", MetricDirection.MINIMIZE, LABELS);
        CombinedFolds one = combined(validated(0, "id,y\na,0\nb,1\ns,4\nt,5\nx,10\ny,0\n"),
                validated(1, "id,y\nc,2\nd,3\ns,4\nt,5\nx,10\ny,0\n"));
        CombinedFolds other = combined(validated(0, "id,y\na,2\nb,3\ns,6\nt,7\nx,20\ny,0\n"),
                validated(1, "id,y\nc,4\nd,5\ns,6\nt,7\nx,20\ny,0\n"));

        ScoredBlend blend = harness().compute(
                new BlendPredictions(List.of(one.validation().predictions(), other.validation().predictions()),
                        context.hiddenRows(), true));

        assertThat(blend.validation().search()).isCloseTo(0, within(1e-12));
        assertThat(text(blend.submission().key())).isEqualTo("id,y\nx,15.0\ny,0.0\n");
        assertThat(text(blend.validation().predictions())).contains("a,1.0\n", "s,5.0\n");
    }

    @Test
    void scriptsOfOtherNumbersOfFoldsAreBlendedByTheFirst() throws IOException {
        hold("MAE", MetricDirection.MINIMIZE, LABELS);
        Validation alone = validated(0, "id,y\na,0\nb,1\ns,4\nt,5\nx,10\ny,0\n");
        CombinedFolds other = combined(validated(0, "id,y\na,2\nb,3\ns,6\nt,7\nx,20\ny,0\n"),
                validated(1, "id,y\nc,4\nd,5\ns,6\nt,7\nx,20\ny,0\n"));

        ScoredBlend blend =
                harness().compute(new BlendPredictions(List.of(other.validation().predictions(), alone.predictions()),
                        context.hiddenRows(), false));

        assertThat(blend.validation().rows()).isEqualTo(alone.rows());
        assertThat(blend.validation().search()).isCloseTo(0, within(1e-12));
        assertThat(text(blend.validation().predictions())).doesNotContain("\nc,", "\nd,");
    }

    @Test
    void predictionsForTheRowsOfAnotherFoldAreTheScriptsFault() throws IOException {
        hold("MAE", MetricDirection.MINIMIZE, LABELS);

        assertThatThrownBy(() -> harness()
                .validate(Files.writeString(folder.resolve("s.csv"), "id,y\na,0\nb,1\ns,4\nt,5\nx,1\ny,0\n"), 1))
                .isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> harness().compute(new CombineFolds(List.of("gone"), context.hiddenRows())))
                .hasMessage("there is no gone");
    }

    /// Weights and groups are those of the training table, under the ids that hidden rows have.
    @Test
    void columnsThatTheMetricGoesByAreAddedToTheLabels() throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve("left")).resolve("columns.csv"),
                "v,w\n" + "1,3\n" + "1,1\n".repeat(LABELS.split("\n").length - 2));
        hold("MAE weighted by w", MetricDirection.MINIMIZE, LABELS);
        assertThat(validated(0, "id,y\nx,10\na,2\nb,2\ns,5\nt,8\ny,1\n").search()).as("1 of weight 3, and 0")
                .isEqualTo(0.75);
        assertThat(folder.resolve("left/columns.csv")).doesNotExist();
        assertThatThrownBy(() -> hold("MAE weighted by z", MetricDirection.MINIMIZE, LABELS))
                .hasMessage("MAE weighted by z needs the column z, which the training table lacks");
    }

    /// The mean absolute error, in a tenth of a second. A fold's ids begin with its letter.
    private String answer(String program, Map<String, byte[]> files, Duration longest) {
        JsonNode asked = Json.parse(textOf(files.get("questions.json")));
        double[] truth = column(textOf(files.get("solution.csv")));
        List<Double> answers = new ArrayList<>();
        for (JsonNode question : asked.path("questions")) {
            double[] given = column(textOf(files.get("submission" + question.path("submission").asInt() + ".csv")));
            List<Integer> rows = new ArrayList<>();
            question.path("rows").forEach(row -> rows.add(row.asInt()));
            List<Integer> counted = rows.isEmpty() ? IntStream.range(0, truth.length).boxed().toList() : rows;
            answers.add(counted.stream().mapToDouble(row -> Math.abs(truth[row] - given[row])).average().orElseThrow());
        }
        processes++;
        scores += answers.size();
        return "SCORES " + Json.line(Map.of("scores", answers, "seconds", SECONDS));
    }

    private static String textOf(byte[] file) {
        return new String(file, StandardCharsets.UTF_8);
    }

    private static double[] column(String csv) {
        return csv.lines().skip(1).mapToDouble(line -> Double.parseDouble(line.split(",")[1])).toArray();
    }

    private static String rows(String letter, String rest) {
        return IntStream.range(0, SIZE).mapToObj(row -> letter + row + rest.replace("#", String.valueOf(row)))
                .collect(Collectors.joining());
    }

    /// A metric.py that takes a tenth of a second: five folds and *select* of ten rows each, and a
    /// test of ten.
    private void holdForAProgram() throws IOException {
        Files.writeString(folder.resolve("metric.py"), "def score(solution, submission, row_id_column_name): pass\n");
        runner = this::answer;
        StringBuilder labels = new StringBuilder("id,y,group,part\n");
        List<String> samples = new ArrayList<>();
        for (int fold = 0; fold < FOLDS; fold++) {
            labels.append(rows("f" + fold + "r", ",#,f" + fold + "#," + fold + "\n"));
            samples.add(predicted(fold, 0));
        }
        hold("glory", MetricDirection.MINIMIZE, labels + rows("s", ",#,s#,select\n"), samples, SIZE);
        processes = 0;
        scores = 0;
    }

    private static String predicted(int fold, double wrong) {
        Random chance = new Random((long) (1000 * wrong) + fold);
        return IntStream.range(0, 3 * SIZE)
                .mapToObj(row -> (row < SIZE ? "f" + fold + "r" : row < 2 * SIZE ? "s" : "x") + row % SIZE + ","
                        + (row % SIZE + 0.5 + wrong * chance.nextDouble()) + "\n")
                .collect(Collectors.joining());
    }

    private Score validated(int fold, double wrong) throws IOException {
        return harness()
                .validate(Files.writeString(folder.resolve("submission.csv"), "id,y\n" + predicted(fold, wrong)), fold);
    }

    private Validation onAll(double wrong) throws IOException {
        List<Validation> folds = new ArrayList<>();
        for (int fold = 0; fold < FOLDS; fold++) {
            folds.add(validated(fold, wrong).trusted());
        }
        CombinedFolds all = harness()
                .compute(new CombineFolds(folds.stream().map(Validation::predictions).toList(), context.hiddenRows()));
        return all.validation().with(folds.getFirst());
    }

    @Test
    void noScoreIsAskedForThatIsNotUsed() throws IOException {
        holdForAProgram();
        Validation first = validated(0, 1).trusted();
        assertThat(scores).as("3 draws, and select").isEqualTo(5);
        assertThat(first.searchError()).isPositive();
        assertThat(first.selectError()).isZero();

        assertThat(validated(1, 1).isKnown()).isFalse();
        assertThat(processes).isEqualTo(1);

        scores = 0;
        processes = 0;
        Validation all = onAll(1);
        assertThat(scores).as("5 on the first fold, 8 on all, and one on each").isEqualTo(18)
                .isEqualTo(RunMetric.scores(3, FOLDS));
        assertThat(processes).isEqualTo(2);
        assertThat(all.first().score()).isEqualTo(first.search());
        assertThat(all.first().draws()).isEqualTo(first.searchDraws());
        assertThat(all.folds()).hasSize(FOLDS).startsWith(first.search()).allMatch(score -> score > 0.5 && score < 1.5);
        assertThat(all.selectError()).isPositive();
        assertThat(all.errorOfGain(onAll(2))).isPositive();
    }
}
