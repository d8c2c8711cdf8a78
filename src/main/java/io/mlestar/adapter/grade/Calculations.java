package io.mlestar.adapter.grade;

import io.mlestar.adapter.grade.ClassMetrics.Average;
import io.mlestar.adapter.grade.ClassMetrics.Counting;
import io.mlestar.adapter.grade.ClassMetrics.Counts;
import io.mlestar.adapter.grade.Grading.Calculation;
import io.mlestar.adapter.grade.Grading.LabelColumn;
import io.mlestar.adapter.grade.Grading.Scorer;
import io.mlestar.adapter.grade.Metrics.WeightedScore;
import io.mlestar.adapter.grade.RankMetrics.Lists;
import io.mlestar.core.base.Invalid;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// Applies scores to the columns of a submission.
final class Calculations {
    /// A score of one column; as competitions with several targets are scored, the mean over the
    /// submission's columns counts.
    interface Numbers {
        WeightedScore score(double[] truth, double[] predicted);
    }

    /// A score of lists of labels, of which the first so many count.
    interface ListScore {
        WeightedScore score(int most, Lists lists);
    }

    private Calculations() {}

    static Calculation byColumn(Numbers metric) {
        return grading -> {
            List<LabelColumn> present = grading.present();
            List<double[]> truth = present.stream().map(grading::column).toList();
            return predicted -> mean(present.stream().map(column -> {
                double[] given = column.of(predicted.numbers(column.number()));
                return column.score(metric.score(truth.get(column.number()), given));
            }).toList());
        };
    }

    /// The mean over the columns on which the score is defined, which the labels decide.
    private static WeightedScore mean(List<WeightedScore> columns) {
        if (columns.size() == 1) {
            return columns.getFirst();
        }
        return weights -> {
            double sum = 0;
            int defined = 0;
            Invalid undefined = new Invalid("the score is not defined: there are no rows");
            for (WeightedScore column : columns) {
                try {
                    sum += column.score(weights);
                    defined++;
                } catch (Invalid e) {
                    undefined = e;
                }
            }
            if (defined == 0) {
                throw undefined;
            }
            return sum / defined;
        };
    }

    static Calculation byClasses(ToDoubleFunction<Counts> metric) {
        return grading -> {
            List<LabelColumn> present =
                    grading.isWide() ? grading.present() : grading.present().subList(0, 1);
            List<String[]> truth = present.stream().map(grading::labels).toList();
            return predicted -> mean(present.stream().map(column -> {
                String[] given = column.of(predicted.classes(column.number()));
                return column.score(scored(metric,
                        ClassMetrics.ofClasses(List.of(), truth.get(column.number()), given)));
            }).toList());
        };
    }

    /// Several columns of 0 and 1 are labels of which a row may have any number.
    static Calculation byLabels(ToDoubleFunction<Counts> metric, Average average) {
        return grading -> {
            boolean isWide = grading.isWide();
            LabelColumn[] columns =
                    grading.present()
                            .subList(0, isWide ? grading.columns().size() : 1)
                            .toArray(LabelColumn[]::new);
            String[][] truth = Arrays.stream(columns).map(grading::all).toArray(String[][]::new);
            boolean isBinary = average == Average.BINARY || isWide;
            if (isBinary && !Arrays.stream(truth)
                    .flatMap(Arrays::stream)
                    .allMatch(label -> label.matches("|0|1"))) {
                throw new Invalid(
                        "the metric needs labels 0 and 1, or true and false; for other classes take its macro average, such as macro F1");
            }
            return predicted -> {
                String[][] given = Arrays.stream(columns)
                        .map(column -> predicted.classes(column.number()))
                        .toArray(String[][]::new);
                return scored(metric, isWide
                        ? ClassMetrics.ofLabels(truth, known(truth, given))
                        : ClassMetrics.ofClasses(isBinary ? List.of("1") : List.of(), truth[0],
                                given[0]));
            };
        };
    }

    /// Blanks the predictions of rows without a label, which do not count.
    private static String[][] known(String[][] truth, String[][] given) {
        return IntStream.range(0, truth.length)
                .mapToObj(column -> IntStream.range(0, truth[column].length)
                        .mapToObj(row -> truth[column][row].isEmpty() ? "" : given[column][row])
                        .toArray(String[]::new))
                .toArray(String[][]::new);
    }

    private static WeightedScore scored(ToDoubleFunction<Counts> metric, Counting counting) {
        return weights -> metric.applyAsDouble(counting.count(weights));
    }

