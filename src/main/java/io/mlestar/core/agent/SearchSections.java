package io.mlestar.core.agent;

import io.mlestar.core.agent.ScriptCoder.RatedScript;
import io.mlestar.core.base.Digits;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.OutputExcerpt;
import io.mlestar.core.base.Phrase;
import io.mlestar.core.task.AttemptRecord;
import io.mlestar.core.task.Score.Lead;
import io.mlestar.core.task.SolutionScript.Trial;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The findings of a search so far, as sections of a prompt, each within bounds. The output of
/// scripts is indented, so that nothing in it reads as a heading or a fence.
final class SearchSections {
    private static final int TABLES = 2;
    private static final int TABLE = 2_800;
    /// Characters of a study that a later solution of the path could use.
    private static final int USED_TABLE = 1_500;
    private static final int ROWS = 2_000;
    private static final int OTHERS_TABLE = 900;
    private static final int OTHERS_STUDIES = 1_900;
    private static final int SHORTEST = 60;
    private static final int OTHERS_SOLUTIONS = 1_500;
    private static final int OTHERS_ROW = 120;
    private static final int OTHERS_BEST_ROW = 500;
    private static final int OTHERS_BEST = 3;
    private static final int REMARK = 200;
    private static final int FOLD_DIGITS = 4;
    private static final int LONGEST = 600;

    private SearchSections() {}

    /// A whole script with what its run showed.
    static String script(@Nullable RatedScript rated) {
        return rated == null
                ? ""
                : (standing(rated.trial()) + "\n\n" + Sections.fenced(rated.content()) + "\n"
                        + Sections.printed(rated.printed())).strip();
    }

    /// The score whole: it is compared with others that differ by less than its own error.
    private static String standing(@Nullable Trial trial) {
        if (trial == null || trial.score() == null) {
            return "";
        }
        String score = "It scored " + Digits.of(trial.score(), Sections.DIGITS);
        if (trial.standardError() != null) {
            score += " (± " + Digits.of(trial.standardError(), 2)
                    + " by itself; differences from it have errors of their own)";
        }
        String seconds = trial.seconds() == null
                ? ""
                : "in " + Sections.duration(trial.seconds()) + " a run";
        String folds = each(trial.folds(), fold -> Digits.of(fold, FOLD_DIGITS));
        return Phrase.of(", ", score, seconds) + "."
                + (folds.isEmpty() ? "" : " By fold: " + folds + ".");
    }

    private static String each(List<@Nullable Double> folds, Function<Double, String> told) {
        return folds.stream()
                .map(fold -> fold == null ? "?" : told.apply(fold))
                .collect(Collectors.joining(", "));
    }

    /// The tables of the last studies of its path: whole until a solution could use them, then
    /// their best rows.
    static String tables(List<AttemptRecord> own) {
        List<AttemptRecord> studies =
                own.stream().filter(one -> one.isStudy() && !one.table().isBlank()).toList();
        return studies.subList(Math.max(0, studies.size() - TABLES), studies.size())
                .stream()
                .map(study -> table(study, own.getLast().isStudy() ? TABLE : USED_TABLE))
                .collect(Collectors.joining("\n"))
                .stripTrailing();
    }

    private static String table(AttemptRecord study, int most) {
        return "## " + name(study) + ": " + Excerpt.sentences(study.tried(), OTHERS_ROW) + "\n\n"
                + OutputExcerpt.of(study.table(), most).indent(4);
    }

    static String own(List<AttemptRecord> own) {
        return own.isEmpty() ? "" : String.join("\n", latest(own));
    }

    /// The output of the last solution, if it did not become the best: its script is shown to
    /// nobody.
    static String printed(List<AttemptRecord> own) {
        if (own.isEmpty() || own.getLast().isStudy() || own.getLast().isKept()) {
            return "";
        }
        return own.getLast().table().indent(4).stripTrailing();
    }

    /// The rows of the latest, and how many older ones there is no room for.
    private static List<String> latest(List<AttemptRecord> all) {
        int length = Math.clamp(ROWS / all.size() - SHORTEST * 2, SHORTEST, LONGEST);
        List<String> rows = new ArrayList<>();
        int room = ROWS;
        for (AttemptRecord one : all.reversed()) {
            String row = row(one, length);
            room -= row.length() + 1;
            if (room < 0) {
                rows.add("- (" + (all.size() - rows.size()) + " more)");
                break;
            }
            rows.add(row);
        }
        return rows.reversed();
    }

    /// The findings of others: solutions as they come, then the last study of each path with the
    /// head of its table, the latest first.
    static String others(List<AttemptRecord> others) {
        Map<String, AttemptRecord> studies = new LinkedHashMap<>();
        others.reversed()
                .stream()
                .filter(one -> one.isStudy() && !one.table().isBlank())
                .forEach(study -> studies.putIfAbsent(name(study).replaceFirst("-.*", ""), study));
        List<AttemptRecord> solutions = others.stream().filter(one -> !one.isStudy()).toList();
        Stream<String> rows = IntStream.range(0, solutions.size())
                .mapToObj(
                        i -> row(solutions.get(i), i < OTHERS_BEST ? OTHERS_BEST_ROW : OTHERS_ROW));
        Stream<String> tables = studies.values()
                .stream()
                .map(study -> row(study, OTHERS_ROW) + "\n\n"
                        + OutputExcerpt.of(study.table(), OTHERS_TABLE).indent(4));
        return (fitting(rows, OTHERS_SOLUTIONS) + "\n" + fitting(tables, OTHERS_STUDIES)).strip();
    }

    /// Those texts, one below the other, for which there is room.
    private static String fitting(Stream<String> texts, int most) {
        StringBuilder kept = new StringBuilder();
        for (String text : texts.toList()) {
            if (kept.length() + text.length() < most) {
                kept.append(text).append('\n');
            }
        }
        return kept.toString();
    }

    /// The last two parts of a step's path say enough.
    private static String name(AttemptRecord one) {
        return last(one.step());
    }

    private static String last(String step) {
        return step.substring(step.lastIndexOf('/') + 1);
    }

    private static String row(AttemptRecord one, int length) {
        String fused = one.fusedWith() == null ? "" : " with " + last(one.fusedWith());
        return "- " + name(one) + fused + " (" + (one.isStudy() ? "study" : "solution") + "): "
                + Excerpt.sentences(one.tried(), length) + " -> " + outcome(one);
    }

    private static String outcome(AttemptRecord one) {
        String remark = Excerpt.sentences(one.remark(), REMARK);
        if (one.isStudy()) {
            return remark.isEmpty() ? "a table" : remark;
        }
        if (one.score() == null) {
            return "no score: " + remark;
        }
        String gain = one.gain() == null
                ? ""
                : " (" + Phrase.of("; ", new Lead(one.gain(), one.errorOfGain()).inWords(),
                        byFold(one)) + ")";
        String seconds = one.seconds() == null ? "" : Sections.duration(one.seconds());
        return Phrase.of("; ",
                Phrase.of(", ", Digits.of(one.score(), Sections.DIGITS) + gain, seconds),
                remark);
    }

    private static String byFold(AttemptRecord one) {
        String gains = each(one.foldGains(),
                gain -> (gain < 0 ? "-" : "+") + Digits.of(Math.abs(gain), 2));
        return gains.isEmpty() ? "" : "by fold " + gains;
    }
}
