package io.mlestar.view;

import io.mlestar.records.Extension;
import io.mlestar.records.Extensions;
import io.mlestar.records.Pause;
import io.mlestar.records.Pauses;
import io.mlestar.records.Records;
import io.mlestar.records.RunHeader;
import io.mlestar.records.RunMarks;
import io.mlestar.render.Formats;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How long a run may go on, and what it may spend.
///
/// @param run with the limits that hold now
/// @param extensions what it was given beyond those that it began with
/// @param pauses the time of which it is given back
public record RunLimits(RunHeader run, List<Extension> extensions, List<Pause> pauses) {
    /// The limits that hold now: while a run is paused, they move on with the time.
    static RunLimits of(Records records, RunHeader begun, RunMarks marks, Instant now) {
        List<Extension> extensions = marks.isExtended() ? new Extensions(records.store()).of(begun.runId()) : List.of();
        List<Pause> pauses = marks.hasPauses() ? new Pauses(records.store()).of(begun.runId()) : List.of();
        return new RunLimits(Extensions.onto(begun, extensions, pauses.stream().map(pause -> pause.upTo(now)).toList()), extensions, pauses);
    }

    /// Null if it is not paused.
    public @Nullable Pause pause() {
        return pauses.isEmpty() || !pauses.getLast().isOpen() ? null : pauses.getLast();
    }

    public Instant deadline() {
        return run.deadline();
    }

    public long seconds() {
        return run.limit().toSeconds();
    }

    public String words() {
        return Formats.duration((double) seconds());
    }

    public String timeLeft(Instant now) {
        return Formats.duration(Formats.seconds(now, deadline()));
    }

    /// Null if it has none.
    public @Nullable Double budgetUsd() {
        return run.config().maxBudgetUsd();
    }

    public String budgetWords() {
        return Formats.dollars(budgetUsd());
    }

    public String moneyLeft(double spentUsd) {
        Double budget = budgetUsd();
        return budget == null ? "" : Formats.dollars(Math.max(0, budget - spentUsd));
    }
}
