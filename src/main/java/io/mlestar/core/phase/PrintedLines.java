package io.mlestar.core.phase;

import io.mlestar.core.base.Excerpt;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What agents read of a script's output: its end, and before that the lines that name scores, folds, features and errors.
final class PrintedLines {
    private static final int MOST = 30;
    private static final int LAST = 15;
    private static final int LONGEST = 160;
    private static final Pattern TELLING =
            Pattern.compile("(?i)score|fold|feature|importan|error|auc|loss|rmse|rmsle|mae\\b|accuracy|f1\\b|valid|cv\\b|oof|corr");

    private PrintedLines() {}

    static String of(String output) {
        List<String> lines = output.lines().map(line -> Excerpt.clip(line.replaceAll("\\p{C}", " ").replace('`', '\'').stripTrailing(), LONGEST))
                .filter(line -> !line.isBlank()).toList();
        int last = Math.max(0, lines.size() - (lines.size() > MOST ? LAST : MOST));
        List<Integer> telling = IntStream.range(0, last).filter(i -> TELLING.matcher(lines.get(i)).find()).boxed().toList();
        return IntStream.concat(telling.stream().skip(Math.max(0, telling.size() - (MOST - LAST))).mapToInt(i -> i), IntStream.range(last, lines.size()))
                .mapToObj(lines::get).collect(Collectors.joining("\n"));
    }
}
