package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.writer.CsvWriter;
import io.mlestar.adapter.grade.Grading.Scorer;
import io.mlestar.adapter.grade.Predictions.SubmittedRows;
import io.mlestar.adapter.grade.ProgramValidation.WantedScores;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Blend.How;
import io.mlestar.core.step.Blend;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Validation;
import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Selects, from predictions of many scripts, those whose blend scores best. Half of the weight is
/// even: on all, but for those without which the blend is surely better. The other half is that of
/// greedy selection, which begins with the best one and adds again and again the one that helps
/// most (Caruana et al., Ensemble selection from libraries of models, 2004). Alone, the one keeps
/// clones and weak members, and the other picks what was lucky on few rows. A median or a vote is
/// even. All look at the search rows; on the others, too, the blend must not be surely worse than
/// its best member.
public final class GreedyBlend {
    private static final int MOST_PICKS = 25;
    private static final int MOST_MEMBERS = 30;
    private static final int FEWEST_MEMBERS = 5;
    private static final int PATIENCE = 3;
    /// Members by which the means are compared.
    private static final int MOST_TRIED = 5;

    private GreedyBlend() {}

    /// BlendScores of blends, by how often each member counts.
    private interface BlendScores {
        double[] of(List<int[]> many);
    }

    /// A blend with its own scores.
    public record ValidatedBlend(Blend blend, Validation validation) {}

    /// @param predictions in the order of the weights; each was validated
    /// @param keys where they are stored; the blend's validation names the best one's
    /// @throws Invalid if there are none, or they cannot be scored
    public static ValidatedBlend of(
            HiddenLabels labels,
            List<Table> predictions,
            List<String> keys) {
        if (predictions.isEmpty()) {
            throw new Invalid("there is nothing to blend");
        }
        List<String> columns = predictions.getFirst().columns();
        if (!predictions.stream().allMatch(one -> one.columns().equals(columns))) {
            throw new Invalid("predictions of different columns cannot be blended");
        }
        MetricDirection direction = labels.metric().direction();
        Scorer metric = labels.metric(labels.search(), columns);
        double[] ones = labels.search().all();
        List<SubmittedRows> ofSearch = predictions.stream().map(labels.search()::of).toList();
        double[] scores = known(metric.each(List.copyOf(ofSearch), ones), direction);
        int all = predictions.size();
        List<Integer> byScore = IntStream.range(0, all)
                .boxed()
                .sorted(Comparator.comparing(i -> scores[i], direction.bestFirst()))
                .toList();
        How how = how(labels.metric(), metric,
                byScore.stream().limit(MOST_TRIED).map(ofSearch::get).toList(), ones);
        BlendMembers search = BlendMembers.of(how, ofSearch.stream());
        BlendMembers select = BlendMembers.of(how, predictions.stream().map(labels.select()::of));
        BlendScores score =
                many -> known(metric.each(many.stream().map(search::blended).toList(), ones),
                        direction);
        // A metric that takes long is asked less often.
        int most = Math.clamp(labels.draws().number(), FEWEST_MEMBERS, MOST_MEMBERS);
        List<Integer> members = new ArrayList<>();
        for (int member : byScore) {
            if (members.size() < most && members.stream()
                    .noneMatch(other -> search.areEqual(member, other)
                            && select.areEqual(member, other))) {
                members.add(member);
            }
        }
        int best = members.getFirst();
        BiFunction<int[], WantedScores, Validation> validated =
                (weights, wanted) -> labels.validate(keys.get(best), columns,
                        part -> (part.equals(labels.search()) ? search : select).blended(weights),
                        wanted);
        Collections.sort(members);
        int[] even = even(members, all, score,
                weights -> validated.apply(weights, WantedScores.SEARCH), direction);
        // A half that goes to one member would be all of a median or a vote.
        int[] weights = how == How.MEDIAN || how == How.VOTE
                ? even
                : mean(even, greedy(members, all, score, direction, Math.min(MOST_PICKS, most)));
        Validation blended = validated.apply(weights, WantedScores.ALL);
        int[] single = changed(new int[all], best, 1);
        Validation alone = validated.apply(single, WantedScores.ALL);
        boolean isWorse = blended.isSurelyWorse(alone, direction)
                || blended.isSurelyWorseOnSelect(alone, direction);
        return new ValidatedBlend(
                new Blend(how, Arrays.stream(isWorse ? single : weights).boxed().toList(),
                        labels.format()),
                isWorse ? alone : blended);
    }

