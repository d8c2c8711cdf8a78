package io.mlestar.core.phase;

import io.mlestar.core.task.SolutionScript;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Lines in which a script of [io.mlestar.core.task.StrongSearch] says what it is. The prompts ask
/// for them: plans differ from what was written.
final class OwnWords {
    private static final Pattern SUMMARY = Pattern.compile("(?i)summary\\s*:");
    private static final Pattern JUDGEMENT = Pattern.compile("(?i)judgement\\s*:");

    private OwnWords() {}

    /// The methods of the script, after `Summary:`.
    static Optional<String> summary(SolutionScript script) {
        return after(SUMMARY, script);
    }

    /// The part of the script that no hidden row can score, such as its answer to a season that
    /// training lacks, after `Judgement:`.
    static Optional<String> judgement(SolutionScript script) {
        return after(JUDGEMENT, script);
    }

    static boolean isJudged(SolutionScript script) {
        return judgement(script).isPresent();
    }

    private static Optional<String> after(Pattern mark, SolutionScript script) {
        return Stream.ofNullable(script.printed())
                .flatMap(String::lines)
                .map(mark::matcher)
                .filter(Matcher::lookingAt)
                .map(line -> line.replaceFirst("").strip())
                .filter(text -> !text.isEmpty())
                .findFirst();
    }
}
