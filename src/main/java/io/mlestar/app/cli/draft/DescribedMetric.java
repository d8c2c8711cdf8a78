package io.mlestar.app.cli.draft;

import io.mlestar.adapter.grade.Metric;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.show.render.Formats;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
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
    private static final Pattern SECTION = Pattern.compile("(?m)^(?=#{1,6} )");
    private static final Pattern ABOUT_SCORES =
            Pattern.compile("(?i)evaluat|\\bmetrics?\\b|scor(?:ed|ing)|\\bscores? (?:is|are)\\b");
    private static final Pattern BETWEEN_SENTENCES =
            Pattern.compile("(?<=[.!?])\\s|\\n\\s{0,9}\\n|\\n(?=\\s{0,9}[-*#|>])");

    private static final Pattern BETTER =
            Pattern.compile(
                    "(?i)\\b(?:(higher|larger|greater|bigger)|lower|smaller|less)( scores?| values?| ones?)? (?:is|are) better\\b");

    /// Metrics that cannot be graded here, but whose direction is known.
    private static final Set<String> LESS_IS_BETTER =
            names("""
                    log of the mean absolute error, logarithm of the mean absolute error, word error rate, mean angular error, distance error, Levenshtein,
                    Levenshtein distance, pinball loss, quantile loss, Kullback Leibler, Kullback Leibler divergence, KL divergence, perplexity, WMAE, WRMSE, WMAPE,
                    CRPS""");
    private static final Set<String> MORE_IS_BETTER =
            names("""
                    F beta, mean average precision, MAP@K, NDCG@K, label ranking average precision, Dice, Dice coefficient, intersection over union, IoU, Kendall,
                    Kendall tau, Kendall tau correlation, Laplace log likelihood""");

    private static Set<String> names(String list) {
        return Arrays.stream(list.split(","))
                .map(DescribedMetric::plain)
                .collect(Collectors.toUnmodifiableSet());
    }

    static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    /// Says which scores of a metric are better; empty if its name is not known.
    static Optional<MetricDirection> own(String metric) {
        String name = plain(metric).replaceFirst("(?<=.)score$", "");
        if (LESS_IS_BETTER.contains(name)) {
            return Optional.of(MetricDirection.MINIMIZE);
        }
        return MORE_IS_BETTER.contains(name)
                ? Optional.of(MetricDirection.MAXIMIZE)
                : Metric.find(metric).map(Metric::direction);
    }

    /// Says which scores are better, also of a variant or a mixture of known metrics; empty if
    /// these disagree or there are none.
    static Optional<MetricDirection> direction(String metric) {
        return own(metric).or(() -> {
            List<MetricDirection> each =
                    MetricMention.all(metric)
                            .stream()
                            .map(MetricMention::direction)
                            .distinct()
                            .toList();
            return each.size() == 1 ? Optional.of(each.getFirst()) : Optional.empty();
        });
    }

    /// Reads from a text which scores are better, e.g. "lower is better"; empty if it says both or
    /// neither.
    static Optional<MetricDirection> directionIn(String description) {
        Set<MetricDirection> said = BETTER.matcher(description)
                .results()
                .map(words -> words.group(1) == null
                        ? MetricDirection.MINIMIZE
                        : MetricDirection.MAXIMIZE)
                .collect(Collectors.toSet());
        return said.size() == 1 ? said.stream().findFirst() : Optional.empty();
    }

    /// Looks first below headings that speak of evaluation, then at all sentences that do.
    static Optional<DescribedMetric> in(String description) {
        String text = description.length() > LONGEST_TEXT
                ? description.substring(0, LONGEST_TEXT)
                : description;
        Stream<String> below =
                SECTION.splitAsStream(text)
                        .filter(section -> section.startsWith("#") && section.indexOf('\n') > 0)
                        .filter(section -> ABOUT_SCORES
                                .matcher(section.substring(0, section.indexOf('\n')))
                                .find())
                        .flatMap(section -> BETWEEN_SENTENCES
                                .splitAsStream(section.substring(section.indexOf('\n'))));
        Stream<String> elsewhere =
                BETWEEN_SENTENCES.splitAsStream(text)
                        .filter(sentence -> ABOUT_SCORES.matcher(sentence).find());
        return Stream.concat(below, elsewhere)
                .flatMap(sentence -> named(Formats.line(sentence, LONGEST_TEXT)).stream())
                .findFirst();
    }

    /// The metric that a sentence names first, unless the sentence denies it.
    private static Optional<DescribedMetric> named(String sentence) {
        return MetricMention.all(sentence)
                .stream()
                .filter(mention -> !mention.isDenied())
                .findFirst()
                .map(mention -> new DescribedMetric(mention.name(), mention.direction(),
                        Excerpt.clip(sentence, LONGEST_SENTENCE)));
    }
}
