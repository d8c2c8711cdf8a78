package io.mlestar.app.draft;

import io.mlestar.core.task.MetricDirection;
import io.mlestar.show.grade.Metric;
import io.mlestar.show.render.Formats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The metric that the text of a competition names.
///
/// @param sentence where it stands, fit for one line
record DescribedMetric(String name, MetricDirection direction, String sentence) {
    private static final int LONGEST_SENTENCE = 160;
    private static final int LONGEST_TEXT = 1 << 18;
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*)$");
    private static final Pattern ABOUT_SCORES = Pattern.compile("(?i)evaluat|\\bmetrics?\\b|scor(?:ed|ing)");
    private static final Pattern BETWEEN_SENTENCES = Pattern.compile("(?<=[.!?])\\s|\\n\\s{0,9}\\n|\\n(?=\\s{0,9}[-*#|>])");

    /// How texts call a metric.
    private record Phrase(Pattern words, String name, MetricDirection direction) {
        static Phrase of(Metric metric, String words) {
            return new Phrase(Pattern.compile("(?i)" + words), metric.title(), metric.direction());
        }

        static Phrase of(String name, MetricDirection direction, String words) {
            return new Phrase(Pattern.compile("(?i)" + words), name, direction);
        }
    }

    private static final List<Phrase> PHRASES = List.of(
            Phrase.of(Metric.ROC_AUC, "\\bROC[- ]?AUC\\b|\\bAUC(?:[- ]?ROC)?\\b|\\bAUROC\\b"
                    + "|area under (?:the |an )?(?:receiver operating characteristic|\\[?ROC\\b)"),
            Phrase.of(Metric.LOG_LOSS, "\\blog(?:arithmic)?[- ]?loss\\b|cross[- ]?entropy"),
            Phrase.of(Metric.QWK, "quadratic(?:ally)?[- ]weighted kappa"),
            Phrase.of(Metric.RMSLE, "\\bRMSLE\\b|root[- ]mean[- ]squared?[- ]log(?:arithmic)?[- ]error"
                    + "|root[- ]mean[- ]squared?[- ]error[^.]{0,40}logarithm"),
            Phrase.of(Metric.RMSE, "\\bRMSE\\b|root[- ]mean[- ]squared?[- ]error"),
            Phrase.of(Metric.MAE, "\\bMAE\\b|mean absolute error"),
            Phrase.of(Metric.MACRO_F1, "macro[- ](?:averaged )?\\[?F1"),
            Phrase.of(Metric.F1, "\\bF1\\b"),
            Phrase.of(Metric.ACCURACY, "\\baccuracy\\b|percentage of (?:\\w+ ){0,3}correct"),
            Phrase.of("mean columnwise RMSE", MetricDirection.MINIMIZE, "\\bMCRMSE\\b|column-?wise root mean squared? error"),
            Phrase.of("log MAE", MetricDirection.MINIMIZE, "log(?:arithm)? of the mean absolute error"),
            Phrase.of("mean average precision", MetricDirection.MAXIMIZE, "mean average precision|\\bMAP\\s?@\\s?\\w+|\\bmAP\\b"),
            Phrase.of("label-ranking average precision", MetricDirection.MAXIMIZE, "label[- ]ranking average precision"),
            Phrase.of("micro-averaged F1", MetricDirection.MAXIMIZE, "micro[- ](?:averaged )?\\[?F1"),
            Phrase.of("F-beta score", MetricDirection.MAXIMIZE, "\\bF(?:0\\.5|2|-?beta)\\b"),
            Phrase.of("Dice coefficient", MetricDirection.MAXIMIZE, "\\bDice\\b"),
            Phrase.of("Jaccard score", MetricDirection.MAXIMIZE, "\\bJaccard\\b|intersection[- ]over[- ]union|\\bIoU\\b"),
            Phrase.of("Matthews correlation coefficient", MetricDirection.MAXIMIZE, "Matthews correlation"),
            Phrase.of("Pearson correlation", MetricDirection.MAXIMIZE, "\\bPearson\\b"),
            Phrase.of("Spearman correlation", MetricDirection.MAXIMIZE, "\\bSpearman\\b"),
            Phrase.of("normalized Gini", MetricDirection.MAXIMIZE, "\\bGini\\b"),
            Phrase.of("Laplace log likelihood", MetricDirection.MAXIMIZE, "Laplace log likelihood"),
            Phrase.of("Levenshtein distance", MetricDirection.MINIMIZE, "Levenshtein"),
            Phrase.of("word error rate", MetricDirection.MINIMIZE, "word error rate"),
            Phrase.of("mean angular error", MetricDirection.MINIMIZE, "mean angular error"),
            Phrase.of("distance error", MetricDirection.MINIMIZE, "distance error"),
            Phrase.of("classification error", MetricDirection.MINIMIZE, "classification error"),
            Phrase.of("Kullback-Leibler divergence", MetricDirection.MINIMIZE, "Kullback[- –]Leibler"),
            Phrase.of("Kendall tau correlation", MetricDirection.MAXIMIZE, "\\bKendall"));

    /// Looks first below headings that speak of evaluation, then at all sentences that do.
    static Optional<DescribedMetric> in(String description) {
        String text = description.length() > LONGEST_TEXT ? description.substring(0, LONGEST_TEXT) : description;
        return sections(text).stream().flatMap(BETWEEN_SENTENCES::splitAsStream).flatMap(said -> named(said).stream()).findFirst()
                .or(() -> BETWEEN_SENTENCES.splitAsStream(text).filter(said -> ABOUT_SCORES.matcher(said).find()).flatMap(said -> named(said).stream())
                        .findFirst());
    }

    /// What stands below each heading about scores, up to the next heading.
    private static List<String> sections(String text) {
        List<String> sections = new ArrayList<>();
        Matcher heading = HEADING.matcher(text);
        int begin = -1;
        while (heading.find()) {
            if (begin >= 0) {
                sections.add(text.substring(begin, heading.start()));
            }
            begin = ABOUT_SCORES.matcher(heading.group(1)).find() ? heading.end() : -1;
        }
        if (begin >= 0) {
            sections.add(text.substring(begin));
        }
        return sections;
    }

    private record Mention(Phrase phrase, int start, int end) {}

    /// The metric that is named first; of two that begin in one place the one with more words.
    private static Optional<DescribedMetric> named(String sentence) {
        String said = Formats.line(sentence, LONGEST_TEXT);
        return PHRASES.stream().flatMap(phrase -> phrase.words().matcher(said).results().limit(1).map(found -> new Mention(phrase, found.start(), found.end())))
                .min(Comparator.comparingInt(Mention::start).thenComparing(Mention::end, Comparator.reverseOrder())).map(Mention::phrase)
                .map(phrase -> new DescribedMetric(phrase.name(), phrase.direction(), Formats.clip(said, LONGEST_SENTENCE)));
    }
}
