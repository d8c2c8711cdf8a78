package io.mlestar.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Arithmetic.CombineFolds;
import io.mlestar.core.step.Arithmetic.CombinedFolds;
import io.mlestar.core.step.Arithmetic.ComparePredictions;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.Validation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Two layouts that no rule covers, with a `split.py`, to a score: the features tell the label, so
/// a script that finds what belongs to a row of the sample scores perfectly, and one whose files or
/// rows are mixed up does not.
class SplitFormsTest extends HeldOutDays {
    private static final Path LAYOUTS = Path.of("src/test/resources/holdout/split-layouts.py");
    private static final String PREDICTS = """
            import csv, glob, gzip, json
            path = next(path for path in glob.glob('input/*') if 'submission' in path.lower())
            with (gzip.open(path, 'rt') if path.endswith('gz') else open(path)) as file:
                header, *rows = csv.reader(file)
            with open('final/submission.csv', 'w') as out:
                writer = csv.writer(out)
                writer.writerow(header)
                for values in reversed(rows) if header[0] in ('id', 'Id') else rows:
                    row = dict(zip(header, values))
                    predicted = PREDICTS
                    asked = COLUMNS
                    writer.writerow([predicted[asked.index(name)] if name in asked else row[name] for name in header])
            """;

    private JsonNode make(String layout) throws IOException, InterruptedException {
        return python(LAYOUTS, new byte[0], layout, Files.createDirectories(folder.resolve(layout)).toString());
    }

    /// What no rule covers, by a `split.py` beside the data.
    @ParameterizedTest
    @CsvSource({"recordings, split-recordings.py, 0", "stained_pages, split-pages.py, 165"})
    void hiddenRowsAreScoredBySplit(String layout, String split, int answers) throws IOException, InterruptedException {
        JsonNode made = make(layout);
        taskOf(layout, made);
        JsonNode refused =
                Json.parse(run(strongest(), new RunScript(SurveyScripts.holdout(60, 2, ""), Kind.HOLDOUT, 60))
                        .evaluation().stdout());
        assertThat(refused.path("formless").asBoolean()).as(refused.toString()).isTrue();
        data = Files.createDirectories(folder.resolve("task")).resolve("input");
        Files.move(folder.resolve(layout), data);
        Files.copy(LAYOUTS.resolveSibling(split), folder.resolve("task/split.py"));
        taskOf("task/input", made);

        assertThat(Json.parse(hide(2)).path("scheme").asText()).contains("by split.py: 300 examples of 300");

        eachFileIsShownOnce(answers);
        scoresPerfectly(made, PREDICTS.replace("COLUMNS", layout.equals("recordings") ? "['Probability']" : "['value']")
                .replace("PREDICTS", made.path("predicts").asText()));
    }

    private void taskOf(String place, JsonNode made) {
        data = folder.resolve(place);
        TaskDescription given = context.task();
        context = new RunContext(
                new TaskDescription("t", given.taskType(), given.dataModality(), made.path("metric").asText(),
                        made.path("minimize").asBoolean() ? MetricDirection.MINIMIZE : MetricDirection.MAXIMIZE,
                        made.path("description").asText() + "Predict.", data.toString(), null),
                PipelineConfig.resolve(Json.object().put("search", "strong").put("folds", 2), Map.of()), "no GPU");
    }

    private void scoresPerfectly(JsonNode made, String predicts) throws IOException {
        double best = made.path("minimize").asBoolean() ? 0 : 1;
        List<String> kept = new ArrayList<>();
        for (int fold = 0; fold < 2; fold++) {
            Execution ran =
                    run(strongest(), new RunScript(predicts, Kind.SOLUTION, 60, context.hiddenRows(), fold, null));
            assertThat(ran).as(String.valueOf(ran)).isInstanceOf(Execution.Scored.class);
            Validation validation = ran.evaluation().score().validation();
            assertThat(validation.search()).isCloseTo(best, within(1e-9));
            assertThat(validation.select()).isCloseTo(best, within(1e-9));
            kept.add(validation.predictions());
            assertThat(longestRun(text(validation.predictions()))).as("rows of one label in a row").isLessThan(40);
        }
        CombinedFolds all =
                job(strongest()).harness(STEP, context).compute(new CombineFolds(kept, context.hiddenRows()));
        assertThat(all.validation().search()).isCloseTo(best, within(1e-9));
        Execution.Ended last = (Execution.Ended) run(strongest(), new RunScript(predicts, Kind.SUBMISSION, 60));
        assertThat(job(strongest()).harness(STEP, context).compute(
                new ComparePredictions(all.validation().predictions(), last.submission().key(), context.hiddenRows()))
                .distance()).isZero();
        assertThat(last.submission().wrong()).isNull();
    }
}
