package io.mlestar.show.view;

import io.mlestar.core.records.Limits;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.steering.Allowance;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.steering.Pause;
import io.mlestar.show.render.Formats;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How long a run may go on, and what it may spend.
///
/// @param now those that hold now
/// @param allowance what it was given beyond those that it began with
public record RunLimits(Limits now, Allowance allowance) {
    /// The limits that hold now: while a run is paused, they move on with the time.
    static RunLimits of(Records records, RunHeader begun, RunMarks marks, Instant now) {
        Allowance given = Allowance.of(records.store(), begun.runId(), marks);
        Allowance upToNow = new Allowance(given.extensions(), given.pauses().stream().map(pause -> pause.upTo(now)).toList());
        return new RunLimits(upToNow.onto(begun), given);
    }

    public List<Extension> extensions() {
        return allowance.extensions();
    }

    public List<Pause> pauses() {
        return allowance.pauses();
    }

    /// Null if it is not paused.
    public @Nullable Pause pause() {
        return pauses().isEmpty() || !pauses().getLast().isOpen() ? null : pauses().getLast();
    }

    public Instant deadline() {
        return now.deadline();
    }

    public long seconds() {
        return now.time().toSeconds();
    }

    public String words() {
        return Formats.duration((double) seconds());
    }

    public String timeLeft(Instant now) {
        return Formats.duration(Formats.seconds(now, deadline()));
    }

    /// Null if it has none.
    public @Nullable Double budgetUsd() {
        return now.budgetUsd();
    }

    public String budgetWords() {
        return Formats.dollars(budgetUsd());
    }

    public String moneyLeft(double spentUsd) {
        Double budget = budgetUsd();
        return budget == null ? "" : Formats.dollars(Math.max(0, budget - spentUsd));
    }
}
