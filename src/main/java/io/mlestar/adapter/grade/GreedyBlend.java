package io.mlestar.adapter.grade;

import io.mlestar.adapter.grade.Grading.Predicted;
import io.mlestar.adapter.grade.Grading.Submitted;
import io.mlestar.adapter.grade.HiddenLabels.Half;
import io.mlestar.adapter.grade.Metrics.Weighted;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Blend.How;
import io.mlestar.core.step.Blend;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Validation;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// Selects, from predictions of many scripts, those whose blend scores best. Two ways are compared: all with equal weight, but for those without which the
/// blend is surely better; and greedy selection, which begins with the best one and adds again and again the one that helps most (Caruana et al., Ensemble
/// selection from libraries of models, 2004). Greedy selection has to be better by far more than the error of the gain: on few rows it picks what was lucky, and
/// an even mean is the safer guess. It looks at the search rows alone, so the others can check it: there it has to be better, too.
public final class GreedyBlend {
    private static final int MOST_PICKS = 25;
    private static final int MOST_MEMBERS = 30;
    private static final int PATIENCE = 3;

    private GreedyBlend() {}

    /// A blend with its own scores.
    public record Blended(Blend blend, Validation validation) {}

    /// What the members predict for one part, as numbers: places in `classes` for a vote, else as they are, or their ranks.
    ///
    /// @param values by member, column and row
    private record Library(How how, double[][][] values, List<String> classes) {
        static Library of(How how, List<Table> members, Half part) {
            SequencedMap<String, Integer> places = new LinkedHashMap<>();
            int columns = members.getFirst().columns().size();
            return new Library(how, members.stream().map(member -> {
                Submitted given = part.of(member);
                return IntStream.range(0, columns).mapToObj(column -> switch (how) {
                    case MEAN -> given.numbers(column);
                    case RANK_MEAN -> ranks(given.numbers(column));
                    case VOTE -> Arrays.stream(Grading.classes(given.rows(), given.submission().firstValue() + column))
                            .mapToDouble(name -> places.computeIfAbsent(name, _ -> places.size()))
                            .toArray();
                }).toArray(double[][]::new);
            }).toArray(double[][][]::new), List.copyOf(places.keySet()));
        }

        /// @param weights how often each member counts
        Predicted blended(int[] weights) {
            int[] used = IntStream.range(0, weights.length).filter(member -> weights[member] > 0).toArray();
            return new Predicted() {
                @Override
                public double[] numbers(int column) {
                    return how == How.VOTE ? Arrays.stream(votes(column)).map(one -> Submissions.number(classes.get((int) one))).toArray() : means(column);
                }

                @Override
                public String[] classes() {
                    return Arrays.stream(votes(0)).mapToObj(one -> classes.get((int) one)).toArray(String[]::new);
                }

                private double[] means(int column) {
                    double[] means = new double[values[0][column].length];
                    double total = Arrays.stream(weights).sum();
                    for (int member : used) {
                        // Divided first: the sum of finite predictions may be none.
                        Arrays.setAll(means, row -> means[row] + weights[member] / total * values[member][column][row]);
                    }
                    return means;
                }

                private double[] votes(int column) {
                    int[] votes = new int[classes.size()];
                    return IntStream.range(0, values[0][column].length).mapToDouble(row -> {
                        for (int member : used) {
                            votes[(int) values[member][column][row]] += weights[member];
                        }
                        double chosen = values[used[0]][column][row];
                        for (int member : used) {
                            double one = values[member][column][row];
                            chosen = votes[(int) one] > votes[(int) chosen] ? one : chosen;
                        }
                        for (int member : used) {
                            votes[(int) values[member][column][row]] = 0;
                        }
                        return chosen;
                    }).toArray();
                }
            };
        }
    }