    /// One column of probabilities for the class 1; or one for each class, with its name; or one
    /// for each of several labels.
    ///
    /// @param byColumn whether several columns are labels of their own, also if each row has one of
    ///   them
    static Calculation logLoss(boolean byColumn) {
        return grading -> {
            if (grading.isWide() && (byColumn || !grading.isOneHot())) {
                return byColumn(Metrics::binaryLogLoss).of(grading);
            }
            int[] indices = grading.places();
            int width = grading.columns().size();
            return predicted -> {
                double[][] given = IntStream.range(0, width)
                        .mapToObj(predicted::numbers)
                        .toArray(double[][]::new);
                double[][] probabilities = IntStream.range(0, indices.length)
                        .mapToObj(i -> width == 1
                                ? new double[] {1 - given[0][i], given[0][i]}
                                : Arrays.stream(given).mapToDouble(column -> column[i]).toArray())
                        .toArray(double[][]::new);
                return Metrics.logLoss(indices, probabilities);
            };
        };
    }

    /// The Brier score. Columns of classes give the sum over the classes, two classes half of it.
    static Calculation brier() {
        Calculation mean = byColumn(Metrics::brier);
        return grading -> {
            int width = grading.columns().size();
            int factor = width < 3 || grading.isWide() && !grading.isOneHot() ? 1 : width;
            Scorer score = mean.of(grading);
            return predicted -> {
                WeightedScore one = score.apply(predicted);
                return weights -> factor * one.score(weights);
            };
        };
    }

    /// Lists of labels in one column, with blanks between them, or one column for each label.
    static Calculation byLists(ListScore score, int most) {
        return grading -> {
            List<List<String>> truth = grading.lists();
            List<String> names =
                    grading.columns().size() == 1 || grading.isWide()
                            ? grading.columns()
                            : grading.classes();
            return predicted -> score.score(most, new Lists(truth, grading.columns().size() == 1
                    ? Arrays.stream(predicted.classes(0)).map(Grading::list).toList()
                    : ordered(predicted, names, truth.size())));
        };
    }

    private static List<List<String>> ordered(Predictions predicted, List<String> names, int rows) {
        double[][] given = IntStream.range(0, names.size())
                .mapToObj(predicted::numbers)
                .toArray(double[][]::new);
        return IntStream.range(0, rows).mapToObj(row -> {
            int[] order = NumberMetrics
                    .order(Arrays.stream(given).mapToDouble(column -> -column[row]).toArray());
            return Arrays.stream(order).mapToObj(names::get).toList();
        }).toList();
    }

    /// Each row counts as much as a column of the labels says.
    static Calculation weighted(Calculation plain, String column) {
        return grading -> {
            double[] own = grading.extra(column, "weights");
            if (Arrays.stream(own).anyMatch(weight -> weight < 0)) {
                throw new Invalid("the weights in column " + column + " must be 0 or more");
            }
            Scorer score = plain.of(grading);
            return predicted -> {
                WeightedScore one = score.apply(predicted);
                return weights -> one.score(IntStream.range(0, own.length)
                        .mapToDouble(i -> own[i] * weights[i])
                        .toArray());
            };
        };
    }

    /// The mean over groups that a column of the labels names, of those on which it is defined.
    static Calculation byGroups(Calculation plain, String column) {
        return grading -> {
            String[] group = Grading.classes(grading.labels(), grading.truth(),
                    grading.place(column, "groups"));
            List<String> groups = Arrays.stream(group).distinct().toList();
            Scorer score = plain.of(grading);
            return predicted -> {
                WeightedScore one = score.apply(predicted);
                return weights -> mean(groups, group, one, weights);
            };
        };
    }

    /// A group that a resample has twice counts twice.
    private static double mean(
            List<String> groups,
            String[] group,
            WeightedScore score,
            double[] weights) {
        double sum = 0;
        double total = 0;
        for (String each : groups) {
            double[] own =
                    IntStream.range(0, group.length)
                            .mapToDouble(i -> group[i].equals(each) ? weights[i] : 0)
                            .toArray();
            double share =
                    Arrays.stream(own).sum() / Arrays.stream(group).filter(each::equals).count();
            try {
                sum += share > 0 ? share * score.score(own) : 0;
                total += share;
            } catch (Invalid e) {
                // A group of one class only has no score, for example.
            }
        }
        if (!(total > 0)) {
            throw new Invalid("the score is not defined for any group");
        }
        return sum / total;
    }
}
