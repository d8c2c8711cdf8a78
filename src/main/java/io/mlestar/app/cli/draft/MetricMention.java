package io.mlestar.app.cli.draft;

import io.mlestar.adapter.grade.Metric;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.task.MetricDirection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A name of a metric in a sentence, and what the words around it make of it: a name that they
/// qualify or mix is not the plain metric.
///
/// @param plain as the sentence has it
/// @param before what stands before it
/// @param after what stands behind it
record MetricMention(String plain, MetricDirection direction, String before, String after) {
    private static final Set<String> ARTICLES = Set.of("the", "The", "a", "A", "an", "An");
    private static final int MOST_WORDS = 12;
    private static final int LONGEST = 80;
    /// Characters of a sentence that are looked at.
    private static final int MOST = 2_000;
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]+");
    private static final Pattern NOT_BEFORE =
            Pattern.compile(
                    "(?i)(?:\\bnot|n't|\\bunlike|\\brather than|\\binstead of|\\bno longer|\\bnever)\\b[^.;:,()]{0,30}$");
    private static final Pattern NOT_AFTER =
            Pattern.compile(
                    "(?i)^[)`'\"*]*(?: \\w+){0,2} (?:is|are|was|will be|does|do)(?: not|n't| no longer| never)\\b");
    private static final Pattern KIND = Pattern.compile(
            "(?i)(?:class-)?(?:weighted|partial|balanced|top-? ?\\w+|adjusted|modified|customi[sz]ed|custom|relative|scaled|smoothed|hierarchical|truncated"
                    + "|cost-sensitive|event-based|probabilistic)(?:,? (?:\\w+ )?| ?-)$");
    private static final Pattern SUM_BEFORE =
            Pattern.compile(
                    "(?i)(?:\\d[\\d.]*\\s*[*×·x]|\\b(?:sum|product|combination|mixture|blend|difference|half) of(?: the)?)\\s*$");
    private static final Pattern SUM_AFTER =
            Pattern.compile("^[)`'\"]*\\s*[-+*×·/]\\s*(?:\\d|\\(|[A-Z])");
    private static final Pattern CHANGED =
            Pattern.compile("(?i)\\bweight(?:ed|s)?\\b|\\b(?:at|within) each\\b"
                    + "|\\baveraged? (?:over|across)(?: the| all)*+ (?!columns?\\b|targets?\\b|labels?\\b|outputs?\\b|classes\\b|rows\\b|samples\\b)"
                    + "|\\b(?:rate|precision|recall|specificity|sensitivity) (?:is |of )?(?:over|above|below|at least)\\b");
    private static final Pattern OF_GROUPS = Pattern.compile(
            "(?i)^[)`'\"]*(?:,? (?:is|are|which is))?(?: (?:computed|calculated|measured|taken))? (?:per|by|for each|at each|in each|within each) "
                    + "`?(\\w+)`?[^.;]*\\baverag");
    private static final Pattern OF_LOGARITHMS = Pattern.compile("(?i)logarithm|\\blog\\s?\\(");

    /// The metrics that a text names; of several names that begin with one word the longest.
    static List<MetricMention> all(String sentence) {
        String text = sentence.substring(0, Math.min(MOST, sentence.length()));
        List<MatchResult> words = WORD.matcher(text).results().toList();
        List<MetricMention> found = new ArrayList<>();
        for (int first = 0; first < words.size(); first++) {
            if (ARTICLES.contains(words.get(first).group())) {
                continue;
            }
            for (int last = Math.min(first + MOST_WORDS, words.size()) - 1; last >= first; last--) {
                int begin = words.get(first).start();
                int end = words.get(last).end();
                String name = text.substring(begin, end);
                Optional<MetricDirection> direction = DescribedMetric.own(name);
                if (direction.isPresent()) {
                    found.add(new MetricMention(name, direction.get(), text.substring(0, begin),
                            text.substring(end)));
                    first = last;
                }
            }
        }
        return found;
    }

    boolean isDenied() {
        return NOT_BEFORE.matcher(before).find() || NOT_AFTER.matcher(after).find();
    }

    /// The title of the metric if it can be computed here; else the words of the text, with those
    /// that qualify it.
    String name() {
        Matcher groups = OF_GROUPS.matcher(after);
        if (groups.find()) {
            String name = "mean " + plain + " by " + groups.group(1);
            return Metric.find(name).map(Metric::title).orElse(name);
        }
        Matcher sum = SUM_BEFORE.matcher(before);
        Matcher kind = KIND.matcher(before);
        if (sum.find()) {
            return Excerpt.clip(sum.group().strip() + " " + plain + clause(after), LONGEST);
        }
        if (kind.find()) {
            return Excerpt.clip(kind.group() + plain, LONGEST);
        }
        boolean isChanged = !plain.toLowerCase(Locale.ROOT).contains("weighted")
                && CHANGED.matcher(after).find();
        if (isChanged || SUM_AFTER.matcher(after).find()) {
            return Excerpt.clip(plain + clause(after), LONGEST);
        }
        return Metric.find(plain).map(this::title).orElse(plain);
    }

    /// Texts call the RMSLE "the RMSE between the logarithms", too.
    private String title(Metric metric) {
        return metric.equals(Metric.RMSE) && OF_LOGARITHMS.matcher(before + after).find()
                ? Metric.RMSLE.title()
                : metric.title();
    }

    private static String clause(String after) {
        return after.replaceFirst("\\s*[.;:(](?!\\d).*$", "").stripTrailing();
    }
}
