package io.mlestar.core.agent;

import io.mlestar.core.base.Digits;
import io.mlestar.core.base.Phrase;
import io.mlestar.core.task.Blocks;
import io.mlestar.core.task.SolutionScript.Trial;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The parts of prompts that are lists: formatted here, so that a template is plain text. An empty
/// list gives an empty text, which drops the section.
final class Sections {
    private static final String BEGINS = "# >>> the code block begins";
    private static final String ENDS = "# <<< the code block ends";
    private static final Pattern MARK =
            Pattern.compile("(?m)^[ \\t]*(?:" + BEGINS + "|" + ENDS + ")[ \\t]*(?:\\R|\\z)");

    /// Digits of a score, more than any deserves.
    static final int DIGITS = 6;

    private Sections() {}

    /// The libraries beside the standard library that a program of the harness may use.
    static String installed(List<String> libraries) {
        return libraries.isEmpty()
                ? ""
                : " Of other libraries there are: " + String.join(", ", libraries) + ".";
    }

    /// Plans with their scores (REQ-P2I-010, REQ-P3-005); a null score is a failed attempt.
    ///
    /// @param repairs of the scripts that have the scores, null where there was none; empty if
    ///   there was none at all
    static String history(
            String heading,
            List<String> plans,
            List<Double> scores,
            List<String> repairs) {
        if (plans.isEmpty()) {
            return "";
        }
        return IntStream.range(0, plans.size())
                .mapToObj(i -> "## Plan: " + plans.get(i) + "\n## Score: "
                        + score(scores.get(i), repairs.isEmpty() ? null : repairs.get(i)) + "\n")
                .collect(Collectors.joining("\n", "# " + heading + "\n\n", "\n"));
    }

    private static String score(@Nullable Double score, @Nullable String repaired) {
        if (score == null) {
            return "N/A (" + (repaired == null ? "evaluation failed" : repaired) + ")";
        }
        return Digits.of(score, DIGITS) + (repaired == null ? "" : " (after " + repaired + ")");
    }

    /// An entry without text, as of a study that failed, is left out.
    static String numbered(String heading, List<String> all) {
        List<String> entries = all.stream().filter(entry -> !entry.isBlank()).toList();
        return entries.isEmpty()
                ? ""
                : IntStream.range(0, entries.size())
                        .mapToObj(i -> "## " + (i + 1) + ".\n" + entries.get(i).strip() + "\n")
                        .collect(Collectors.joining("\n", "# " + heading + "\n\n", "\n"));
    }

    /// The table that a first study printed, indented, so that nothing in it reads as a heading or
    /// a fence.
    static String studied(@Nullable String table, String use) {
        if (table == null || table.isBlank()) {
            return "";
        }
        return Prompts.part("study") + "\n\n" + table.indent(4)
                + (use.isEmpty() ? "" : "\n" + use + "\n") + "\n";
    }

    /// The script with the lines of the block marked; the block alone where the script is not
    /// known, or does not hold it as whole lines.
    static String marked(@Nullable String script, String given) {
        String block = script == null ? given : Blocks.locate(given, script).orElse(given);
        int from = script == null ? -1 : Blocks.indexOf(block, script);
        if (script == null || from < 0 || !Blocks.isOfLines(block, from, script)) {
            return "# Code block\n\n" + fenced(block);
        }
        int to = from + block.length();
        long first = script.substring(0, from).chars().filter(c -> c == '\n').count() + 1;
        long last = first + block.chars().filter(c -> c == '\n').count();
        return "# Python solution (train.py), in which lines " + first + " to " + last
                + " are marked as the code block\n\n"
                + fenced(script.substring(0, from) + BEGINS + "\n" + block + "\n" + ENDS
                        + script.substring(to));
    }

    /// A block that was copied with its marks, without them.
    static String unmarked(String code) {
        return MARK.matcher(code).replaceAll("");
    }

    /// Whole scripts under the headings that Figures 17 and 18 use, with what each scored alone,
    /// and in what time.
    ///
    /// @param trials as long as `scripts`, or empty if nothing is known
    static String solutions(List<String> scripts, List<Trial> trials) {
        return IntStream.range(0, scripts.size())
                .mapToObj(i -> "# " + ordinal(i + 1) + " Python Solution\n"
                        + (trials.isEmpty() ? "" : alone(trials.get(i))) + fenced(scripts.get(i)))
                .collect(Collectors.joining("\n\n"));
    }

    private static String alone(@Nullable Trial trial) {
        if (trial == null || trial.score() == null) {
            return "";
        }
        String after = trial.seconds() == null ? "" : "after " + duration(trial.seconds());
        return "Validation score: " + Phrase.of(", ", score(trial), after) + "\n";
    }

    /// The time and score of the script around a block that is shown.
    static String standing(@Nullable Trial trial) {
        return ran("The solution with this block as it stands", trial);
    }

    /// E.g. ` The script above ran for 273 s and scored 0.75598.`, to be put behind a sentence;
    /// empty if nothing is known.
    static String ran(String script, @Nullable Trial trial) {
        if (trial == null) {
            return "";
        }
        String known = Phrase.of(" and ",
                trial.seconds() == null ? "" : "ran for " + duration(trial.seconds()),
                trial.score() == null ? "" : "scored " + score(trial));
        return known.isEmpty() ? "" : " " + script + " " + known + ".";
    }

    private static String score(Trial trial) {
        double score = Objects.requireNonNull(trial.score());
        Double error = trial.standardError();
        return Digits.of(score, DIGITS)
                + (error == null || error == 0 ? "" : " (± " + Digits.of(error, 2) + " by itself)");
    }

    /// The output of a script that a prompt shows; empty if nothing is known. Indented, so that
    /// nothing in it reads as a heading or a fence.
    static String printed(@Nullable String lines) {
        if (lines == null || lines.isBlank()) {
            return "";
        }
        return "\n" + Prompts.part("printed") + "\n\n" + lines.indent(4) + "\n";
    }

    static String duration(double seconds) {
        return String.format(Locale.ROOT, "%.0f s", seconds);
    }

    static String ordinal(int n) {
        String ending = n % 100 / 10 == 1 ? "th" : switch (n % 10) {
            case 1 -> "st";
            case 2 -> "nd";
            case 3 -> "rd";
            default -> "th";
        };
        return n + ending;
    }

    static String fenced(String code) {
        return "```python\n" + code.stripTrailing() + "\n```";
    }
}
