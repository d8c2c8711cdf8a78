package io.mlestar.adapter.grade;

import io.mlestar.adapter.grade.ClassMetrics.Average;
import io.mlestar.core.step.Blend.How;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the names of metrics as people and competitions write them.
final class MetricNames {
    private static final Pattern WEIGHTS = Pattern.compile(
            "(?i)^(.+?)[ ,]+weighted by (?:the )?(?:weights? (?:in|of) )?(?:the )?(?:column )?[`'\"]?(\\w+)[`'\"]?$");
    private static final Pattern GROUPS =
            Pattern.compile(
                    "(?i)^(?:the )?(?:mean|average)(?: of)?(?: the)? (.+?) (?:by|per|at each|for each|of each|within each|in each) "
                            + "(?:column )?[`'\"]?(\\w+)[`'\"]?$");
    private static final Pattern COLUMNS =
            Pattern.compile(
                    "^(?:(?:mean|average)(?:ofthe)?columnwise(?:mean)?|columnwise(?:mean)?|mc(?=rmse|rmsle|mae))(.+)");

    private static final Pattern NOISE =
            Pattern.compile("\\b(?:the|a|an)\\b|\\.(?!\\d)|[^a-z0-9.]");
    private static final Pattern ENDING = Pattern.compile("(?<=.)(?:score|metric)$");
    private static final int LONGEST = 120;

    private static final List<String> TITLES = new ArrayList<>();
    private static final Map<String, Metric> PLAIN = new LinkedHashMap<>();
    private static final Map<Pattern, Function<MatchResult, Optional<Metric>>> FAMILIES =
            new LinkedHashMap<>();

