package io.mlestar.adapter.grade;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.World;
import io.mlestar.core.step.Arithmetic.CombineFolds;
import io.mlestar.core.step.Arithmetic.CombinedFolds;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.Validation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How often a `metric.py` is asked that takes a tenth of a second: five folds and *select* of ten
/// rows each, and a test of ten.
class ProgramScoresTest {
    private static final int FOLDS = 5;
    private static final int SIZE = 10;
    private static final double SECONDS = 0.1;

    @TempDir
    private Path folder;

    private final MemoryStore store = new MemoryStore();
    private RunContext context;
    private int processes;
    private int scores;

    /// The mean absolute error. A fold's ids begin with its letter.
    private String run(String program, Map<String, byte[]> files, Duration longest) {
        JsonNode asked = Json.parse(text(files.get("questions.json")));
        double[] truth = column(text(files.get("solution.csv")));
        List<Double> answers = new ArrayList<>();
        for (JsonNode question : asked.path("questions")) {
            double[] given = column(text(files.get("submission" + question.path("submission").asInt() + ".csv")));
            List<Integer> rows = new ArrayList<>();
            question.path("rows").forEach(row -> rows.add(row.asInt()));
            List<Integer> counted = rows.isEmpty() ? IntStream.range(0, truth.length).boxed().toList() : rows;
            answers.add(counted.stream().mapToDouble(row -> Math.abs(truth[row] - given[row])).average().orElseThrow());
        }
        processes++;
        scores += answers.size();
        return "SCORES " + Json.line(Map.of("scores", answers, "seconds", SECONDS));
    }

    private static String text(byte[] file) {
        return new String(file, StandardCharsets.UTF_8);
    }

    private static double[] column(String csv) {
        return csv.lines().skip(1).mapToDouble(line -> Double.parseDouble(line.split(",")[1])).toArray();
    }

    private static String rows(String letter, String rest) {
        return IntStream.range(0, SIZE).mapToObj(row -> letter + row + rest.replace("#", String.valueOf(row)))
                .collect(Collectors.joining());
    }

    private HoldoutFiles harness() {
        return new HoldoutFiles(store, StepPath.parse("r/phase1/candidate0/evaluation/combination"), context,
                () -> folder.resolve("data"), this::run);
    }

    private void hold() throws IOException {
        TaskDescription made = World.header("r", "{}").task();
        TaskDescription task = new TaskDescription("t", made.taskType(), made.dataModality(), "glory",
                MetricDirection.MINIMIZE, "d", folder.toString(), null);
        context = new RunContext(task, PipelineConfig.defaults(), "no GPU");
        Files.writeString(folder.resolve("metric.py"), "def score(solution, submission, row_id_column_name): pass\n");
        Path left = Files.createDirectories(folder.resolve("left"));
        StringBuilder labels = new StringBuilder("id,y,group,part\n");
        for (int fold = 0; fold < FOLDS; fold++) {
            labels.append(rows("f" + fold + "r", ",#,f" + fold + "#," + fold + "\n"));
            Path view = Files.createDirectories(left.resolve("fold" + fold));
            Files.writeString(view.resolve("train.csv"), "id,y\n");
            Files.writeString(view.resolve("sample_submission.csv"), "id,y\n" + predicted(fold, 0));
        }
        Files.writeString(left.resolve("labels.csv"), labels + rows("s", ",#,s#,select\n"));
        String key = harness().hold(left).key();
        Holdout holdout =
                new Holdout(key.substring(key.lastIndexOf('/') + 1), "s", Collections.nCopies(FOLDS, SIZE), SIZE, false,
                        List.of("train.csv", "sample_submission.csv"), null);
        context = new RunContext(task, PipelineConfig.defaults(), "no GPU", new Facts(null, null, holdout, null));
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
        hold();
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
