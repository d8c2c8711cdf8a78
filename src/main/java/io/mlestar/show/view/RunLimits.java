package io.mlestar.show.view;

import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.steering.Allowance;
import io.mlestar.core.steering.Extension;
import io.mlestar.show.render.Formats;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The time and the money that a run may use.
///
/// @param now those that hold now
/// @param extensions beyond the limits that it began with
public record RunLimits(CurrentLimits now, List<Extension> extensions) {
    static RunLimits of(Records records, RunHeader begun, RunMarks marks) {
        Allowance given = Allowance.of(records.store(), begun.runId(), marks);
        return new RunLimits(given.onto(begun), given.extensions());
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