    /// Blends the predictions of the members into a submission in the form of the first member's.
    ///
    /// @param wanted whether the row of an id is blended
    /// @param read gives the predictions of a member that counts, by its number
    /// @throws Invalid if they cannot be blended
    public static byte[] predictions(
            Blend blend,
            IntFunction<byte[]> read,
            Predicate<String> wanted) {
        int[] used = IntStream.range(0, blend.weights().size())
                .filter(i -> blend.weights().get(i) > 0)
                .toArray();
        IntFunction<Table> table =
                member -> Table.of("predictions", new ByteArrayInputStream(read.apply(member)),
                        blend.format().delimiter(), blend.format().keys(), wanted);
        Table first = table.apply(used[0]);
        // Tables are read one at a time: for a large test, numbers take far less room.
        BlendMembers members =
                BlendMembers.of(blend.how(), Arrays.stream(used).boxed().map(member -> {
                    Table one = member == used[0] ? first : table.apply(member);
                    if (!one.columns().equals(first.columns())
                            || !one.rows().keySet().containsAll(first.rows().keySet())) {
                        throw new Invalid(
                                "predictions of different columns or rows cannot be blended");
                    }
                    return new SubmittedRows(one,
                            first.rows().keySet().stream().map(one.rows()::get).toList());
                }));
        int[] weights = Arrays.stream(used).map(blend.weights()::get).toArray();
        List<double[]> columns =
                IntStream.range(0, first.columns().size())
                        .mapToObj(column -> members.column(weights, column))
                        .toList();
        StringWriter text = new StringWriter();
        CsvWriter writer = CsvWriter.builder()
                .fieldSeparator(blend.format().delimiter())
                .bufferSize(0)
                .build(text);
        writer.writeRecord(first.header());
        int place = 0;
        for (CsvRecord row : first.rows().values()) {
            int at = place++;
            writer.writeRecord(Stream
                    .concat(row.getFields().stream().limit(first.firstValue()),
                            columns.stream()
                                    .map(column -> blend.how() == How.VOTE
                                            ? members.spellings().get((int) column[at])
                                            : Double.toString(column[at])
                                                    .replace('.', blend.format().decimal())))
                    .toList());
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// Chooses the kind of mean. For a metric that is not known here it is the one by which the
    /// even blend of the best members has the best score.
    private static How how(Metric metric, Scorer scorer, List<SubmittedRows> best, double[] ones) {
        if (!metric.traits().isOfProgram() || metric.blend(1) == How.VOTE || best.size() < 2) {
            return metric.blend(best.getFirst().submission().columns().size());
        }
        int[] even = IntStream.range(0, best.size()).map(_ -> 1).toArray();
        List<How> tried =
                MetricProgram.areLabels(best.stream().map(SubmittedRows::submission).toList())
                        ? List.of(How.VOTE, How.MEDIAN)
                        : List.of(How.MEAN, How.MEDIAN, How.RANK_MEAN);
        double[] scores = scorer.each(tried.stream()
                .map(how -> BlendMembers.of(how, best.stream()).blended(even))
                .toList(), ones);
        return tried.get(best(known(scores, metric.direction()), metric.direction()));
    }

    /// Puts the worst score where one is not defined.
    private static double[] known(double[] scores, MetricDirection direction) {
        double worst = direction == MetricDirection.MAXIMIZE
                ? Double.NEGATIVE_INFINITY
                : Double.POSITIVE_INFINITY;
        return Arrays.stream(scores).map(score -> Double.isNaN(score) ? worst : score).toArray();
    }

    /// The mean of both, each as shares of its sum.
    private static int[] mean(int[] even, int[] greedy) {
        int evens = Arrays.stream(even).sum();
        int picks = Arrays.stream(greedy).sum();
        int[] sums = IntStream.range(0, even.length)
                .map(i -> even[i] * picks + greedy[i] * evens)
                .toArray();
        int common =
                Arrays.stream(sums)
                        .mapToObj(BigInteger::valueOf)
                        .reduce(BigInteger.ZERO, BigInteger::gcd)
                        .intValue();
        return Arrays.stream(sums).map(sum -> sum / common).toArray();
    }

    /// A member goes if the blend is better without it by more than twice the error of the gain:
    /// the best of many tries leads by luck.
    ///
    /// @return 1 for each member that stays, else 0
    private static int[] even(
            List<Integer> members,
            int all,
            BlendScores score,
            Function<int[], Validation> validated,
            MetricDirection direction) {
        int[] kept = new int[all];
        members.forEach(member -> kept[member] = 1);
        Validation reached = validated.apply(kept);
        for (int left = members.size(); left > 1; left--) {
            List<Integer> staying = members.stream().filter(member -> kept[member] > 0).toList();
            double[] scores =
                    score.of(staying.stream().map(member -> changed(kept, member, -1)).toList());
            int worst = staying.get(best(scores, direction));
            Validation without = validated.apply(changed(kept, worst, -1));
            if (!reached.isSurelyWorse(without, direction)) {
                break;
            }
            kept[worst] = 0;
            reached = without;
        }
        return kept;
    }

    /// Picks members one by one, always the one that makes the best blend; of equals the least
    /// picked one, then the first. Two votes are a tie, which changes nothing: so a few picks
    /// without a gain are tried.
    ///
    /// @param score of a blend, by how often each member counts
    /// @param most picks
    /// @return how often each counts in the best blend on the way
    private static int[] greedy(
            List<Integer> members,
            int all,
            BlendScores score,
            MetricDirection direction,
            int most) {
        int[] picked = new int[all];
        int[] best = picked;
        double reached = 0;
        int last = 0;
        for (int picks = 1; picks <= most && picks <= last + PATIENCE; picks++) {
            double[] scores = new double[all];
            double[] each =
                    score.of(members.stream().map(member -> changed(picked, member, 1)).toList());
            IntStream.range(0, each.length)
                    .forEach(place -> scores[members.get(place)] = each[place]);
            int next =
                    members.stream()
                            .min(Comparator
                                    .comparing((Integer member) -> scores[member],
                                            direction.bestFirst())
                                    .thenComparingInt(member -> picked[member]))
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

    /// The place of the best score; the first of equals.
    private static int best(double[] scores, MetricDirection direction) {
        return IntStream.range(0, scores.length)
                .boxed()
                .min(Comparator.comparing(place -> scores[place], direction.bestFirst()))
                .orElseThrow();
    }

    private static int[] changed(int[] weights, int member, int by) {
        int[] others = weights.clone();
        others[member] += by;
        return others;
    }
}