    static {
        plain(Metric.ROC_AUC,
                "auc, aucroc, auroc, area under roc curve, areas under roc curves, area under receiver operating characteristic, "
                        + "area under receiver operating characteristic curve");
        plain(Metric.LOG_LOSS,
                "logarithmic loss, cross entropy, binary cross entropy, multiclass log loss, multiclass logarithmic loss");
        plain(Metric.ACCURACY, "accuracy score, categorization accuracy");
        plain(averaged("F1", 1, Average.BINARY), "binary F1, F1 binary");
        plain(Metric.MACRO_F1, "F1 macro, macro averaged F1");
        plain(averaged("micro F1", 1, Average.MICRO), "F1 micro, micro averaged F1");
        plain(averaged("weighted F1", 1, Average.WEIGHTED),
                "F1 weighted, weighted averaged F1, weighted average F1");
        plain(Metric.maximized("balanced accuracy", How.VOTE,
                Calculations.byClasses(ClassMetrics::balancedAccuracy)), "");
        plain(Metric.maximized("MCC", How.VOTE, Calculations.byClasses(ClassMetrics::mcc))
                .guessed(0),
                "Matthews correlation, Matthews correlation coefficient, Matthews corrcoef, Matthews correlation coefficient MCC");
        plain(Metric
                .maximized("quadratic weighted kappa", How.VOTE,
                        Calculations.byColumn(Metrics::quadraticWeightedKappa))
                .guessed(0),
                "QWK, quadratically weighted kappa, quadratic weighted kappa QWK, quadratic kappa");
        plain(Metric
                .maximized("linear weighted kappa", How.VOTE,
                        Calculations.byColumn(NumberMetrics::linearKappa))
                .guessed(0), "linearly weighted kappa, linear kappa");
        plain(Metric
                .maximized("Cohen's kappa", How.VOTE, Calculations.byClasses(ClassMetrics::kappa))
                .guessed(0), "kappa, Cohen kappa, unweighted kappa");
        plain(Metric.minimized("hamming loss", How.VOTE,
                Calculations.byClasses(counts -> 1 - ClassMetrics.accuracy(counts))),
                "hamming, classification error, misclassification rate, error rate");
        plain(jaccard("Jaccard", Average.BINARY),
                "Jaccard index, Jaccard similarity, binary Jaccard");
        plain(jaccard("macro Jaccard", Average.MACRO), "Jaccard macro, macro averaged Jaccard");
        plain(Metric.maximized("average precision", How.RANK_MEAN,
                Calculations.byColumn(RankMetrics::averagePrecision)),
                "area under precision recall curve, AUPRC, PR AUC, AUC PR, AUCPR");
        plain(Metric.maximized("Gini", How.RANK_MEAN, Calculations.byColumn(Metrics::gini))
                .guessed(0), "normalized Gini, normalized Gini coefficient, Gini coefficient");
        plain(Metric.minimized("Brier", How.MEAN, Calculations.brier()),
                "Brier score loss, Brier loss");
        plain(Metric.RMSE,
                "root mean squared error, root mean square error, root mean squared error RMSE");
        plain(Metric.RMSLE, "root mean squared logarithmic error, root mean squared log error");
        plain(Metric.minimized("MAE", How.MEDIAN, Calculations.byColumn(Metrics::mae)),
                "mean absolute error");
        plain(Metric.minimized("MSE", How.MEAN, Calculations.byColumn(NumberMetrics::meanSquare)),
                "mean squared error, mean square error");
        plain(Metric.minimized("MedAE", How.MEDIAN,
                Calculations.byColumn(NumberMetrics::medianError)), "median absolute error");
        plain(Metric.minimized("MAPE", How.MEDIAN, Calculations.byColumn(NumberMetrics::mape)),
                "mean absolute percentage error, mean absolute percent error");
        plain(Metric.minimized("SMAPE", How.MEDIAN, Calculations.byColumn(NumberMetrics::smape)),
                "symmetric mean absolute percentage error, symmetric mean absolute percent error, symmetric MAPE");
        plain(Metric.minimized("RMSPE", How.MEAN, Calculations.byColumn(NumberMetrics::rmspe)),
                "root mean square percentage error, root mean squared percentage error");
        plain(Metric.maximized("R2", How.MEAN, Calculations.byColumn(NumberMetrics::r2)).guessed(0),
                "R squared, coefficient of determination");
        plain(Metric.maximized("Pearson", How.MEAN, Calculations.byColumn(NumberMetrics::pearson))
                .guessed(0), "Pearson correlation, Pearson correlation coefficient, Pearson r");
        plain(Metric
                .maximized("Spearman", How.RANK_MEAN,
                        Calculations.byColumn(NumberMetrics::spearman))
                .guessed(0),
                "Spearman correlation, Spearman rank correlation, Spearman correlation coefficient, Spearman rho, Spearmans rank correlation");
        plain(Metric
                .maximized("NDCG", How.VOTE,
                        Calculations.byLists(RankMetrics::ndcg, Integer.MAX_VALUE))
                .ofLists(), "normalized discounted cumulative gain");
        family("(micro|macro|weighted|binary)?(?:averaged?)?f(?:beta)?(?:score)?(?:with)?(?:beta)?(\\d{1,3}(?:\\.\\d{1,3})?)(micro|macro|weighted|binary)?(?:averaged?)?",
                MetricNames::fBeta);
        family("(?:map|meanaverageprecision)(?:at)?(\\d{1,4})(?:map(?:at)?\\d{1,4})?",
                found -> counted("MAP@", found, RankMetrics::averagePrecision));
        family("(?:ndcg|normalizeddiscountedcumulativegain)(?:at)?(\\d{1,4})(?:ndcg(?:at)?\\d{1,4})?",
                found -> counted("NDCG@", found, RankMetrics::ndcg));
        family("top(\\d{1,4})(?:categorization|categorical|classification)?accuracy",
                found -> counted("top-%s accuracy", found, RankMetrics::topAccuracy));
        family("(?:pinball|quantile)(?:loss)?(?:at|for|of)?(?:the)?(?:quantile|alpha|tau|q)?(0?\\.\\d{1,4})(?:quantile)?",
                MetricNames::pinball);
    }

    private MetricNames() {}

    private static void plain(Metric metric, String spellings) {
        TITLES.add(metric.title());
        PLAIN.put(plain(metric.title()), metric);
        Arrays.stream(spellings.split(","))
                .map(MetricNames::plain)
                .filter(name -> !name.isEmpty())
                .forEach(name -> PLAIN.put(name, metric));
    }

    private static void family(String pattern, Function<MatchResult, Optional<Metric>> metric) {
        FAMILIES.put(Pattern.compile(pattern), metric);
    }

