package io.mlestar.show.grade;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Blend.How;
import io.mlestar.core.step.Blend;
import io.mlestar.core.task.Validation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Selects, from predictions of many scripts, those whose blend scores best: begins with the best one, adds again and again the one that helps most, and
/// stops when none helps (Caruana et al., Ensemble selection from libraries of models, 2004). It looks at the search rows alone, so the others can check it.
public final class GreedyBlend {
    private static final int MOST_PICKS = 20;
    private static final int MOST_MEMBERS = 20;

    private final HiddenLabels labels;
    private final List<Grading> members;
    private final How how;

    /// A blend with its own scores.
    public record Blended(Blend blend, Validation validation) {}

    private GreedyBlend(HiddenLabels labels, List<Grading> members, How how) {
        this.labels = labels;
        this.members = members;
        this.how = how;
    }

    /// @param predictions in the order of the weights
    /// @param keys where they are stored; the blend's validation names the best member's
    /// @throws Invalid if there are none, or they cannot be scored
    public static Blended of(HiddenLabels labels, List<Table> predictions, List<String> keys) {
        List<Grading> members = predictions.stream().map(table -> Grading.of(table, labels.labels())).toList();
        return hows(labels.metric()).stream().map(how -> new GreedyBlend(labels, members, how).blended(keys))
                .min(Comparator.comparing(one -> one.validation().search(), labels.metric().direction().bestFirst()))
                .orElseThrow(() -> new Invalid("there is nothing to blend"));
    }

    private static List<How> hows(Metric metric) {
        return switch (metric) {
            case ROC_AUC -> List.of(How.RANK_MEAN, How.MEAN);
            case LOG_LOSS, RMSE, RMSLE, MAE -> List.of(How.MEAN);
            case ACCURACY, F1, MACRO_F1, QWK -> List.of(How.VOTE);
        };
    }

    private Blended blended(List<String> keys) {
        Map<Integer, Double> alone = new LinkedHashMap<>();
        IntStream.range(0, members.size()).forEach(i -> alone.put(i, labels.search(members.get(i))));
        List<Integer> ranked =
                alone.keySet().stream().sorted(Comparator.comparing(alone::get, labels.metric().direction().bestFirst())).limit(MOST_MEMBERS).toList();
        if (ranked.isEmpty()) {
            throw new Invalid("there is nothing to blend");
        }
        int[] weights = new int[members.size()];
        weights[ranked.getFirst()] = 1;
        double best = alone.get(ranked.getFirst());
        boolean better = true;
        for (int picks = 1; better && picks < MOST_PICKS; picks++) {
            better = false;
            int chosen = -1;
            for (int candidate : ranked) {
                weights[candidate]++;
                double score = labels.search(together(weights));
                weights[candidate]--;
                if (labels.metric().direction().isImprovement(score, best)) {
                    best = score;
                    chosen = candidate;
                    better = true;
                }
            }
            if (better) {
                weights[chosen]++;
            }
        }
        return new Blended(new Blend(how, Arrays.stream(weights).boxed().toList()), labels.validate(together(weights), keys.get(ranked.getFirst())));
    }

    /// The rows of the blend in the order of the labels.
    private Grading together(int[] weights) {
        List<Integer> used = IntStream.range(0, weights.length).filter(i -> weights[i] > 0).boxed().toList();
        Grading first = members.get(used.getFirst());
        if (used.size() == 1) {
            return first;
        }
        int columns = first.submission().header().size();
        List<List<String>> rows = new ArrayList<>();
        first.predicted().forEach(fields -> rows.add(new ArrayList<>(fields)));
        for (int column = 1; column < columns; column++) {
            int at = column;
            List<String> blended = how == How.VOTE ? votes(used, weights, at) : means(used, weights, at);
            IntStream.range(0, rows.size()).forEach(row -> rows.get(row).set(at, blended.get(row)));
        }
        return first.with(rows);
    }

    private List<String> votes(List<Integer> used, int[] weights, int column) {
        return IntStream.range(0, members.getFirst().predicted().size()).mapToObj(row -> {
            Map<String, Integer> votes = new LinkedHashMap<>();
            used.forEach(member -> votes.merge(members.get(member).predicted().get(row).get(column).strip(), weights[member], Integer::sum));
            return votes.entrySet().stream().reduce((one, other) -> other.getValue() > one.getValue() ? other : one).orElseThrow().getKey();
        }).toList();
    }

    private List<String> means(List<Integer> used, int[] weights, int column) {
        double[] sums = new double[members.getFirst().predicted().size()];
        double total = Arrays.stream(weights).sum();
        for (int member : used) {
            double[] values = members.get(member).predicted().stream().mapToDouble(fields -> Submissions.number(fields.get(column).strip())).toArray();
            double[] counted = how == How.RANK_MEAN ? ranks(values) : values;
            Arrays.setAll(sums, row -> sums[row] + weights[member] * counted[row]);
        }
        return Arrays.stream(sums).mapToObj(sum -> Double.toString(sum / total)).toList();
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
