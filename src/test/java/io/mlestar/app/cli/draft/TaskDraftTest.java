package io.mlestar.app.cli.draft;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.app.cli.draft.DataForm.Obstacle;
import io.mlestar.app.cli.draft.TaskDraft.Wishes;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.TaskType;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TaskDraftTest {
    private static final Wishes NOTHING = new Wishes(null, null, null, null, null);

    /// @param metric that is usual for it; null if there is none
    private static DataForm form(String metric, Obstacle wrong, List<String> words, List<String> numbers) {
        return new DataForm(List.of("example: a row of \"train.csv\", named by \"id\""),
                "train.csv (90 rows, 3 columns)", "y: its name says so",
                TaskType.CLASSIFICATION, "y is of two values", DataModality.TABULAR, "tables",
                Optional.ofNullable(metric), "classes",
                List.of("Predict \"y\" for each row of \"test.csv\".", "A file \"submission.csv\" with a header."),
                wrong, words, numbers, List.of());
    }

    private static DataForm form(String metric) {
        return form(metric, null, List.of(), List.of());
    }

    private static TaskDraft draft(DataForm data, Wishes given, String... answers) {
        List<String> left = new ArrayList<>(List.of(answers));
        return TaskDraft.of(data, "My Task", "./input", given, answers.length == 0 ? Optional.empty()
                : Optional.of((question, usual) -> left.removeFirst().replace("usual", usual.orElse(""))), false);
    }

    @Test
    void aTaskIsMadeOfTheFormAndTheDescriptionOfItsLines() {
        TaskDraft draft = draft(form("accuracy"), NOTHING);
        assertThat(Json.tree(draft.task())).isEqualTo(Json
                .parse("""
                        {"competition_id": "my-task", "task_type": "classification", "data_modality": "tabular", "evaluation_metric": "accuracy",
                         "metric_direction": "maximize", "data_dir": "./input", "output_dir": "./final", "description": %s}"""
                        .formatted(Json.line(draft.task().description()))));
        assertThat(draft.task().description()).isEqualTo("""
                Predict "y" for each row of "test.csv".

                ## Metric

                Submissions are evaluated by accuracy. Higher is better.

                ## Data

                - example: a row of "train.csv", named by "id"

                ## Submission

                A file "submission.csv" with a header.
                """);
        assertThat(draft.facts()).containsEntry("target", "y: its name says so").containsEntry("metric",
                "accuracy, maximize: a guess, classes");
        assertThat(draft.yaml()).contains("# target: y: its name says so\n# type: classification: y is of two values\n",
                "# data: train.csv (90 rows");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            RMSE                | RMSE measures numbers, but y holds words, such as iris
            mean absolute error | mean absolute error measures numbers, but y holds words, such as iris
            accuracy            | accuracy compares classes, but y holds 300 different numbers
            ROC-AUC             | ROC-AUC compares classes, but y holds 300 different numbers
            log loss            |
            f-beta              | f-beta UNKNOWN; a higher one counts as better, unless --direction says otherwise
            my own score        | my own score UNKNOWN
            """)
    void aMetricThatCannotMeasureTheTargetIsDoubted(String metric, String said) {
        DataForm data = form("accuracy", null, List.of("y holds words, such as iris"),
                List.of("y holds 300 different numbers"));
        MetricDirection direction = DescribedMetric.direction(metric).isPresent() ? null : MetricDirection.MINIMIZE;
        assertThat(String.join("; ", draft(data, new Wishes(null, null, metric, direction, null)).contradictions()))
                .isEqualTo(said == null ? ""
                        : said.replace("UNKNOWN",
                                "cannot be computed here: neither mlestar grade nor search: strong knows it, without a metric.py"));
    }

    /// @param usual the metric that is usual for the data
    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    ROC-AUC  |         | Ranked by the area under the ROC curve. Lower is better. | of ROC-AUC a higher one is better, but the description says that a lower one is
                    ROC-AUC  |         | Scored by AUC. A larger value is better than lower ones. | ''
                    accuracy | ROC-AUC | Tell. Submissions are evaluated by log loss.             | the metric is ROC-AUC, but the description says "Submissions are evaluated by log loss."
                    accuracy | LogLoss | Tell. Submissions are evaluated by log loss.             | ''
                    accuracy |         | Tell. Submissions are evaluated by log loss.             | ''
                    """)
    void aDescriptionThatContradictsTheTaskOrTheWishIsDoubted(String usual, String metric, String description,
            String doubt) {
        Wishes wishes = new Wishes(null, null, metric, null, description);
        assertThat(String.join("; ", draft(form(usual), wishes).contradictions())).isEqualTo(doubt);
    }

    /// @param usual the metric that is usual for the data
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            RMSE     | glory    |          | Scored by glory; lower scores are better. | glory, MINIMIZE
            RMSE     | glory    | MAXIMIZE |                                           | glory, MAXIMIZE
            accuracy |          |          | Evaluated by the log loss.                | log loss, MINIMIZE
            accuracy | accuracy |          | Evaluated by the log loss.                | accuracy, MAXIMIZE
                     |          |          | Evaluated on the root mean squared error. | RMSE, MINIMIZE
            """)
    void optionsCountMoreThanTheDescriptionAndThatMoreThanTheData(String usual, String metric,
            MetricDirection direction, String description, String chosen) {
        TaskDescription task = draft(form(usual), new Wishes(null, null, metric, direction, description)).task();
        assertThat(task.evaluationMetric() + ", " + task.metricDirection()).isEqualTo(chosen);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    RMSE | MAPE  | MAXIMIZE |               | --direction maximize contradicts --metric MAPE, of which a lower score is better; leave --direction out
                    RMSE | glory |          |               | --direction maximize or --direction minimize
                         |       |          | Do something. | the metric cannot be told from the data or the description; say --metric NAME
                    """)
    void aMetricOrADirectionThatCannotBeIsSaid(String usual, String metric, MetricDirection direction,
            String description, String said) {
        refusal(() -> draft(form(usual), new Wishes(null, null, metric, direction, description))).contains(said);
    }

    @Test
    void whatIsAskedForIsAnsweredByHandOrAsUsual() {
        assertThat(draft(form("RMSE"), NOTHING, "glory", "Minimize").task().metricDirection())
                .isEqualTo(MetricDirection.MINIMIZE);
        Wishes described = new Wishes(null, null, null, null, "Evaluated by the log loss.\n");
        TaskDraft draft = draft(form("accuracy"), described, "usual");
        assertThat(draft.task().evaluationMetric()).isEqualTo("log loss");
        assertThat(draft.facts()).containsEntry("metric",
                "log loss, minimize: the description says \"Evaluated by the log loss.\"");
    }

    @Test
    void dataThatMakeNoTaskAreSaidInOneLineUnlessADescriptionHelps() {
        Wishes described = new Wishes(null, null, "accuracy", null, "Tell cats from dogs.\n");
        DataForm open =
                form("accuracy", new Obstacle("there is nothing to predict", false, List.of()), List.of(), List.of());
        refusal(() -> draft(open, NOTHING)).isEqualTo("there is nothing to predict");
        assertThat(draft(open, described).task().description()).isEqualTo("Tell cats from dogs.\n");
        DataForm empty =
                form("accuracy", new Obstacle("there is nothing to learn from", true, List.of()), List.of(), List.of());
        refusal(() -> draft(empty, described)).isEqualTo("there is nothing to learn from");
    }

    @Test
    void dataThatCouldNotBeLookedAtMakeATaskOfADescriptionAndAMetric() {
        DataForm data = DataForm.unknown("there is no Python");
        refusal(() -> draft(data, NOTHING))
                .isEqualTo("there is no Python; without a look at the data say --description and --metric");
        TaskDraft draft = draft(data, new Wishes(null, null, "RMSE", null, "Predict y.\n"));
        assertThat(draft.facts()).containsEntry("target", "what the description says; the data do not tell");
        assertThat(draft.contradictions()).containsExactly("there is no Python");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Predict y.\n", "no line feed", "tabs\tand: colons # here\n", "  begins with blanks\n",
        "\n\nbegins with lines\n",
        "ends with lines\n\n\n",
        "a smile \uD83D\uDE42\n", "a bell \u0007\n", "trailing \nblank\n", "- a\n- {b: c}\n\n  indented\n",
        "two\r\nlines\r\n", "one\u2028line\n",
        "---\n...\n"})
    void theFileHoldsAnyDescriptionExactly(String description) throws Exception {
        DataForm data = form("RMSE");
        TaskDraft draft = draft(data, new Wishes("yes", null, "RMSE: # 'x'", MetricDirection.MINIMIZE, description));
        TaskDescription read = Json.readStrictly(new YAMLMapper().readTree(draft.yaml()), TaskDescription.class);
        assertThat(read).isEqualTo(draft.task());
        assertThat(read.description()).isEqualTo(description);
    }

}
