package io.mlestar.core.engine;

import io.mlestar.core.records.StepResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The reasons why a person may have to look after a run.
///
/// @param failedAt when it failed; empty if it has not
/// @param halted whether steps wait for a user, since prompts have changed
/// @param standing whether it has open steps, and none that an hour has not passed over
/// @param waitingScripts scripts that have not begun within an hour
public record RunTrouble(
        Optional<Instant> failedAt,
        boolean halted,
        boolean standing,
        int waitingScripts) {
    /// A long time for an open step that no process does: the sweep has then sent it again several
    /// times.
    static final Duration LONG = Duration.ofHours(1);

    /// The kinds of trouble that are counted.
    public enum TroubleKind {
        /// Runs that failed within the last hour.
        FAILED,
        /// Runs in which steps wait for a user.
        HALTED,
        /// Runs that do not get on.
        STANDING,
        /// Scripts whose Jobs wait for a node, a quota or a queue.
        WAITING_SCRIPT
    }

    /// The time for which nothing has happened to an open step.
    ///
    /// @param idle beyond the time that it may rightly take
    /// @param waits whether it is a script that has never begun
    record Delay(Duration idle, boolean waits) {
        /// The delay of a step that is being done.
        static final Delay NONE = new Delay(Duration.ZERO, false);

        boolean isLong() {
            return idle.compareTo(LONG) > 0;
        }
    }

    static Optional<RunTrouble> ofEnded(StepResult result) {
        return result.isDone()
                ? Optional.empty()
                : Optional.of(new RunTrouble(Optional.of(result.endedAt()), false, false, 0));
    }

    static Optional<RunTrouble> ofOpen(boolean halted, List<Delay> delays) {
        boolean standing = !delays.isEmpty() && delays.stream().allMatch(Delay::isLong);
        int waiting = (int) delays.stream().filter(Delay::waits).filter(Delay::isLong).count();
        return halted || standing || waiting > 0
                ? Optional.of(new RunTrouble(Optional.empty(), halted, standing, waiting))
                : Optional.empty();
    }

    static Map<TroubleKind, Integer> sums(Collection<RunTrouble> troubles, Instant now) {
        Map<TroubleKind, Integer> sums = new EnumMap<>(TroubleKind.class);
        for (TroubleKind kind : TroubleKind.values()) {
            sums.put(kind, troubles.stream().mapToInt(trouble -> trouble.count(kind, now)).sum());
        }
        return sums;
    }

    private int count(TroubleKind kind, Instant now) {
        return switch (kind) {
            case FAILED -> failedAt.filter(at -> at.plus(LONG).isAfter(now)).isPresent() ? 1 : 0;
            case HALTED -> halted ? 1 : 0;
            case STANDING -> standing ? 1 : 0;
            case WAITING_SCRIPT -> waitingScripts;
        };
    }
}
