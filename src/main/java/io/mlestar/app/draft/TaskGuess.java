package io.mlestar.app.draft;

import io.mlestar.app.draft.DataShape.ColumnShape;
import io.mlestar.app.draft.DataShape.TableShape;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.TaskType;
import io.mlestar.show.grade.Metric;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// What kind of task it is to predict some columns, with a clause for each answer that says what it was told from.
///
/// @param metric empty if nothing tells
record TaskGuess(TaskType type, String typeWhy, DataModality modality, String modalityWhy, Optional<Metric> metric, String metricWhy) {
    /// Whole numbers of which there are no more are taken for classes.
    private static final int MOST_CLASSES = 20;
    /// Characters from which on a text is one to be read.
    private static final int LONG_TEXT = 60;
    /// Columns besides images, sounds or texts from which on they count.
    private static final int MANY_COLUMNS = 4;
    private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]+(\\.0*)?");
    private static final Pattern LESS_IS_BETTER =
            Pattern.compile("error|loss|mse|mae|mape|mad|deviance|deviation|divergence|distance|perplexity|brier|\\bwer\\b|\\bcer\\b|pinball");
    private static final Pattern MORE_IS_BETTER = Pattern.compile(
            "auc|accuracy|\\bf[0-9.]*\\b|f[0-9.]+[ -]?score|kappa|\\br2\\b|r\\^2|precision|recall|score|iou|jaccard|dice|\\bap\\b|\\bmap\\b|ndcg|bleu|rouge|"
                    + "correlation|spearman|pearson|\\bgini\\b|matthews|\\bmcc\\b|sharpe");

    /// What the values of a target are.
    private enum Values {
        TWO_CLASSES("of two values"), CLASSES("of a few values"), NUMBERS("of numbers"), OTHERS("neither of classes nor of numbers");

        private final String words;

        Values(String words) {
            this.words = words;
        }
    }

    static TaskGuess of(DataShape data, TableShape train, List<String> targets) {
        Values values = values(data, train, targets);
        boolean classes = values == Values.TWO_CLASSES || values == Values.CLASSES;
        String typeWhy = (targets.size() == 1 ? targets.getFirst() + " is" : "the targets are") + " " + values.words;
        long others = train.columns().stream().filter(column -> !targets.contains(column.name()) && !column.kind().equals("identifier")
                && column.length() < LONG_TEXT).count();
        Optional<ColumnShape> text = train.columns().stream()
                .filter(column -> !targets.contains(column.name()) && column.kind().equals("text") && column.length() >= LONG_TEXT).findFirst();
        boolean mixed = others >= MANY_COLUMNS;
        DataModality main = data.images() > 0 && data.images() >= data.sounds() ? DataModality.IMAGE : data.sounds() > 0 ? DataModality.AUDIO
                : text.isPresent() ? DataModality.TEXT : DataModality.TABULAR;
        String modalityWhy = switch (main) {
            case IMAGE -> data.images() + " images";
            case AUDIO -> data.sounds() + " sounds";
            case TEXT -> "column " + text.orElseThrow().name() + " holds texts of " + Math.round(text.orElseThrow().length()) + " characters on average";
            case TABULAR, MIXED -> "tables, with no images, sounds or long texts";
        } + (main != DataModality.TABULAR && mixed ? ", and " + others + " other columns" : "");
        DataModality modality = main != DataModality.TABULAR && mixed ? DataModality.MIXED : main;
        TaskType type = values == Values.OTHERS ? TaskType.TABULAR : !classes ? TaskType.REGRESSION : switch (modality) {
            case IMAGE -> TaskType.IMAGE_CLASSIFICATION;
            case TEXT -> TaskType.TEXT_CLASSIFICATION;
            case AUDIO -> TaskType.AUDIO_CLASSIFICATION;
            case TABULAR, MIXED -> TaskType.CLASSIFICATION;
        };
        boolean likely = data.ofClasses().equals(targets) && !data.ofClasses().isEmpty() || targets.stream().anyMatch(target -> asksForNumbers(data, target));
        return switch (values) {
            case TWO_CLASSES -> new TaskGuess(type, typeWhy, modality, modalityWhy, Optional.of(likely ? Metric.ROC_AUC : Metric.ACCURACY),
                    likely ? "two classes, and the sample submission holds fractions, like probabilities"
                            : data.submission() == null ? "two classes; no sample submission says whether probabilities are asked for"
                            : "two classes, and the sample submission holds labels; if probabilities are asked for, it may be ROC-AUC");
            case CLASSES -> new TaskGuess(type, typeWhy, modality, modalityWhy, Optional.of(likely ? Metric.LOG_LOSS : Metric.ACCURACY),
                    likely ? "classes, and the sample submission holds a probability of each" : "classes, and nothing says that probabilities are asked for");
            case NUMBERS -> new TaskGuess(type, typeWhy, modality, modalityWhy, Optional.of(Metric.RMSE), "the usual one for numbers");
            case OTHERS -> new TaskGuess(type, typeWhy, modality, modalityWhy, Optional.empty(), "");
        };
    }

    /// What the files alone tell, where only a description says what is to be predicted.
    static TaskGuess described(DataShape data) {
        DataModality modality = data.images() > 0 && data.images() >= data.sounds() ? DataModality.IMAGE : data.sounds() > 0 ? DataModality.AUDIO
                : DataModality.TABULAR;
        TaskType type = switch (modality) {
            case IMAGE -> TaskType.IMAGE_CLASSIFICATION;
            case AUDIO -> TaskType.AUDIO_CLASSIFICATION;
            case TABULAR, TEXT, MIXED -> TaskType.TABULAR;
        };
        return new TaskGuess(type, "a guess by the files; the description says more", modality, data.images() + " images, " + data.sounds() + " sounds",
                Optional.empty(), "");
    }

    /// The same kind of data, with classes that are known.
    ///
    /// @param likely whether a probability of each class is asked for
    TaskGuess of(String why, boolean likely) {
        return new TaskGuess(type, why, modality, modalityWhy, Optional.of(likely ? Metric.LOG_LOSS : Metric.ACCURACY),
                likely ? "classes, and the sample submission has a column of each" : "classes, and nothing says that probabilities are asked for");
    }

    private static Values values(DataShape data, TableShape train, List<String> targets) {
        if (data.ofClasses().equals(targets)) {
            return Values.CLASSES;
        }
        List<Values> each =
                targets.stream().map(name -> train.column(name).map(column -> values(column, train.rows())).orElse(Values.OTHERS)).distinct().toList();
        return each.size() == 1 ? each.getFirst() : each.contains(Values.OTHERS) ? Values.OTHERS : each.contains(Values.NUMBERS) ? Values.NUMBERS
                : Values.CLASSES;
    }

    private static Values values(ColumnShape column, long rows) {
        boolean few = column.distinct() * 2 <= rows;
        return switch (column.kind()) {
            case "boolean" -> Values.TWO_CLASSES;
            case "category", "constant", "digits" -> column.distinct() == 2 ? Values.TWO_CLASSES : Values.CLASSES;
            case "integer" -> column.distinct() > MOST_CLASSES || !few ? Values.NUMBERS : column.distinct() == 2 ? Values.TWO_CLASSES : Values.CLASSES;
            case "real", "number" -> Values.NUMBERS;
            case "text" -> few && column.length() < LONG_TEXT ? Values.CLASSES : Values.OTHERS;
            case String _ -> Values.OTHERS;
        };
    }

    /// Whether the sample submission has fractions where labels could stand.
    private static boolean asksForNumbers(DataShape data, String target) {
        return Optional.ofNullable(data.submission()).flatMap(submission -> submission.column(target))
                .filter(column -> column.kind().equals("real") || column.kind().equals("constant")
                        && column.values().stream().anyMatch(value -> value.matches("[0-9]*\\.[0-9]+") && !WHOLE.matcher(value).matches()))
                .isPresent();
    }

    /// Which scores of a metric are better; empty if its name does not tell.
    static Optional<MetricDirection> direction(String metric) {
        String name = metric.toLowerCase(Locale.ROOT);
        return Metric.find(metric).map(Metric::direction)
                .or(() -> LESS_IS_BETTER.matcher(name).find() ? Optional.of(MetricDirection.MINIMIZE)
                        : MORE_IS_BETTER.matcher(name).find() ? Optional.of(MetricDirection.MAXIMIZE) : Optional.empty());
    }
}
