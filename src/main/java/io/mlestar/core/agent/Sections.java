package io.mlestar.core.agent;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The parts of prompts that are lists: formatted here, so that a template is plain text. An empty list gives an
/// empty text, which drops the section.
final class Sections {
    private Sections() {}

    /// Plans with their scores (REQ-P2I-010, REQ-P3-005); a null score is a failed attempt.
    ///
    /// @param underWay plans that have no score yet
    static String history(String heading, List<String> plans, List<Double> scores, List<String> underWay) {
        Stream<String> tried = IntStream.range(0, plans.size())
                .mapToObj(i -> plan(plans.get(i), scores.get(i) == null ? "N/A (evaluation failed)" : scores.get(i).toString()));
        return plans.isEmpty() && underWay.isEmpty() ? ""
                : Stream.concat(tried, underWay.stream().map(plan -> plan(plan, "not scored yet (it is being tried at this moment)")))
                        .collect(Collectors.joining("\n", "# " + heading + "\n\n", "\n"));
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

    /// Whole scripts under the headings that Figures 17 and 18 use, with what each scored alone.
    ///
    /// @param scores as long as `scripts`, or empty if nothing is known
    static String solutions(List<String> scripts, List<Double> scores) {
        return IntStream.range(0, scripts.size())
                .mapToObj(i -> "# " + ordinal(i + 1) + " Python Solution\n"
                        + (scores.isEmpty() || scores.get(i) == null ? "" : "Validation score: " + scores.get(i) + "\n")
                        + fenced(scripts.get(i)))
                .collect(Collectors.joining("\n\n"));
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
