package io.mlestar.app.cli.local;

import io.mlestar.core.phase.Attempt;
import io.mlestar.core.phase.Search;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.LoopSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Counts the attempts of a run's inner loops on all its paths, and estimates how long the rest takes.
final class Attempts {
    /// The pace of so many attempts is enough for an estimate.
    private static final int ENOUGH = 3;

    private final int all;
    private final int before;
    private final Map<StepPath, Integer> numbers = new HashMap<>();
    private final Set<StepPath> scored = new HashSet<>();
    private @Nullable Instant first;

    /// @param before how many had ended when this process began
    Attempts(int all, int before) {
        this.all = all;
        this.before = before;
    }

    static Attempts of(Records records, RunHeader run) {
        long ended = records.listed(StepPath.root(run.runId())).keySet().stream().filter(phase -> phase.name().startsWith(Search.NAME))
                .flatMap(path -> records.listed(path).keySet().stream()).flatMap(block -> records.listed(block).entrySet().stream())
                .filter(step -> step.getValue() && Attempt.of(step.getKey()).isPresent()).count();
        LoopSettings loop = run.config().loop();
        return new Attempts(loop.numParallelSolutions() * loop.outerLoopSteps() * loop.innerLoopSteps(), (int) ended);
    }

    /// Counts attempts in the order in which they begin, whether they come to a score or not.
    void begun(StepPath step, Instant now) {
        Attempt.of(step).ifPresent(attempt -> {
            first = first == null ? now : first;
            number(attempt);
        });
    }

    private int number(StepPath attempt) {
        int number = before + numbers.size() + 1;
        return numbers.computeIfAbsent(attempt, unknown -> number);
    }

    /// The attempt that a script belonged to, as `attempt 7 of 32`, and from the third on about how long the refinement goes on.
    ///
    /// @return empty if the step belongs to none
    Optional<String> said(StepPath step, Instant now, Instant deadline) {
        return Attempt.of(step).map(attempt -> {
            scored.add(attempt);
            return "attempt " + number(attempt) + " of " + all + left(now, deadline).map(left -> ", about " + left + " to go").orElse("");
        });
    }

    /// By the pace of this process, but no longer than until the deadline.
    private Optional<String> left(Instant now, Instant deadline) {
        int others = all - before - scored.size();
        if (first == null || scored.size() < ENOUGH || others <= 0) {
            return Optional.empty();
        }
        long seconds = Math.min(Duration.between(first, now).toSeconds() * others / scored.size(), Duration.between(now, deadline).toSeconds());
        return Optional.of(seconds < 90 ? Math.max(1, seconds) + " s" : seconds < 5_400 ? (seconds + 30) / 60 + " min" : (seconds + 1_800) / 3_600 + " h");
    }
}
