package io.mlestar.local;

import io.mlestar.records.Records;
import io.mlestar.records.RunHeader;
import io.mlestar.step.StepPath;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Counts the attempts of a run's inner loops on all its paths, and says how long those that are left may take.
final class Attempts {
    private static final Pattern ATTEMPT = Pattern.compile("(phase2-path[0-9]+/block[0-9]+/attempt[0-9]+)(/.*)?");
    /// Fewer say nothing of the others.
    private static final int ENOUGH = 3;

    private final int all;
    private final int before;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Set<String> scored = new HashSet<>();
    private Instant first;

    /// @param before how many had ended when this process began
    Attempts(int all, int before) {
        this.all = all;
        this.before = before;
    }

    static Attempts of(Records records, RunHeader run) {
        StepPath root = StepPath.root(run.runId());
        long ended = 0;
        for (String path : records.listed(root).keySet()) {
            if (path.startsWith("phase2-path")) {
                for (String block : records.listed(root.child(path)).keySet()) {
                    ended += block.startsWith("block") ? records.listed(root.child(path).child(block)).entrySet().stream()
                            .filter(step -> step.getKey().startsWith("attempt") && step.getValue()).count() : 0;
                }
            }
        }
        return new Attempts(run.config().numParallelSolutions() * run.config().outerLoopSteps() * run.config().innerLoopSteps(), (int) ended);
    }

    /// Sees that a step was begun. Attempts are counted in the order in which they begin, whether they come to a score or not.
    void begun(StepPath step, Instant now) {
        Matcher attempt = ATTEMPT.matcher(step.inside());
        if (attempt.matches()) {
            first = first == null ? now : first;
            number(attempt.group(1));
        }
    }

    private int number(String attempt) {
        int number = before + numbers.size() + 1;
        return numbers.computeIfAbsent(attempt, unknown -> number);
    }

    /// What a script's end says of the attempts: `attempt 7 of 32`, and from the third on about how long the refinement goes on.
    ///
    /// @return empty if the step belongs to none
    Optional<String> said(StepPath step, Instant now, Instant deadline) {
        Matcher attempt = ATTEMPT.matcher(step.inside());
        if (!attempt.matches()) {
            return Optional.empty();
        }
        scored.add(attempt.group(1));
        return Optional.of("attempt " + number(attempt.group(1)) + " of " + all + left(now, deadline).map(left -> ", about " + left + " to go").orElse(""));
    }

    /// As the attempts of this process went, but no longer than the run may.
    private Optional<String> left(Instant now, Instant deadline) {
        int others = all - before - scored.size();
        if (first == null || scored.size() < ENOUGH || others <= 0) {
            return Optional.empty();
        }
        long seconds = Math.min(Duration.between(first, now).toSeconds() * others / scored.size(), Duration.between(now, deadline).toSeconds());
        return Optional.of(seconds < 90 ? Math.max(1, seconds) + " s" : seconds < 5_400 ? (seconds + 30) / 60 + " min" : (seconds + 1_800) / 3_600 + " h");
    }
}