    /// The names of all metrics for messages; each family is named by one member.
    static List<String> titles() {
        List<String> titles = new ArrayList<>(TITLES);
        titles.addAll(List.of("F2 and other F-beta", "MAP@5", "NDCG@5", "top-5 accuracy",
                "pinball loss 0.9", "each as \"mean column-wise …\", "
                        + "\"… weighted by COLUMN\" or \"mean … by COLUMN\""));
        return titles;
    }

    /// Letters and digits, and points within numbers.
    private static String plain(String name) {
        String bare = name.toLowerCase(Locale.ROOT).replace("²", "2").replace("^2", "2");
        return ENDING.matcher(NOISE.matcher(bare).replaceAll("")).replaceAll("");
    }

    static Optional<Metric> find(String name) {
        if (name.length() > LONGEST) {
            return Optional.empty();
        }
        Matcher groups = GROUPS.matcher(name.strip());
        if (groups.matches() && !plain(groups.group(2)).equals("column")) {
            String column = groups.group(2);
            return find(groups.group(1)).filter(metric -> metric.traits().needs().isEmpty())
                    .map(metric -> metric.variant(
                            "mean " + metric.title() + " by " + column,
                            Calculations.byGroups(metric.calculation(), column), List.of(column)));
        }
        Matcher weights = WEIGHTS.matcher(name.strip());
        if (weights.matches()) {
            String column = weights.group(2);
            return find(weights.group(1)).filter(metric -> metric.traits().needs().isEmpty())
                    .map(metric -> metric.variant(
                            metric.title() + " weighted by " + column,
                            Calculations.weighted(metric.calculation(), column), List.of(column)));
        }
        return ofPlain(plain(name));
    }

    private static Optional<Metric> ofPlain(String name) {
        Metric known = PLAIN.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        Matcher columns = COLUMNS.matcher(name);
        if (columns.matches()) {
            return ofPlain(columns.group(1))
                    .map(metric -> metric.variant("mean column-wise " + metric.title(),
                            metric.equals(Metric.LOG_LOSS)
                                    ? Calculations.logLoss(true)
                                    : metric.calculation(),
                            metric.traits().needs()));
        }
        for (Map.Entry<Pattern, Function<MatchResult, Optional<Metric>>> family : FAMILIES
                .entrySet()) {
            Matcher found = family.getKey().matcher(name);
            if (found.matches()) {
                return family.getValue().apply(found);
            }
        }
        return Optional.empty();
    }

    private static Metric averaged(String title, double beta, Average average) {
        return Metric.maximized(title, How.VOTE,
                Calculations.byLabels(ClassMetrics.fBeta(beta, average), average));
    }

    private static Metric jaccard(String title, Average average) {
        return Metric.maximized(title, How.VOTE,
                Calculations.byLabels(ClassMetrics.jaccard(average), average));
    }

    private static Optional<Metric> fBeta(MatchResult found) {
        double beta = Double.parseDouble(found.group(2));
        String word = found.group(1) == null ? found.group(3) : found.group(1);
        Average average =
                word == null ? Average.BINARY : Average.valueOf(word.toUpperCase(Locale.ROOT));
        String title =
                average == Average.BINARY ? "F" + found.group(2) : word + " F" + found.group(2);
        return beta == 0 ? Optional.empty() : Optional.of(averaged(title, beta, average));
    }

    private static Optional<Metric> counted(
            String title,
            MatchResult found,
            Calculations.ListScore score) {
        int most = Integer.parseInt(found.group(1));
        String name =
                title.contains("%s") ? title.replace("%s", found.group(1)) : title + found.group(1);
        return most == 0
                ? Optional.empty()
                : Optional.of(Metric.maximized(name, How.VOTE, Calculations.byLists(score, most))
                        .ofLists());
    }

    private static Optional<Metric> pinball(MatchResult found) {
        double quantile = Double.parseDouble(found.group(1));
        if (quantile == 0) {
            return Optional.empty();
        }
        Calculations.Numbers score =
                (truth, predicted) -> NumberMetrics.pinball(quantile, truth, predicted);
        return Optional.of(Metric.minimized("pinball loss " + quantile, How.MEAN,
                Calculations.byColumn(score)));
    }
}
