package io.mlestar.app.cli.draft;

import io.mlestar.adapter.grade.Metric;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.show.render.Formats;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The metric that a text calls by a usual name.
///
/// @param name as it is graded here, or else as the text has it
/// @param sentence where it stands, fit for one line
record DescribedMetric(String name, MetricDirection direction, String sentence) {
    private static final int LONGEST_SENTENCE = 160;
    private static final int LONGEST_TEXT = 1 << 18;
    private static final int MOST_WORDS = 7;
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]+");
    private static final Pattern SECTION = Pattern.compile("(?m)^(?=#{1,6} )");
    private static final Pattern ABOUT_SCORES = Pattern.compile("(?i)evaluat|\\bmetrics?\\b|scor(?:ed|ing)");
    private static final Pattern BETWEEN_SENTENCES = Pattern.compile("(?<=[.!?])\\s|\\n\\s{0,9}\\n|\\n(?=\\s{0,9}[-*#|>])");

    private static final Pattern BETTER =
            Pattern.compile("(?i)\\b(?:(higher|larger|greater|bigger)|lower|smaller|less)( scores?| values?| ones?)? (?:is|are) better\\b");

    /// Metrics that cannot be graded here, but whose direction is known.
    private static final Set<String> LESS_IS_BETTER = names("""
            column wise root mean squared error, mean column wise root mean squared error, columnwise root mean squared error, MCRMSE, mean squared error, MSE,
            log of the mean absolute error, logarithm of the mean absolute error, median absolute error, mean absolute percentage error, MAPE, SMAPE,
            classification error, error rate, word error rate, mean angular error, distance error, Levenshtein, Levenshtein distance, pinball loss, Brier score,
            Kullback Leibler, Kullback Leibler divergence, KL divergence, perplexity""");
    private static final Set<String> MORE_IS_BETTER = names("""
            micro F1, micro averaged F1, weighted F1, F beta, F2, F0.5, balanced accuracy, average precision, mean average precision,
            MAP@K, MAP@1, MAP@3, MAP@5, MAP@7, MAP@10, MAP@12, MAP@20, MAP@25, MAP@100, label ranking average precision, Dice, Dice coefficient, Jaccard,
            intersection over union, IoU, Matthews correlation, Matthews correlation coefficient, MCC, R2, Gini, normalized Gini, Pearson, Pearson correlation,
            Spearman, Spearman correlation, Kendall, Kendall tau, Kendall tau correlation, Laplace log likelihood, NDCG""");

    private static Set<String> names(String list) {
        return Arrays.stream(list.split(",")).map(DescribedMetric::plain).collect(Collectors.toUnmodifiableSet());
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    /// Which scores of a metric are better; empty if its name is not known.
    static Optional<MetricDirection> direction(String metric) {
        String name = plain(metric).replaceFirst("(?<=.)score$", "");
        return Metric.find(metric).map(Metric::direction).or(() -> LESS_IS_BETTER.contains(name) ? Optional.of(MetricDirection.MINIMIZE)
                : MORE_IS_BETTER.contains(name) ? Optional.of(MetricDirection.MAXIMIZE) : Optional.empty());
    }

    /// Which scores are better, as a text says it, e.g. "lower is better"; empty if it says both or neither.
    static Optional<MetricDirection> directionIn(String description) {
        Set<MetricDirection> said = BETTER.matcher(description).results()
                .map(words -> words.group(1) == null ? MetricDirection.MINIMIZE : MetricDirection.MAXIMIZE).collect(Collectors.toSet());
        return said.size() == 1 ? said.stream().findFirst() : Optional.empty();
    }

    /// Looks first below headings that speak of evaluation, then at all sentences that do.
    static Optional<DescribedMetric> in(String description) {
        String text = description.length() > LONGEST_TEXT ? description.substring(0, LONGEST_TEXT) : description;
        Stream<String> below = SECTION.splitAsStream(text).filter(section -> section.startsWith("#") && section.indexOf('\n') > 0)
                .filter(section -> ABOUT_SCORES.matcher(section.substring(0, section.indexOf('\n'))).find())
                .flatMap(section -> BETWEEN_SENTENCES.splitAsStream(section.substring(section.indexOf('\n'))));
        Stream<String> elsewhere = BETWEEN_SENTENCES.splitAsStream(text).filter(sentence -> ABOUT_SCORES.matcher(sentence).find());
        return Stream.concat(below, elsewhere).flatMap(sentence -> named(Formats.line(sentence, LONGEST_TEXT)).stream()).findFirst();
    }

    /// The metric that a sentence names first; of several names that begin with one word the longest.
    private static Optional<DescribedMetric> named(String sentence) {
        List<MatchResult> words = WORD.matcher(sentence).results().toList();
        for (int first = 0; first < words.size(); first++) {
            for (int last = Math.min(first + MOST_WORDS, words.size()) - 1; last >= first; last--) {
                String name = sentence.substring(words.get(first).start(), words.get(last).end());
                Optional<MetricDirection> direction = direction(name);
                if (direction.isPresent()) {
                    return Optional.of(new DescribedMetric(title(name, sentence), direction.get(), Formats.clip(sentence, LONGEST_SENTENCE)));
                }
            }
        }
        return Optional.empty();
    }

    /// Texts call the RMSLE "the RMSE between the logarithms", too.
    private static String title(String name, String sentence) {
        return Metric.find(name).map(metric -> metric == Metric.RMSE && sentence.contains("logarithm") ? Metric.RMSLE : metric).map(Metric::title).orElse(name);
    }
}
