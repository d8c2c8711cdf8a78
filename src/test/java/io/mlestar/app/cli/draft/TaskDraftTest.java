package io.mlestar.app.cli.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.app.cli.draft.DataShape.ColumnShape;
import io.mlestar.app.cli.draft.DataShape.TableShape;
import io.mlestar.app.cli.draft.TaskDraft.Wishes;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.TaskType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TaskDraftTest {
    private static final Wishes NOTHING = new Wishes(null, null, null, null, null);

    /// @param columns each as name, kind, distinct values, mean length and values, with colons between
    private static TableShape table(String path, long rows, String... columns) {
        return new TableShape(path, rows, columns.length, Arrays.stream(columns).map(column -> {
            String[] parts = column.split(":");
            return new ColumnShape(parts[0], parts[1], Long.parseLong(parts[2]), 0, parts.length > 3 ? Double.parseDouble(parts[3]) : 4,
                    parts.length > 4 ? List.of(parts[4].split(";")) : List.of());
        }).toList());
    }

    private static DataShape shape(TableShape train, TableShape test, TableShape submission, String targets, String lacking, int images) {
        return new DataShape(true, 3, train, test, submission, List.of("train.csv"), List.of(), list(targets), List.of(), list(lacking), null, List.of(),
                images, 0);
    }

    private static List<String> list(String names) {
        return names.isEmpty() ? List.of() : List.of(names.split(","));
    }

    private static TaskDraft draft(DataShape data, Wishes given, String... answers) {
        List<String> left = new ArrayList<>(List.of(answers));
        return TaskDraft.of(data, "My Task", "./input", given, answers.length == 0 ? Optional.empty()
                : Optional.of((question, usual) -> left.removeFirst().replace("usual", String.valueOf(usual))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            y:boolean:2                    | y:boolean:2:1:0;1    | 0   | classification       | tabular | accuracy | maximize
            y:boolean:2                    | y:constant:1:3:0.5   | 0   | classification       | tabular | ROC-AUC  | maximize
            y:category:2:4:yes;no          | y:real:90            | 0   | classification       | tabular | ROC-AUC  | maximize
            y:category:5                   | y:constant:1:1:oak   | 0   | classification       | tabular | accuracy | maximize
            y:integer:7                    | y:constant:1:1:0     | 0   | classification       | tabular | accuracy | maximize
            y:integer:300                  | y:constant:1:1:0     | 0   | regression           | tabular | RMSE     | minimize
            y:real:200                     | y:constant:1:3:0.5   | 0   | regression           | tabular | RMSE     | minimize
            y:category:5                   | y:constant:1:3:oak   | 500 | image_classification | image   | accuracy | maximize
            y:real:200                     | y:constant:1:3:0.5   | 500 | regression           | image   | RMSE     | minimize
            """)
    void kindMetricAndDirectionAreGuessedFromTheTargetAndTheSampleSubmission(String target, String asked, int images, String type, String modality,
            String metric, String direction) {
        TaskDraft draft =
                draft(shape(table("train.csv", 1_000, "id:identifier:1000", "x:real:900", target), table("test.csv", 500, "id:identifier:500", "x:real:90"),
                        table("sample_submission.csv", 500, "id:identifier:500", asked), "y", "y", images), NOTHING);
        assertThat(Json.tree(draft.task())).isEqualTo(Json
                .parse("""
                        {"competition_id": "my-task", "task_type": "%s", "data_modality": "%s", "evaluation_metric": "%s", "metric_direction": "%s", "data_dir": "./input",
                         "output_dir": "./final", "description": %s}"""
                        .formatted(type, modality, metric, direction, Json.line(draft.task().description()))));
        assertThat(draft.facts()).containsEntry("target", "y: sample_submission.csv has it, and test.csv lacks it");
        assertThat(draft.task().description()).startsWith("Predict `y` for each row of `test.csv`.\n").contains("- `train.csv`: 1000 rows, with the target.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    species:category:3:6:setosa;virginica | RMSE                | RMSE measures numbers, but species holds words, such as setosa
                    species:text:40                       | mean absolute error | mean absolute error measures numbers, but species holds words
                    species:boolean:2:1:yes;no            | R2                  | R2 measures numbers, but species holds words, such as yes
                    species:real:300                      | accuracy            | accuracy compares classes, but species holds 300 different numbers
                    species:real:300                      | ROC-AUC             | ROC-AUC compares classes, but species holds 300 different numbers
                    species:boolean:2:1:0;1               | RMSE                |
                    species:category:3                    | macro F1            |
                    species:real:300                      | RMSLE               |
                    species:category:3                    | f-beta              | f-beta UNKNOWN; a higher one counts as better, unless --direction says otherwise
                    species:category:3                    | my own score        | my own score UNKNOWN
                    """)
    void aMetricThatCannotMeasureTheTargetIsDoubted(String target, String metric, String said) {
        DataShape data = shape(table("train.csv", 1_000, "id:identifier:1000", target), table("test.csv", 90, "id:identifier:90"), null, "species", "", 0);
        MetricDirection direction = DescribedMetric.direction(metric).isPresent() ? null : MetricDirection.MINIMIZE;
        assertThat(String.join("; ", draft(data, new Wishes(null, null, metric, direction, null)).contradictions()))
                .isEqualTo(said == null ? ""
                        : said.replace("UNKNOWN", "cannot be computed here: neither mlestar grade nor validation: folds know it, without a metric.py"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    1000 | x   | y     | Ranked by the area under the ROC curve. Lower is better. | of ROC-AUC a higher one is better, but the description says that a lower one is
                    1000 | x   | y     | Scored by AUC. A larger value is better than lower ones. | ''
                    1000 | x,y | y     | Scored by AUC.                                           | test.csv holds the target y, too: scripts would see the answers; take the column out of it
                    2    | x   | y     | Scored by AUC.                                           | train.csv has 2 rows: too few to learn from
                    1000 |     |       |                                                          | there is neither a test table nor a sample submission: nothing says what is to be predicted
                    1000 |     |       | Scored by AUC.                                           | ''
                    """)
    void aTableOrADescriptionThatContradictsTheTaskIsDoubted(long rows, String test, String asked, String description, String doubt) {
        DataShape data = shape(table("train.csv", rows, "x:real:90", "y:boolean:2:1:0;1"), test == null ? null
                : table("test.csv", 90, Stream.of(test.split(",")).map(name -> name + ":real:90").toArray(String[]::new)),
                asked == null ? null : table("sample_submission.csv", 90, "x:real:90", "y:real:9"), "y", "", 0);
        assertThat(String.join("; ", draft(data, new Wishes(null, null, null, null, description)).contradictions())).isEqualTo(doubt);
    }

    @Test
    void theDirectionOfAnotherMetricIsTakenFromTheDescriptionAndThatOfAKnownOneCannotBeTurned() {
        DataShape data = shape(table("train.csv", 100, "y:real:90"), null, null, "y", "", 0);
        assertThat(draft(data, new Wishes(null, null, "glory", null, "Scored by glory; lower scores are better.")).task().metricDirection())
                .isEqualTo(MetricDirection.MINIMIZE);
        assertThatThrownBy(() -> draft(data, new Wishes(null, null, "MAPE", MetricDirection.MAXIMIZE, null)))
                .hasMessage("--direction maximize contradicts --metric MAPE, of which a lower score is better; leave --direction out");
    }

    @Test
    void aMetricOtherThanThatOfTheDescriptionIsDoubted() {
        DataShape data = shape(table("train.csv", 1_000, "id:identifier:1000", "y:boolean:2:1:0;1"), null, null, "y", "", 0);
        String text = "Tell. Submissions are evaluated by log loss.\n";
        assertThat(draft(data, new Wishes(null, null, "ROC-AUC", null, text)).contradictions())
                .containsExactly("the metric is ROC-AUC, but the description says \"Submissions are evaluated by log loss.\"");
        assertThat(draft(data, new Wishes(null, null, "LogLoss", null, text)).contradictions()).isEmpty();
        assertThat(draft(data, new Wishes(null, null, null, null, text)).contradictions()).isEmpty();
    }

    private static DataShape folders(TableShape submission, String test, boolean answered, int images) {
        return new DataShape(true, 60, null, null, submission, List.of(), List.of(), List.of(), List.of(), List.of(),
                new DataShape.ClassFolders("train", 2, 50, List.of("dogs", "cats"), test, 10, answered), List.of(), images, 60 - images);
    }

    @ParameterizedTest
    @CsvSource({"60, image_classification, image", "0, audio_classification, audio"})
    void foldersThatAreClassesMakeATaskWithoutATable(int images, String type, String modality) {
        TaskDraft draft = draft(folders(null, "test", false, images), NOTHING);
        TaskDescription task = draft.task();
        assertThat(Json.tree(task).path("task_type").asText()).isEqualTo(type);
        assertThat(Json.tree(task).path("data_modality").asText()).isEqualTo(modality);
        assertThat(task.evaluationMetric()).isEqualTo("accuracy");
        assertThat(task.metricDirection()).isEqualTo(MetricDirection.MAXIMIZE);
        assertThat(task.description()).contains("each in a folder that is named after its class: `dogs`, `cats`",
                "10 " + (images > 0 ? "image" : "sound") + "s without",
                "header `id,label`");
        assertThat(draft.yaml()).contains("# target: label: the name of the folder in train: dogs, cats",
                "# data: train (50 files in folders of 2 classes), test (10 files)");
    }

    @Test
    void foldersThatAreClassesAreAskedForAsTheSampleSubmissionDoes() {
        TableShape labels = table("sample_submission.csv", 10, "image:identifier:10", "kind:constant:1");
        assertThat(draft(folders(labels, "test", false, 60), NOTHING).task().description())
                .contains("the ids of `sample_submission.csv`, 10 rows: `image`, `kind`.");
        TableShape chances = table("sample_submission.csv", 10, "id:identifier:10", "cats:constant:1", "dogs:constant:1");
        assertThat(draft(folders(chances, "test", false, 60), NOTHING).task().evaluationMetric()).isEqualTo("log loss");
    }

    @Test
    void foldersThatLeaveNothingHonestToPredictAreSaidInOneLine() {
        assertThatThrownBy(() -> draft(folders(null, null, false, 60), NOTHING)).isInstanceOf(Invalid.class)
                .hasMessage(
                        "the folders in train are classes (dogs, cats), but there is nothing to predict: put the files in question into a folder test, or say with"
                                + " --description what is asked");
        assertThatThrownBy(() -> draft(folders(null, "test", true, 60), NOTHING)).isInstanceOf(Invalid.class)
                .hasMessageContaining("the files in test lie in folders of their classes, where scripts would see the answers");
        assertThatThrownBy(() -> draft(folders(null, "test", false, 60), new Wishes(null, "kind", null, null, null))).isInstanceOf(Invalid.class)
                .hasMessageContaining("no table with a column \"kind\"");
        Wishes described = new Wishes(null, null, null, null, "Tell cats from dogs.\n");
        assertThat(draft(folders(null, null, false, 60), described).task().description()).isEqualTo("Tell cats from dogs.\n");
    }

    @Test
    void longTextsMakeATaskOfTextsAndWithManyOtherColumnsAMixedOne() {
        TableShape few = table("train.csv", 100, "id:identifier:100", "words:text:99:140", "y:boolean:2");
        assertThat(draft(shape(few, null, null, "y", "", 0), NOTHING).task().taskType()).isEqualTo(TaskType.TEXT_CLASSIFICATION);
        TableShape many = table("train.csv", 100, "id:identifier:100", "words:text:99:140", "a:real:9", "b:real:9", "c:real:9", "d:real:9", "y:boolean:2");
        assertThat(draft(shape(many, null, null, "y", "", 0), NOTHING).task().dataModality()).isEqualTo(DataModality.MIXED);
    }

    @Test
    void aTargetThatCannotBeToldIsAskedForOrRefusedWithItsCandidates() {
        DataShape data =
                shape(table("train.csv", 100, "id:identifier:100", "a:real:50", "b:real:50"), table("test.csv", 9, "id:identifier:9"), null, "", "a,b", 0);
        assertThatThrownBy(() -> draft(data, NOTHING)).isInstanceOf(Invalid.class)
                .hasMessage("which column is to be predicted cannot be told from the data; say --target a or b");
        assertThat(draft(data, NOTHING, "b", "usual").task().evaluationMetric()).isEqualTo("RMSE");
        assertThat(draft(data, new Wishes(null, "a, b", null, null, null)).task().description()).startsWith("Predict `a`, `b` for");
        assertThatThrownBy(() -> draft(data, new Wishes(null, "c", null, null, null))).hasMessage("train.csv has no column \"c\"; it has id, a or b");
    }

    @Test
    void aUsualNameIsTakenWhereNothingElseTells() {
        TaskDraft draft = draft(shape(table("data.csv", 100, "id:identifier:100", "a:real:50", "Label:boolean:2"), null, null, "", "", 0), NOTHING);
        assertThat(draft.task().description()).startsWith("Predict `Label` for rows that are like those of `data.csv`.");
    }

    @Test
    void withoutATableForTrainingItSaysWhatIsMissing() {
        assertThatThrownBy(() -> draft(shape(null, null, null, "", "", 9), NOTHING))
                .hasMessageStartingWith("which table is the one for training cannot be told: train.csv");
        DataShape none =
                new DataShape(true, 9, null, null, null, List.of(), List.of("a.csv: it is empty"), List.of(), List.of(), List.of(), null, List.of(), 9, 0);
        assertThatThrownBy(() -> draft(none, NOTHING)).hasMessageStartingWith("the data hold no table that can be read; a.csv: it is empty; or write");
    }

    @ParameterizedTest
    @CsvSource({"mean squared error, MINIMIZE", "MAPE, MINIMIZE", "SMAPE, MINIMIZE", "log loss, MINIMIZE", "AUC, MAXIMIZE", "balanced accuracy, MAXIMIZE",
        "R2, MAXIMIZE", "MAP@5, MAXIMIZE", "F2, MAXIMIZE", "weighted F1 score, MAXIMIZE", "Pearson correlation, MAXIMIZE",
        "quadratic weighted kappa, MAXIMIZE"})
    void theDirectionOfUsualMetricsIsKnown(String metric, MetricDirection direction) {
        assertThat(DescribedMetric.direction(metric)).contains(direction);
    }

    @Test
    void theDirectionOfAnotherMetricMustBeSaid() {
        DataShape data = shape(table("train.csv", 100, "y:real:90"), null, null, "y", "", 0);
        assertThatThrownBy(() -> draft(data, new Wishes(null, null, "glory", null, null))).hasMessageContaining("--direction maximize or --direction minimize");
        assertThat(draft(data, new Wishes(null, null, "glory", MetricDirection.MAXIMIZE, null)).task().metricDirection()).isEqualTo(MetricDirection.MAXIMIZE);
        assertThat(draft(data, NOTHING, "glory", "Minimize").task().metricDirection()).isEqualTo(MetricDirection.MINIMIZE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Predict y.\n", "no line feed", "tabs\tand: colons # here\n", "  begins with blanks\n", "\n\nbegins with lines\n",
        "ends with lines\n\n\n",
        "a smile \uD83D\uDE42\n", "a bell \u0007\n", "trailing \nblank\n", "- a\n- {b: c}\n\n  indented\n", "two\r\nlines\r\n", "one\u2028line\n",
        "---\n...\n"})
    void theFileHoldsAnyDescriptionExactly(String description) throws Exception {
        DataShape data = shape(table("train.csv", 100, "y:real:90"), null, null, "y", "", 0);
        TaskDraft draft = draft(data, new Wishes("yes", null, "RMSE: # 'x'", MetricDirection.MINIMIZE, description));
        TaskDescription read = Json.readStrictly(new YAMLMapper().readTree(draft.yaml()), TaskDescription.class);
        assertThat(read).isEqualTo(draft.task());
        assertThat(read.description()).isEqualTo(description);
    }

    @Test
    void aDescriptionNamesTheMetricAndReplacesATargetThatTheDataDoNotTell() {
        Wishes described =
                new Wishes(null, null, null, null, "Clean the pages.\n\n## Evaluation\n\nSubmissions are evaluated on the root mean squared error.\n");
        TaskDraft draft =
                draft(new DataShape(true, 200, null, null, null, List.of(), List.of(), List.of(), List.of(), List.of(), null, List.of(), 144, 0), described);
        assertThat(draft.task().evaluationMetric()).isEqualTo("RMSE");
        assertThat(draft.task().metricDirection()).isEqualTo(MetricDirection.MINIMIZE);
        assertThat(draft.task().dataModality()).isEqualTo(DataModality.IMAGE);
        assertThat(draft.facts()).containsEntry("data", "200 files").containsEntry("target", "what the description says; the data do not tell")
                .containsEntry("metric", "RMSE, minimize: the description says \"Submissions are evaluated on the root mean squared error.\"");
        assertThatThrownBy(() -> draft(new DataShape(true, 2, null, null, null, List.of(), List.of(), List.of(), List.of(), List.of(), null, List.of(), 0, 0),
                new Wishes(null, null, null, null, "Do something.\n"))).isInstanceOf(Invalid.class)
                .hasMessage("the metric cannot be told from the data or the description; say --metric NAME");
    }

    @Test
    void optionsCountMoreThanTheDescription() {
        DataShape data = shape(table("train.csv", 1_000, "id:identifier:1000", "y:boolean:2"), null, null, "y", "y", 0);
        String text = "Evaluated by the log loss.\n";
        assertThat(draft(data, new Wishes(null, null, null, null, text)).task().evaluationMetric()).isEqualTo("log loss");
        assertThat(draft(data, new Wishes(null, null, "accuracy", null, text)).task().metricDirection()).isEqualTo(MetricDirection.MAXIMIZE);
        assertThat(draft(data, new Wishes(null, null, null, null, text), "usual").task().evaluationMetric()).isEqualTo("log loss");
    }
}
