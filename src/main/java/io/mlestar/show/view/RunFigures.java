package io.mlestar.show.view;

import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.result.NextCommands;
import io.mlestar.core.result.RunTally;
import io.mlestar.core.task.Score;
import io.mlestar.show.render.Formats;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A run in a few figures.
///
/// @param currentPhase [io.mlestar.core.step.Phase#part] of the last phase that was asked for, or
///   `complete`; empty if a record cannot be read
/// @param phaseTitle what people call it
/// @param bestScoreSoFar of the result once there is one; null before the first score
/// @param bestScoreError its standard error; null unless the harness computed it
/// @param accumulatedCostUsd null if a price is unknown
/// @param knownCostUsd as far as prices are known
/// @param endedAt null while it runs
/// @param cancelled whether it was asked to finish
/// @param error why it failed, and of what most of its scripts did; why it stands still, or cannot
///   be read; null if it does not
/// @param next commands that help if it failed or stands still
@RegisterForReflection
public record RunFigures(
        String runId,
        String competitionId,
        RunStatus state,
        String currentPhase,
        String phaseTitle,
        @Nullable Double bestScoreSoFar,
        @Nullable Double bestScoreError,
        @Nullable Double accumulatedCostUsd,
        double knownCostUsd,
        Instant startedAt,
        Optional<Instant> endedAt,
        boolean cancelled,
        @Nullable String error,
        List<String> next) {
    private static final String COMPLETE = "complete";
    private static final DateTimeFormatter DAY_AND_TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    /// The figures of a run with a record that cannot be read.
    public static RunFigures unread(String run, RuntimeException why) {
        return new RunFigures(run, "", RunStatus.of(why), "", "", null, null, null, 0,
                Instant.EPOCH, Optional.of(Instant.EPOCH), false,
                why.getMessage(), List.of());
    }

    /// @param reached how far it came so far
    /// @param bestError of its best score
    /// @param priced whether all prices are known
    static RunFigures open(
            RunHeader run,
            RunStatus state,
            RunTally.Reached reached,
            @Nullable Double bestError,
            boolean priced,
            boolean cancelled,
            @Nullable String error) {
        return new RunFigures(run.runId(), run.task().competitionId(), state, reached.part(),
                reached.title(), reached.bestScore(), bestError,
                priced ? reached.knownCostUsd() : null, reached.knownCostUsd(), run.startedAt(),
                Optional.empty(), cancelled, error,
                state == RunStatus.RUNNING ? List.of() : List.of("mlestar resume " + run.runId()));
    }

    /// @param reached what the result does not tell if the run failed, or if a price is unknown
    static RunFigures ended(
            RunHeader run,
            StepResult end,
            RunTally.Reached reached,
            boolean cancelled) {
        Double spent = end.costUsd();
        Pipeline pipeline = new Pipeline();
        boolean completed = end.isDone();
        Optional<Pipeline.Result> solved = end.done().map(done -> done.of(pipeline));
        Score best = solved.map(result -> result.chosen().score())
                .orElse(Score.printed(reached.bestScore()));
        return new RunFigures(run.runId(), run.task().competitionId(),
                RunStatus.of(Optional.of(end), false, () -> false),
                completed ? COMPLETE : reached.part(),
                completed ? pipeline.title() : reached.title(), best.value(), best.error(), spent,
                spent == null ? reached.knownCostUsd() : spent, run.startedAt(),
                Optional.of(end.endedAt()),
                cancelled, end.reason() == null || reached.crash() == null
                        ? end.reason()
                        : end.reason() + "; " + reached.crash().words(),
                completed ? List.of() : NextCommands.failed(run, end, reached.crash()));
    }

    /// True unless the run has ended.
    public boolean isRunning() {
        return state.isOpen();
    }

    /// The state, but that a run that stands still is called running: it may go on at any time.
    public String status() {
        return isRunning() ? RunStatus.RUNNING.toString() : state.toString();
    }

    public boolean isHalted() {
        return state == RunStatus.HALTED;
    }

    /// The state in a word, which also says that a cancelled run is finishing.
    public String stateWords() {
        return state == RunStatus.RUNNING && cancelled ? "finishing" : state.toString();
    }

    public double elapsedSeconds(Instant now) {
        return Formats.seconds(startedAt, endedAt.orElse(now));
    }

    public String elapsedWords(Instant now) {
        return Formats.duration(elapsedSeconds(now));
    }

    /// Only a run that has completed has chosen its final script, whose score need not be the best.
    public String scoreTitle() {
        return state == RunStatus.COMPLETED ? "Final score" : "Best score so far";
    }

    public String scoreWords() {
        return Formats.score(bestScoreSoFar, bestScoreError);
    }

    /// The known cost, and whether that is all.
    public String costWords() {
        return Formats.dollars(knownCostUsd, accumulatedCostUsd != null);
    }

    public String startedWords() {
        return state.isUnread() ? "unknown" : DAY_AND_TIME.format(startedAt);
    }
}
