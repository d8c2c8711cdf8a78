package io.mlestar.report;

import io.mlestar.view.Words;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// A run in a few figures.
///
/// @param status `running`, `completed`, `failed` or `damaged` (see `error`)
/// @param currentPhase `phase1`, `phase2`, `phase3`, `finalization` or `complete`
/// @param bestScoreSoFar of the result once there is one; null before the first score
/// @param accumulatedCostUsd null if a price is unknown
/// @param knownCostUsd as far as prices are known
/// @param endedAt null while it runs
/// @param cancelled somebody asked it to finish
/// @param halted why it stands still; null if it does not
/// @param error why it failed; null if it did not
public record RunFigures(String runId, String competitionId, String status, String currentPhase, Double bestScoreSoFar,
        Double accumulatedCostUsd, double knownCostUsd, Instant startedAt, Instant endedAt, boolean cancelled, String halted, String error) {
    private static final DateTimeFormatter DAY_AND_TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'").withZone(ZoneOffset.UTC);

    /// What can be shown of a run with a record that cannot be read.
    public static RunFigures damaged(String run, String error) {
        return new RunFigures(run, "", "damaged", "", null, null, 0, Instant.EPOCH, Instant.EPOCH, false, null, error);
    }

    public boolean isRunning() {
        return status.equals("running");
    }

    /// What it does, in a word.
    public String stateWords() {
        return !isRunning() ? status : halted != null ? "halted" : cancelled ? "finishing" : status;
    }

    public double elapsedSeconds(Instant now) {
        return Math.max(0, Duration.between(startedAt, endedAt == null ? now : endedAt).toMillis() / 1000.0);
    }

    public String elapsedWords(Instant now) {
        return Words.duration(elapsedSeconds(now));
    }

    public String scoreWords() {
        return Words.score(bestScoreSoFar);
    }

    /// What is known of the cost, and whether that is all.
    public String costWords() {
        return Words.dollars(knownCostUsd, accumulatedCostUsd != null);
    }

    public String startedWords() {
        return status.equals("damaged") ? "unknown" : DAY_AND_TIME.format(startedAt);
    }

    public String phaseWords() {
        return Course.phaseName(currentPhase);
    }
}
