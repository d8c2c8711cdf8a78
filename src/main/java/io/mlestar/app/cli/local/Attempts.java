package io.mlestar.app.cli.local;

import io.mlestar.core.phase.Attempt;
import io.mlestar.core.phase.OuterStep;
import io.mlestar.core.phase.ScriptSearch;
import io.mlestar.core.phase.SearchRounds;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.PaperSearch;
import io.mlestar.core.task.Search;
import io.mlestar.core.task.StrongSearch;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Counts the attempts of a run that are over, on all its paths, and estimates how long the run
/// still takes.
final class Attempts {
    /// The pace of so many attempts is enough for an estimate.
    private static final int ENOUGH = 3;

    private final Search search;
    /// Paths, blocks and attempts that are over. A path or a block that another run made holds
    /// attempts that are not seen here.
    private final Set<StepPath> over = new HashSet<>();
    private int before;
    private @Nullable Instant first;

    Attempts(Search search) {
        this.search = search;
    }

    /// Begins with the attempts that were over when this process began.
    static Attempts of(Records records, RunHeader run) {
        Attempts attempts = new Attempts(run.config().search());
        records.listed(run.root()).forEach((phase, phaseEnded) -> {
            if (phase.name().startsWith(ScriptSearch.NAME)) {
                attempts.known(phase, phaseEnded);
                records.listed(phase).forEach((block, blockEnded) -> {
                    attempts.known(block, blockEnded);
                    records.listed(block).forEach(attempts::known);
                });
            }
        });
        attempts.before = attempts.count();
        return attempts;
    }

    private void known(StepPath step, boolean ended) {
        if (ended) {
            over.add(step);
        }
    }

    void begun(StepPath step, Instant now) {
        if (first == null && Attempt.of(step).isPresent()) {
            first = now;
        }
    }

    /// @param step a phase that ended, perhaps in another run
    void ended(StepPath step) {
        over.add(Attempt.of(step).orElse(step));
    }

    private int all() {
        return search.attempts();
    }

    private int count() {
        return Math.min(all(),
                over.stream()
                        .filter(step -> step.parent().filter(this::isOver).isEmpty())
                        .mapToInt(this::attempts)
                        .sum());
    }

    private boolean isOver(StepPath step) {
        return over.contains(step) || step.parent().filter(this::isOver).isPresent();
    }

    /// Counts the attempts of a step that is over.
    private int attempts(StepPath step) {
        if (Attempt.of(step).isPresent()) {
            return 1;
        }
        return switch (search) {
            case PaperSearch paper -> attempts(step, paper);
            case StrongSearch strong -> attempts(step, strong);
        };
    }

    private static int attempts(StepPath step, PaperSearch paper) {
        if (step.isTop()) {
            return step.name().startsWith(ScriptSearch.NAME)
                    ? paper.outerLoopSteps() * paper.innerLoopSteps()
                    : 0;
        }
        return OuterStep.isName(step.name()) ? paper.innerLoopSteps() : 0;
    }

    private static int attempts(StepPath step, StrongSearch strong) {
        if (step.isTop()) {
            return step.name().equals(ScriptSearch.NAME) ? strong.attempts() : 0;
        }
        return SearchRounds.attempts(step.name(), strong.attempts(), strong.numParallelSolutions());
    }

    /// Scripts that follow the attempts, one after the other: ensembles and the last script.
    private int following() {
        return switch (search) {
            case PaperSearch paper -> paper.plannedEnsembles() + 1;
            case StrongSearch strong -> 2;
        };
    }

    /// Reports progress after a step, as `7 of 32 attempts`, and from the third attempt on also
    /// about how long the run still takes.
    ///
    /// @return empty if the step belongs to no attempt
    Optional<String> said(StepPath step, Instant now, Instant deadline) {
        return Attempt.of(step)
                .map(attempt -> count() + " of " + all() + " attempts"
                        + left(now, deadline).map(left -> ", about " + left + " to go").orElse(""));
    }

    /// Estimates the rest by the pace of this process, but no longer than until the deadline. What
    /// follows the attempts goes on one path in place of all.
    private Optional<String> left(Instant now, Instant deadline) {
        int done = count() - before;
        if (first == null || done < ENOUGH) {
            return Optional.empty();
        }
        long others = all() - count() + (long) following() * search.numParallelSolutions();
        long seconds = Math.min(Duration.between(first, now).toSeconds() * others / done,
                Duration.between(now, deadline).toSeconds());
        return Optional.of(about(seconds));
    }

    private static String about(long seconds) {
        if (seconds < 90) {
            return Math.max(1, seconds) + " s";
        }
        return seconds < 5_400 ? (seconds + 30) / 60 + " min" : (seconds + 1_800) / 3_600 + " h";
    }
}
