package io.mlestar.core.agent;

import io.mlestar.core.task.SolutionScript.Trial;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The parts of prompts that are lists: formatted here, so that a template is plain text. An empty list gives an
/// empty text, which drops the section.
final class Sections {
    private Sections() {}

    /// Plans with their scores (REQ-P2I-010, REQ-P3-005); a null score is a failed attempt.
    ///
    /// @param repairs of the scripts that have the scores, null where there was none; empty if there was none at all
    /// @param underWay plans that have no score yet
    static String history(String heading, List<String> plans, List<Double> scores, List<String> repairs, List<String> underWay) {
        Stream<String> tried = IntStream.range(0, plans.size())
                .mapToObj(i -> plan(plans.get(i), score(scores.get(i), repairs.isEmpty() ? null : repairs.get(i))));
        return plans.isEmpty() && underWay.isEmpty() ? ""
                : Stream.concat(tried, underWay.stream().map(plan -> plan(plan, "not scored yet (it is being tried at this moment)")))
                        .collect(Collectors.joining("\n", "# " + heading + "\n\n", "\n"));
    }

    private static String score(@Nullable Double score, @Nullable String repaired) {
        if (score == null) {
            return "N/A (evaluation failed)";
        }
        return score + (repaired == null ? "" : " (after " + repaired + ")");
    }

    private static String plan(String plan, String score) {
        return "## Plan: " + plan + "\n## Score: " + score + "\n";
    }

    /// An entry without text, as of a study that failed, is left out.
    static String numbered(String heading, List<String> all) {
        List<String> entries = all.stream().filter(entry -> !entry.isBlank()).toList();
        return entries.isEmpty() ? "" : IntStream.range(0, entries.size())
                .mapToObj(i -> "## " + (i + 1) + ".\n" + entries.get(i).strip() + "\n")
                .collect(Collectors.joining("\n", "# " + heading + "\n\n", "\n"));
    }

    static String numberedCode(String heading, List<String> blocks) {
        return numbered(heading, blocks.stream().map(Sections::fenced).toList());
    }

    /// Whole scripts under the headings that Figures 17 and 18 use, with what each scored alone, and in what time.
    ///
    /// @param trials as long as `scripts`, or empty if nothing is known
    static String solutions(List<String> scripts, List<Trial> trials) {
        return IntStream.range(0, scripts.size())
                .mapToObj(i -> "# " + ordinal(i + 1) + " Python Solution\n" + (trials.isEmpty() ? "" : alone(trials.get(i))) + fenced(scripts.get(i)))
                .collect(Collectors.joining("\n\n"));
    }

    private static String alone(@Nullable Trial trial) {
        return trial == null || trial.score() == null ? ""
                : "Validation score: " + trial.score() + (trial.seconds() == null ? "" : ", after " + duration(trial.seconds())) + "\n";
    }

    /// How the script fared around a block that is shown.
    static String standing(@Nullable Trial trial) {
        return ran("The solution with this block as it stands", trial);
    }

    /// E.g. ` The script above ran for 273 s and scored 0.75598.`, to be put behind a sentence; empty if nothing is known.
    static String ran(String script, @Nullable Trial trial) {
        String known = trial == null ? "" : Stream.of(trial.seconds() == null ? "" : "ran for " + duration(trial.seconds()),
                trial.score() == null ? "" : "scored " + trial.score()).filter(word -> !word.isEmpty()).collect(Collectors.joining(" and "));
        return known.isEmpty() ? "" : " " + script + " " + known + ".";
    }

    private static String duration(double seconds) {
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

    private static String fenced(String code) {
        return "```python\n" + code.stripTrailing() + "\n```";
    }
}
