package io.mlestar.app.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Arithmetic.CombineFolds;
import io.mlestar.core.step.Arithmetic.Combined;
import io.mlestar.core.step.Arithmetic.ComparePredictions;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.Validation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each of the usual layouts of a competition from its form to a score: the features tell the label, so a script that finds what belongs to a row of the sample
/// scores perfectly, and one whose files or rows are mixed up does not.
class LiteFormsTest extends HeldOutDays {
    private static final Path LAYOUTS = Path.of("src/test/resources/holdout/layouts.py");
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
        Process python = new ProcessBuilder("python3", LAYOUTS.toString(), layout, Files.createDirectories(folder.resolve(layout)).toString()).start();
        String said = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(python.waitFor()).as(new String(python.getErrorStream().readAllBytes(), StandardCharsets.UTF_8)).isZero();
        return Json.parse(said);
    }

    /// @param scheme what the line on the hidden rows holds
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            named_by_the_sample       | file   | columns      | rows at random in 2 folds: there is no test table
            folders_of_other_names    | file   | columns      | hidden rows have their files in "test_images/{key}.png"
            classes_in_labels_csv     | file   | class column | hidden rows have their files in "test/{key}.jpg"
            one_folder                | file   | columns      | hidden rows have their files in "images/{key}.jpg"
            a_folder_each             | row    | columns      | hidden rows have their files in "test/{key}/"
            patients                  | row    | columns      | whole groups of one "patient"
            names_tell_words          | file   | file name    | 1 is "dog", as the description says
            names_tell_numbers        | file   | file name    | all files to be predicted have new names
            class_folders             | file   | folder name  | all files to be predicted have new names
            class_folders_of_patients | file   | folder name  | whole groups of one "folder"
            records                   | record | field        | rows at random
            rows_by_place             | row    | columns      | rows at random
            rows_by_number            | row    | columns      | rows at random
            key_of_two_columns        | row    | columns      | whole groups of one "sentence"
            key_of_shop_and_day       | row    | columns      | the last rows by "day"
            classes_behind_a_prefix   | row    | class column | rows at random
            packed_tables             | row    | columns      | rows at random
            a_sample_of_a_few_rows    | row    | columns      | rows at random
            """)
    void hiddenRowsAreScoredInEachLayout(String layout, String example, String label, String scheme) throws IOException, InterruptedException {
        JsonNode made = make(layout);
        data = folder.resolve(layout);
        TaskDescription given = context.task();
        context = new RunContext(new TaskDescription("t", given.taskType(), given.dataModality(), made.path("metric").asText(),
                made.path("minimize").asBoolean() ? MetricDirection.MINIMIZE : MetricDirection.MAXIMIZE,
                made.path("description").asText() + "Predict.", data.toString(), null), context.config(), "no GPU");
        JsonNode form =
                Json.parse(run(strongest(), new RunScript(SurveyScripts.form(60, null, List.of()), Kind.DATA_CARD, 60)).evaluation().stdout()).path("form");
        assertThat(form.path("example").path("is").asText()).as(form.toString()).isEqualTo(example);
        assertThat(form.path("label").path("at").asText()).isEqualTo(label);
        String columns = Json.line(form.path("submission").path("columns"));
        String predicts = PREDICTS.replace("COLUMNS", columns).replace("PREDICTS", made.path("predicts").asText());

        assertThat(Json.parse(hide(2)).path("scheme").asText()).contains(scheme);

        eachFileIsShownOnce();
        double best = made.path("minimize").asBoolean() ? 0 : 1;
        List<String> kept = new ArrayList<>();
        for (int fold = 0; fold < 2; fold++) {
            Execution ran = run(strongest(), new RunScript(predicts, Kind.SOLUTION, 60, context.hiddenRows(), fold, null));
            assertThat(ran).as(String.valueOf(ran)).isInstanceOf(Execution.Scored.class);
            Validation validation = ran.evaluation().score().validation();
            assertThat(validation.search()).isCloseTo(best, within(1e-9));
            assertThat(validation.select()).isCloseTo(best, within(1e-9));
            kept.add(validation.predictions());
            assertThat(longestRun(text(validation.predictions()))).as("rows of one label in a row").isLessThan(40);
        }
        Combined all = job(strongest()).harness(STEP, context).compute(new CombineFolds(kept, context.hiddenRows()));
        assertThat(all.validation().search()).isCloseTo(best, within(1e-9));
        Execution.Ended last = (Execution.Ended) run(strongest(), new RunScript(predicts, Kind.SUBMISSION, 60));
        assertThat(job(strongest()).harness(STEP, context).compute(
                new ComparePredictions(all.validation().predictions(), last.submission().key(), context.hiddenRows())).distance()).isZero();
        assertThat(last.submission().wrong()).isNull();
    }

    /// Of the last column. In 120 hidden rows sorted by two classes some 60 are alike.
    private static int longestRun(String table) {
        int longest = 0;
        int run = 0;
        String before = "";
        for (String line : table.lines().toList()) {
            String value = line.substring(line.lastIndexOf(',') + 1);
            run = value.equals(before) ? run + 1 : 1;
            longest = Math.max(longest, run);
            before = value;
        }
        return longest;
    }

    /// As the task has it or as the test's are called, and no other files.
    private void eachFileIsShownOnce() throws IOException {
        Path shown = job(strongest()).shown(STEP, context, Holdout.FIRST);
        List<Object> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(shown)) {
            for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                files.add(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
            }
        }
        try (Stream<Path> all = Files.walk(data)) {
            assertThat(files).doesNotHaveDuplicates().hasSize((int) all.filter(Files::isRegularFile).count());
        }
    }
}