    /// @param predictions in the order of the weights; each was validated
    /// @param keys where they are stored; the blend's validation names the best one's
    /// @throws Invalid if there are none, or they cannot be scored
    public static Blended of(HiddenLabels labels, List<Table> predictions, List<String> keys) {
        if (predictions.isEmpty()) {
            throw new Invalid("there is nothing to blend");
        }
        List<String> columns = predictions.getFirst().columns();
        if (!predictions.stream().allMatch(one -> one.columns().equals(columns))) {
            throw new Invalid("predictions of different columns cannot be blended");
        }
        MetricDirection direction = labels.metric().direction();
        Function<Predicted, Weighted> metric = labels.metric(labels.search(), columns);
        ToDoubleFunction<Predicted> score = predicted -> metric.apply(predicted).score(labels.search().all());
        double[] alone = predictions.stream().mapToDouble(one -> score.applyAsDouble(labels.search().of(one))).toArray();
        int[] best = IntStream.range(0, alone.length).boxed().sorted(Comparator.comparing(i -> alone[i], direction.bestFirst())).limit(MOST_MEMBERS)
                .mapToInt(i -> i).toArray();
        String key = keys.get(best[0]);
        // As the blend's script holds them: of equal votes that of the first counts.
        Arrays.sort(best);
        List<Table> members = Arrays.stream(best).mapToObj(predictions::get).toList();
        return hows(labels.metric()).stream().map(how -> {
            Library library = Library.of(how, members, labels.search());
            ToDoubleFunction<int[]> search = weights -> score.applyAsDouble(library.blended(weights));
            Function<int[], Validation> validated = weights -> labels.validate(key, columns, part -> Library.of(how, members, part).blended(weights));
            int[] even = even(best.length, search, validated, direction);
            int[] greedy = pick(best.length, search, direction);
            Validation chosen = validated.apply(greedy);
            Validation mean = validated.apply(even);
            int[] picked = isBetter(chosen, mean, direction) && direction.isImprovement(chosen.select(), mean.select()) ? greedy : even;
            int[] weights = new int[alone.length];
            IntStream.range(0, best.length).forEach(i -> weights[best[i]] = picked[i]);
            return new Blended(new Blend(how, Arrays.stream(weights).boxed().toList(), labels.format()), validated.apply(picked));
        }).min(Comparator.comparing(one -> one.validation().search(), direction.bestFirst())).orElseThrow();
    }

    private static List<How> hows(Metric metric) {
        return switch (metric) {
            case ROC_AUC -> List.of(How.RANK_MEAN, How.MEAN);
            case LOG_LOSS, RMSE, RMSLE, MAE -> List.of(How.MEAN);
            case ACCURACY, F1, MACRO_F1, QWK -> List.of(How.VOTE);
        };
    }

    /// By more than twice the error of the gain: the best of many tries leads by luck.
    private static boolean isBetter(Validation one, Validation other, MetricDirection direction) {
        return direction.gain(one.search(), other.search()) > 2 * one.errorOfGain(other);
    }

    /// @return 1 for each member that stays, else 0
    private static int[] even(int members, ToDoubleFunction<int[]> score, Function<int[], Validation> validated, MetricDirection direction) {
        int[] kept = new int[members];
        Arrays.fill(kept, 1);
        Validation reached = validated.apply(kept);
        for (int left = members; left > 1; left--) {
            int[] all = kept;
            int[] fewer = IntStream.range(0, members).filter(member -> all[member] > 0).mapToObj(member -> {
                int[] others = all.clone();
                others[member] = 0;
                return others;
            }).min(Comparator.comparing(score::applyAsDouble, direction.bestFirst())).orElseThrow();
            Validation without = validated.apply(fewer);
            if (!isBetter(without, reached, direction)) {
                break;
            }
            kept = fewer;
            reached = without;
        }
        return kept;
    }

    /// Of equals the least picked is picked, then the first. Two votes are a tie, which changes nothing: so a few picks without a gain are tried.
    ///
    /// @param score of a blend, by how often each member counts
    /// @return how often each counts in the best blend on the way
    private static int[] pick(int members, ToDoubleFunction<int[]> score, MetricDirection direction) {
        int[] picked = new int[members];
        int[] best = picked;
        double reached = 0;
        int last = 0;
        for (int picks = 1; picks <= MOST_PICKS && picks <= last + PATIENCE; picks++) {
            double[] scores = IntStream.range(0, members).mapToDouble(member -> {
                int[] more = picked.clone();
                more[member]++;
                return score.applyAsDouble(more);
            }).toArray();
            int next = IntStream.range(0, members).boxed()
                    .min(Comparator.comparing((Integer member) -> scores[member], direction.bestFirst()).thenComparingInt(member -> picked[member]))
                    .orElseThrow();
            picked[next]++;
            if (picks == 1 || direction.isImprovement(scores[next], reached)) {
                best = picked.clone();
                reached = scores[next];
                last = picks;
            }
        }
        return best;
    }

    /// From 0 to 1; equal values have their mean rank.
    static double[] ranks(double[] values) {
        Integer[] order = IntStream.range(0, values.length).boxed().sorted(Comparator.comparingDouble(i -> values[i])).toArray(Integer[]::new);
        double[] ranks = new double[values.length];
        for (int from = 0; from < order.length;) {
            int to = from;
            while (to < order.length && values[order[to]] == values[order[from]]) {
                to++;
            }
            double rank = (from + to - 1) / 2.0 / Math.max(1, values.length - 1);
            for (; from < to; from++) {
                ranks[order[from]] = rank;
            }
        }
        return ranks;
    }
}
