package io.mlestar.app.cli.draft;

import io.mlestar.adapter.grade.Metric;
import io.mlestar.app.cli.draft.DataShape.ColumnShape;
import io.mlestar.app.cli.draft.DataShape.TableShape;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.TaskType;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The kind of a task, as its columns show it, and a clause on the source of each answer.
///
/// @param metric that tasks of this kind usually have; empty if there is none
record TaskKind(TaskType type, String typeWhy, DataModality modality, String modalityWhy, Optional<Metric> metric, String metricWhy) {
    /// More different whole numbers than these are no classes.
    private static final int MOST_CLASSES = 20;
    /// Mean number of characters from which on a column holds texts to be read.
    private static final int LONG_TEXT = 60;
    /// So many columns beside images, sounds or texts make a mixed task.
    private static final int MANY_COLUMNS = 4;

    /// What the values of a target are, and the metrics that are usual for them. Of several targets the last in this order counts.
    private enum Values {
        TWO_CLASSES("of two values", Metric.ACCURACY, Metric.ROC_AUC), CLASSES("of a few values", Metric.ACCURACY, Metric.LOG_LOSS),
        NUMBERS("of numbers", Metric.RMSE, Metric.RMSE), OTHERS("neither of classes nor of numbers", null, null);

        private final String words;
        private final @Nullable Metric usual;
        private final @Nullable Metric ofChances;

        Values(String words, @Nullable Metric usual, @Nullable Metric ofChances) {
            this.words = words;
            this.usual = usual;
            this.ofChances = ofChances;
        }
    }

    private TaskKind(TaskType type, String typeWhy, DataModality modality, String modalityWhy, Values values, boolean asksForChances) {
        this(type, typeWhy, modality, modalityWhy, Optional.ofNullable(asksForChances ? values.ofChances : values.usual),
                values == Values.NUMBERS ? "the usual one for numbers" : asksForChances ? "classes, and the sample submission asks for a probability"
                        : "classes, and nothing says that probabilities are asked for");
    }

    /// @param targets columns of the training table
    static TaskKind of(DataShape data, TableShape train, List<String> targets) {
        Values values = data.ofClasses().equals(targets) ? Values.CLASSES
                : targets.stream().map(name -> train.column(name).map(column -> values(column, train.rows())).orElse(Values.OTHERS))
                        .max(Comparator.naturalOrder()).orElse(Values.OTHERS);
        List<ColumnShape> features = train.columns().stream().filter(column -> !targets.contains(column.name())).toList();
        Optional<ColumnShape> text = features.stream().filter(column -> column.kind().equals("text") && column.length() >= LONG_TEXT).findFirst();
        long others = features.stream().filter(column -> !column.kind().equals("identifier") && column.length() < LONG_TEXT).count();
        DataModality main = ofFiles(data) == DataModality.TABULAR && text.isPresent() ? DataModality.TEXT : ofFiles(data);
        boolean mixed = main != DataModality.TABULAR && others >= MANY_COLUMNS;
        String modalityWhy = switch (main) {
            case IMAGE -> data.images() + " images";
            case AUDIO -> data.sounds() + " sounds";
            case TEXT -> text.map(column -> "column " + column.name() + " holds texts of " + Math.round(column.length()) + " characters on average").orElse("");
            case TABULAR, MIXED -> "tables, with no images, sounds or long texts";
        } + (mixed ? ", and " + others + " other columns" : "");
        DataModality modality = mixed ? DataModality.MIXED : main;
        TaskType type = switch (values) {
            case TWO_CLASSES, CLASSES -> classification(modality, TaskType.CLASSIFICATION);
            case NUMBERS -> TaskType.REGRESSION;
            case OTHERS -> TaskType.TABULAR;
        };
        String typeWhy = (targets.size() == 1 ? targets.getFirst() + " is " : "the targets are ") + values.words;
        boolean asksForChances = data.ofClasses().equals(targets) || targets.stream().anyMatch(target -> asksForFractions(data, target));
        return new TaskKind(type, typeWhy, modality, modalityWhy, values, asksForChances);
    }

    /// The kind by the files alone: folders that are classes, or only what the files hold.
    static TaskKind ofFolders(DataShape data) {
        DataModality modality = ofFiles(data);
        TaskType type = classification(modality, TaskType.TABULAR);
        String files = data.images() + " images, " + data.sounds() + " sounds";
        if (data.classes() == null) {
            return new TaskKind(type, "a guess by the files; the description says more", modality, files, Values.OTHERS, false);
        }
        boolean asksForChances = data.submission() != null && data.submission().names().stream().filter(data.classes().names()::contains).count() > 1;
        return new TaskKind(type, data.classes().count() + " classes by folder", modality, files, Values.CLASSES, asksForChances);
    }

    private static DataModality ofFiles(DataShape data) {
        return data.images() > 0 && data.images() >= data.sounds() ? DataModality.IMAGE : data.sounds() > 0 ? DataModality.AUDIO : DataModality.TABULAR;
    }

    private static TaskType classification(DataModality modality, TaskType ofTables) {
        return switch (modality) {
            case IMAGE -> TaskType.IMAGE_CLASSIFICATION;
            case TEXT -> TaskType.TEXT_CLASSIFICATION;
            case AUDIO -> TaskType.AUDIO_CLASSIFICATION;
            case TABULAR, MIXED -> ofTables;
        };
    }

    private static Values values(ColumnShape column, long rows) {
        boolean few = column.distinct() * 2 <= rows;
        Values classes = column.distinct() == 2 ? Values.TWO_CLASSES : Values.CLASSES;
        return switch (column.kind()) {
            case "boolean" -> Values.TWO_CLASSES;
            case "category", "constant", "digits" -> classes;
            case "integer" -> column.distinct() > MOST_CLASSES || !few ? Values.NUMBERS : classes;
            case "real", "number" -> Values.NUMBERS;
            case "text" -> few && column.length() < LONG_TEXT ? Values.CLASSES : Values.OTHERS;
            case String _ -> Values.OTHERS;
        };
    }

    /// Whether the sample submission has fractions where labels could stand.
    private static boolean asksForFractions(DataShape data, String target) {
        return Optional.ofNullable(data.submission()).flatMap(submission -> submission.column(target))
                .filter(column -> column.kind().equals("real") || column.kind().equals("constant")
                        && column.values().stream().anyMatch(value -> value.matches("[0-9]*\\.0*[1-9][0-9]*")))
                .isPresent();
    }
}
